"""Link, above ``protocol``: a connection until the channel stands, the waiter's end.

Imports the ports and ``protocol`` (design page 4 §4.1).
"""

from __future__ import annotations

from .link_ports import PeerGoneError, Socket
from .protocol import (
    VERSIONS,
    Channel,
    Message,
    ProtocolError,
    decode,
    hello,
    initiate,
    prologue,
)


async def greet(socket: Socket, host_id: str, purpose: str, key: bytes) -> Channel:
    """Say hello, shake hands, return the channel.

    BadKeyError if the other end has another key, PeerGoneError if it closed: why is
    for the socket to tell. ProtocolError if it speaks something else.
    """
    asked = hello(host_id, purpose)
    await socket.send(asked)
    answered = await _hello(socket)
    frame, finish = initiate(key, prologue(asked, answered))
    await socket.send(frame)
    return finish(await _binary(socket))


async def next_message(socket: Socket, channel: Channel) -> Message:
    """Return the next message on a channel that has no session yet; answer pings."""
    while True:
        message = channel.open(await _binary(socket))
        if message is not None and message["type"] == "ping":
            await send(socket, channel, {"type": "pong"})
        elif message is not None:
            return message


async def send(socket: Socket, channel: Channel, message: Message) -> None:
    """Send a message on a channel that has no session yet."""
    for frame in channel.seal(message):
        await socket.send(frame)


async def _hello(socket: Socket) -> str:
    """Return Home Assistant's hello as it was sent."""
    while True:
        frame = await _frame(socket)
        if not isinstance(frame, str):
            raise ProtocolError("a binary frame came before the hello")
        message = decode(frame)
        if message["type"] == "hello":
            if message.get("version") not in VERSIONS:
                raise ProtocolError("Home Assistant chose a version nobody offered")
            return frame


async def _binary(socket: Socket) -> bytes:
    while True:
        frame = await _frame(socket)
        if isinstance(frame, bytes):
            return frame


async def _frame(socket: Socket) -> str | bytes:
    frame = await socket.receive()
    if frame is None:
        raise PeerGoneError
    return frame
