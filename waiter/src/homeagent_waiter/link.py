"""Link, at the top: stays connected to Home Assistant, for ever (design page 4 §4.1).

Dials, greets, binds, serves, waits, dials again. The network, randomness and the sleep
of the computer are ports; time is the running event loop's. One log line per change.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
import logging
from typing import Protocol

from .keys import HostKey, KeyFileError
from .link_awake import SLEPT
from .link_backoff import Backoff
from .link_greeting import greet, next_message, send
from .link_ports import PeerGoneError, Socket
from .link_session import Session
from .link_words import trouble_text
from .link_work import Work
from .protocol import (
    BIND,
    BIND_LIMIT,
    PROBE_LIMIT,
    BadKeyError,
    Channel,
    Close,
    Message,
    ProtocolError,
    text_in,
)

_LOGGER = logging.getLogger(__name__)

_LOOK_EVERY = 5.0
"""Seconds between two looks whether the computer slept."""


class ClientSocket(Socket, Protocol):
    """A socket that knows with which code the other end closed it."""

    @property
    def close_code(self) -> int | None:
        """The close code, None while it is open or if there was none."""
        ...


class DialError(Exception):
    """Home Assistant cannot be reached; the text says why."""


Dial = Callable[[], AbstractAsyncContextManager[ClientSocket]]


class Facts(Protocol):
    """What the host tells of itself."""

    async def about(self) -> dict[str, object]:
        """Return what rarely changes: system, programs, what is allowed."""
        ...

    async def metrics(self) -> dict[str, object] | None:
        """Return what was measured, None if nothing is to be."""
        ...

    def interval(self) -> float:
        """Return the seconds between two measurements."""
        ...


@dataclass(frozen=True)
class Ports:
    """What the link stands on. ``rekey`` stores another key."""

    dial: Dial
    key: Callable[[], HostKey]
    rekey: Callable[[bytes], None]
    random: Callable[[], float]
    asleep: Callable[[], float]


@dataclass
class Link:
    """The connection that comes back. ``connected`` tells whether it stands now."""

    ports: Ports
    work: Work
    facts: Facts
    version: str
    connected: bool = False
    told: str = field(default="", init=False)
    session: Session | None = field(default=None, init=False)
    _hurry: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    async def run(self) -> None:
        """Connect again and again; ends only when it is cancelled."""
        backoff = Backoff(self.ports.random)
        while True:
            code, lasted = await self._once()
            wait = backoff.after(code, lasted)
            if await self._rest(wait):
                backoff.reset()

    def hurry(self) -> None:
        """Try again now, and tell what has changed: the configuration was read anew."""
        self._hurry.set()

    async def _once(self) -> tuple[int, float]:
        """Connect once; return the code it ended with and how long it was bound."""
        loop = asyncio.get_running_loop()
        code, why, bound_at = int(Close.NORMAL), "", None
        try:
            async with self.ports.dial() as socket:
                try:
                    async with asyncio.timeout(BIND_LIMIT * 2):
                        session = await self._bind(socket)
                    bound_at = loop.time()
                    code = int(await self._live(session))
                except (
                    BadKeyError,
                    ProtocolError,
                    PeerGoneError,
                    TimeoutError,
                ) as error:
                    code = _code_of(error)
                    await socket.close(code)
                code = socket.close_code or code
        except KeyFileError as error:
            code, why = int(Close.BAD_KEY), str(error)
        except DialError as error:
            why = str(error)
        except OSError as error:
            why = str(error) or type(error).__name__
        self._say(trouble_text(code, why))
        return code, 0.0 if bound_at is None else loop.time() - bound_at

    async def _bind(self, socket: ClientSocket) -> Session:
        key = self.ports.key()
        channel = await greet(socket, key.id, BIND, key.key)
        bind: Message = {
            "type": "bind",
            "waiter": self.version,
            "requests": self.work.held(),
        }
        await send(socket, channel, bind)
        bound = await self._bound(socket, channel)
        self._say(f"connected to Home Assistant as {bound.get('name')!r}")
        if bound.get("update_due") == "waiter":
            _LOGGER.warning(
                "This waiter is older than Home Assistant's side; update it"
            )
        return Session(socket, channel, self._take)

    async def _bound(self, socket: ClientSocket, channel: Channel) -> Message:
        while True:
            message = await next_message(socket, channel)
            if message["type"] == "bound":
                return message

    async def _live(self, session: Session) -> Close:
        self.session, self.connected = session, True
        self.work.attach(session.post)
        helpers = [
            asyncio.create_task(work)
            for work in (self._tell(session), self._watch_sleep(session))
        ]
        try:
            return await session.run()
        finally:
            self.connected, self.session = False, None
            self.work.detach(session.post)
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)

    def _take(self, message: Message) -> bool:
        if message["type"] == "rekey":
            return self._rekey(message)
        return message["type"] == "error" or self.work.take(message)

    def _rekey(self, message: Message) -> bool:
        try:
            key = base64.b64decode(text_in(message, "key"), validate=True)
            self.ports.rekey(key)
        except (binascii.Error, KeyFileError) as error:
            _LOGGER.error("The new key is not taken: %s", error)
        else:
            self._post({"type": "rekeyed"})
        return True

    def _post(self, message: Message) -> None:
        if self.session is not None:
            self.session.post(message)

    async def _tell(self, session: Session) -> None:
        """Tell what the host is, and again what has changed, while the session lasts."""
        news = True
        while True:
            try:
                if news:
                    about = await self.facts.about()
                    session.post({"type": "facts", "about": about})
                if (metrics := await self.facts.metrics()) is not None:
                    session.post({"type": "facts", "metrics": metrics})
            except Exception:
                _LOGGER.exception("This host cannot be measured")
            news = await self._hurried(self.facts.interval())

    async def _watch_sleep(self, session: Session) -> None:
        """After the computer slept, see whether anybody is still there."""
        slept = self.ports.asleep()
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            if self.ports.asleep() - slept > SLEPT:
                slept = self.ports.asleep()
                if not await session.answers(PROBE_LIMIT):
                    session.end(Close.SILENT)

    async def _rest(self, wait: float) -> bool:
        """Wait; return early, with True, if the computer slept or there is news."""
        slept = self.ports.asleep()
        while wait > 0:
            if await self._hurried(min(wait, _LOOK_EVERY)):
                return True
            if self.ports.asleep() - slept > SLEPT:
                return True
            wait -= _LOOK_EVERY
        return False

    async def _hurried(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        except TimeoutError:
            return False
        self._hurry.clear()
        return True

    def _say(self, text: str) -> None:
        if text != self.told:
            self.told = text
            _LOGGER.info("%s", text)


def _code_of(error: BaseException) -> int:
    if isinstance(error, BadKeyError):
        return int(Close.BAD_KEY)
    if isinstance(error, ProtocolError):
        return int(Close.BAD_FRAME)
    return int(Close.SILENT if isinstance(error, TimeoutError) else Close.NORMAL)
