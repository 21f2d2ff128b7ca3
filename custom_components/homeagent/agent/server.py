"""A model server, spoken to through the `openai` package.

Above `payloads`, `reply` and `troubles`. The package does addresses, headers and errors;
the answer's bytes are read here, because servers differ in more ways than its reader
takes. `openai` is imported in `openai_client` only, in the executor.
"""

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Mapping,
    Sequence,
)
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
import logging
import math
from typing import TYPE_CHECKING, Any, Protocol

import httpx

from ..kernel.records import record
from .messages import Asked, Message, Shown, to_wire
from .payloads import PayloadReader
from .reply import Piece, ReplyReader
from .troubles import (
    Kind,
    Sent,
    ServerTrouble,
    from_status,
    from_stream,
    hidden,
    wait_before,
)

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_LOGGER = logging.getLogger(__name__)

NO_KEY = "none"
"""Sent where the server wants no key: the package insists on one."""

DRAIN = 0.1
"""Seconds for what a server still sends after the end of its reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds: until the first byte, and between two; and for a request in all."""

    silence: float = 60.0
    in_all: float = 300.0


@record
class ModelRequest:
    """What is asked of the model: messages, and the functions it may call.

    `tool_choice` is `auto`, `required` or `none`.
    """

    messages: Sequence[Message]
    tools: Sequence[Mapping[str, object]] = ()
    tool_choice: str = "auto"


class ModelServer(Protocol):
    """Where replies come from."""

    def reply(
        self, request: ModelRequest, reader: ReplyReader
    ) -> AsyncGenerator[Piece]:
        """Give the pieces of a reply as they come; `reader` has all of it then.

        Raises `ServerTrouble`; the reader keeps what had come until then.
        """
        ...


class OpenAIServer:
    """One model on one server; implements `ModelServer`.

    `client` makes the package's client at first use. `streaming` is false for a server
    that was found unable to stream, until it is asked again after a restart.
    """

    def __init__(
        self,
        *,
        client: Callable[[], Awaitable[AsyncOpenAI]],
        model: str,
        limits: Limits | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        cannot_stream: Callable[[ServerTrouble], None] | None = None,
    ) -> None:
        """Take the way to the client; nothing is connected yet."""
        self.model = model
        self.streaming = True
        self._client = client
        self._limits = Limits() if limits is None else limits
        self._sleep = sleep
        self._cannot_stream = cannot_stream
        self._secrets: Sequence[str] = ()

    async def reply(
        self, request: ModelRequest, reader: ReplyReader
    ) -> AsyncGenerator[Piece]:
        """Ask the model; a try that failed before anything came may be repeated.

        A server that refuses to stream, or whose stream is empty twice, is asked
        without; if it answers then, it is not asked to stream again.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._limits.in_all
        tries, silent, streaming = 1, 0, self.streaming
        doubt: ServerTrouble | None = None
        while True:
            try:
                tried = self._try(request, reader, deadline, streaming=streaming)
                async with aclosing(tried) as pieces:
                    async for piece in pieces:
                        yield piece
            except ServerTrouble as trouble:
                if reader.anything:
                    raise
                silent += _is_silent(trouble)
                if streaming and (trouble.kind is Kind.NO_STREAMING or silent > 1):
                    streaming, doubt = False, trouble
                    continue
                wait = wait_before(trouble, tries, deadline - loop.time())
                if wait is None:
                    raise
                _LOGGER.debug("%s: trying again in %.1f s", trouble.kind, wait)
                await self._sleep(wait)
                tries += 1
            else:
                if doubt is not None:
                    self._streams_no_more(doubt)
                return

    def _streams_no_more(self, doubt: ServerTrouble) -> None:
        self.streaming = False
        if self._cannot_stream is not None:
            detail = doubt.detail or "the stream was empty"
            self._cannot_stream(ServerTrouble(Kind.NO_STREAMING, detail))

    async def _try(
        self,
        request: ModelRequest,
        reader: ReplyReader,
        deadline: float,
        *,
        streaming: bool,
    ) -> AsyncGenerator[Piece]:
        payloads = PayloadReader()
        sent = _sent(request, streaming=streaming)
        async with (
            self._open(request, sent, deadline) as chunks,
            aclosing(self._timed(chunks, reader, deadline)) as timed,
        ):
            async for chunk in timed:
                for piece in self._read(payloads.feed(chunk), reader, sent):
                    yield piece
                if payloads.done:
                    break
        for piece in self._read(payloads.close(), reader, sent):
            yield piece
        reader.ended = reader.ended or payloads.done or not streaming
        if not reader.anything:
            raise ServerTrouble(Kind.NOT_UNDERSTOOD, again=payloads.garbage == 0)
        if payloads.garbage:
            _LOGGER.debug("%s pieces of the answer were no JSON", payloads.garbage)

    def _read(
        self, objects: list[dict[str, object]], reader: ReplyReader, sent: Sent
    ) -> list[Piece]:
        pieces: list[Piece] = []
        for each in objects:
            pieces += reader.take(each)
        if reader.error is not None:
            raise from_stream(reader.error, sent, self._secrets)
        if reader.too_much:
            raise ServerTrouble(Kind.TOO_MUCH)
        return pieces

    @asynccontextmanager
    async def _open(
        self, request: ModelRequest, sent: Sent, deadline: float
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """Send the request; give the answer's bytes, and close it at every end."""
        arguments: dict[str, Any] = {
            "model": self.model,
            "messages": [to_wire(message) for message in request.messages],
            "stream": sent.stream,
        }
        if request.tools:
            arguments["tools"] = list(request.tools)
            # Some servers leave the tools out where this is not said, too.
            arguments["tool_choice"] = request.tool_choice
        try:
            async with asyncio.timeout_at(self._until(deadline)):
                client = await self._client()
                self._secrets = secrets_of(client)
                completions = client.chat.completions.with_streaming_response
                manager = completions.create(**arguments)
                response = await manager.__aenter__()
        except TimeoutError:
            raise self._late(deadline) from None
        except Exception as error:
            raise as_trouble(error, sent, self._secrets) from error
        chunks = response.iter_bytes()
        try:
            yield chunks
        finally:
            await _drain(chunks)
            await manager.__aexit__(None, None, None)

    async def _timed(
        self, chunks: AsyncIterator[bytes], reader: ReplyReader, deadline: float
    ) -> AsyncGenerator[bytes]:
        """Give the bytes; silence that is too long is a trouble."""
        while True:
            try:
                async with asyncio.timeout_at(self._until(deadline)):
                    chunk = await anext(chunks)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise self._late(deadline) from None
            except (httpx.HTTPError, httpx.StreamError, OSError) as error:
                raise ServerTrouble(
                    Kind.BROKEN_OFF, type(error).__name__, again=not reader.anything
                ) from error
            yield chunk

    def _until(self, deadline: float) -> float:
        now = asyncio.get_running_loop().time()
        return min(deadline, now + self._limits.silence)

    def _late(self, deadline: float) -> ServerTrouble:
        over = asyncio.get_running_loop().time() >= deadline
        seconds = self._limits.in_all if over else self._limits.silence
        return ServerTrouble(Kind.TOO_SLOW if over else Kind.TIMEOUT, f"{seconds:g}")


