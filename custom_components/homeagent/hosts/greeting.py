"""Hosts, above `protocol`: a connection until it is known who is there (page 4 §4.1).

Hello, handshake, first sealed message. Pings are answered from the first byte and extend
nothing. Imports nothing of Home Assistant.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
import json

from .link_ports import PeerGoneError, Socket
from .protocol import (
    UNBOUND_FRAME,
    BadKeyError,
    Channel,
    Close,
    Hello,
    Message,
    ProtocolError,
    common_version,
    decode,
    hello_answer,
    prologue,
    read_hello,
    respond,
)


class NotAdmittedError(Exception):
    """The connection must be closed with this code; `hello` if there was one."""

    def __init__(self, code: Close, hello: Hello | None = None) -> None:
        """Say with what code."""
        super().__init__(code.name)
        self.code = code
        self.hello = hello


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeted:
    """Who is there, proven by `key`."""

    hello: Hello
    version: int
    key: bytes
    channel: Channel
    first: Message


type KeysOf = Callable[[Hello], Sequence[bytes]]
"""The keys that somebody may come with; NotAdmittedError if nobody may."""


async def greet(socket: Socket, keys_of: KeysOf, versions: Sequence[int]) -> Greeted:
    """Find out who is there; NotAdmittedError, or PeerGoneError if nobody is."""
    hello: Hello | None = None
    try:
        asked = await _hello(socket)
        hello = read_hello(decode(asked))
        version = common_version(hello.versions, versions)
        if version is None:
            raise NotAdmittedError(Close.VERSION, hello)
        keys = keys_of(hello)
        answered = hello_answer(version)
        await socket.send(answered)
        frame = await _sealed(socket)
        bound = prologue(asked, answered)
        index, answer, channel = respond(keys, bound, frame)
        await socket.send(answer)
        first = await _first_message(socket, channel)
    except BadKeyError as error:
        raise NotAdmittedError(Close.BAD_KEY, hello) from error
    except ProtocolError as error:
        raise NotAdmittedError(Close.BAD_FRAME, hello) from error
    return Greeted(
        hello=hello, version=version, key=keys[index], channel=channel, first=first
    )


async def _hello(socket: Socket) -> str:
    while True:
        frame = await _frame(socket)
        if not isinstance(frame, str):
            raise ProtocolError("a binary frame came before the hello")
        if not await _answered(socket, frame):
            return frame


async def _sealed(socket: Socket) -> bytes:
    """Return the next binary frame; answer pings that stand in the clear before it."""
    while True:
        frame = await _frame(socket)
        if isinstance(frame, bytes):
            return frame
        if not await _answered(socket, frame):
            raise ProtocolError("a second hello came")


async def _first_message(socket: Socket, channel: Channel) -> Message:
    """Return the first message that is no ping."""
    while True:
        message = channel.open(await _sealed(socket))
        if message is not None and message["type"] == "ping":
            for frame in channel.seal({"type": "pong"}):
                await socket.send(frame)
        elif message is not None:
            return message


async def _answered(socket: Socket, frame: str) -> bool:
    """Answer a text that is no hello: pings, and types that are not known."""
    kind = decode(frame)["type"]
    if kind == "hello":
        return False
    answer = (
        {"type": "pong"}
        if kind == "ping"
        else {"type": "error", "code": "unknown_type", "of": kind}
    )
    await socket.send(json.dumps(answer))
    return True


async def _frame(socket: Socket) -> str | bytes:
    frame = await socket.receive()
    if frame is None:
        raise PeerGoneError
    size = len(frame.encode() if isinstance(frame, str) else frame)
    if size > UNBOUND_FRAME:
        raise NotAdmittedError(Close.TOO_BIG)
    return frame