def _sent(request: ModelRequest, *, streaming: bool) -> Sent:
    return Sent(
        tools=bool(request.tools),
        stream=streaming,
        pictures=any(
            isinstance(message, Asked | Shown) and bool(message.pictures)
            for message in request.messages
        ),
    )


def _is_silent(trouble: ServerTrouble) -> bool:
    """Whether a server ended its answer without a word, as some do to refuse a stream.

    Once, it may just have been started anew.
    """
    return trouble.kind in {Kind.NOT_UNDERSTOOD, Kind.BROKEN_OFF} and trouble.again


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """Read the end of an answer, or break it off: then its readers end, too."""
    with suppress(TimeoutError, httpx.HTTPError, httpx.StreamError, OSError):
        async with asyncio.timeout(DRAIN):
            async for _ in chunks:
                pass


def secrets_of(client: AsyncOpenAI) -> tuple[str, ...]:
    """Return what is sent with every request and repeated to nobody."""
    if client.api_key == NO_KEY:
        return ()
    told = str(client.default_headers.get("Authorization", "")).partition(" ")[2]
    return tuple(dict.fromkeys(filter(None, (client.api_key, told))))


def as_trouble(error: Exception, sent: Sent, secrets: Sequence[str]) -> ServerTrouble:
    """Return what an error before the answer stands for; no secret is repeated.

    Told apart by what errors of the package have, so that it need not be loaded here.
    """
    status = getattr(error, "status_code", None)
    response = getattr(error, "response", None)
    if isinstance(status, int):
        body = getattr(error, "body", None)
        return from_status(
            status, body, sent, retry_after=_retry_after(response), secrets=secrets
        )
    cause = error.__cause__ or error
    if isinstance(cause, httpx.TransportError | OSError) and not isinstance(
        cause, httpx.LocalProtocolError | httpx.UnsupportedProtocol
    ):
        detail = hidden(str(cause), secrets) or type(cause).__name__
        return ServerTrouble(Kind.UNREACHABLE, detail, again=True)
    # What cannot even be sent: an address that is none, a key that fits in no header.
    # Its words may hold the key, and another try would be the same.
    return ServerTrouble(Kind.UNREACHABLE, type(cause).__name__)


def _retry_after(response: object) -> float | None:
    """Return the seconds that a server asks to wait: a number or a date (RFC 9110)."""
    headers = getattr(response, "headers", None)
    if headers is None:
        return None
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name)
        if not isinstance(text, str):
            continue
        try:
            seconds = float(text) / unit
        except ValueError:
            continue
        return seconds if math.isfinite(seconds) else None
    return _seconds_until(headers.get("retry-after"), headers.get("date"))


def _seconds_until(text: object, now: object) -> float | None:
    """Return the seconds from the server's own clock to a date."""
    try:
        until, since = (parsedate_to_datetime(str(each)) for each in (text, now))
        return (until - since).total_seconds()
    except ValueError, TypeError, OverflowError:
        return None
