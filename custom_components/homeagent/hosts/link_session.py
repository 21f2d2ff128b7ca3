"""Link, above ``protocol``: one bound connection, at either end (page 4 §4.1).

Stands twice, byte for byte, as ``protocol`` does; Python 3.11. Reads, writes and pings
until the connection ends, for whatever reason. What the messages mean is others' business.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
import logging

from .link_ports import PeerGoneError, Socket
from .protocol import (
    PING_EVERY,
    SILENCE,
    Channel,
    Close,
    Message,
    ProtocolError,
    encode,
)

_LOGGER = logging.getLogger(__name__)

MOST_WAITING = 256
"""Messages that may wait to be sent; a peer that takes none is as good as gone."""

Handler = Callable[[Message], bool]
"""Takes a message; false if it does not know the type."""


class Session:
    """A bound connection; ``run`` is its life."""

    def __init__(self, socket: Socket, channel: Channel, handle: Handler) -> None:
        """Take a connection whose handshake is done, and who takes its messages."""
        self._socket = socket
        self._channel = channel
        self._handle = handle
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self._ending: asyncio.Future[Close] = asyncio.get_running_loop().create_future()
        self._probes: list[asyncio.Future[None]] = []

    def post(self, message: Mapping[str, object]) -> bool:
        """Send a message soon; false if the connection ends or takes no more.

        ProtocolError for what has no JSON form: that must not end the connection.
        """
        data = encode(message)
        if self._ending.done():
            return False
        try:
            self._waiting.put_nowait(data)
        except asyncio.QueueFull:
            self.end(Close.SILENT)
            return False
        return True

    def end(self, code: Close) -> None:
        """End the connection with this code; the first one counts."""
        if not self._ending.done():
            self._ending.set_result(code)

    async def answers(self, limit: float) -> bool:
        """Ask the other end for a sign of life; tell whether it came in time."""
        probe: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._probes.append(probe)
        try:
            if not self.post({"type": "ping"}):
                return False
            await asyncio.wait(
                (probe, self._ending),
                timeout=limit,
                return_when=asyncio.FIRST_COMPLETED,
            )
            return probe.done() and not self._ending.done()
        finally:
            self._probes.remove(probe)

    async def run(self) -> Close:
        """Live until the end; return the code that the connection was closed with."""
        code = Close.RESTARTING
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(self._until_it_ends(work()))
                    for work in (self._read, self._write, self._ping)
                ]
                code = await self._ending
                for task in tasks:
                    task.cancel()
        finally:
            self.end(code)
            await self._socket.close(code)
        return code

    async def _until_it_ends(self, work: Coroutine[object, object, Close]) -> None:
        try:
            self.end(await work)
        except PeerGoneError:
            self.end(Close.NORMAL)
        except ProtocolError as error:
            _LOGGER.debug("A connection cannot go on: %s", error)
            self.end(Close.BAD_FRAME)

    async def _read(self) -> Close:
        while True:
            try:
                async with asyncio.timeout(SILENCE):
                    frame = await self._socket.receive()
            except TimeoutError:
                return Close.SILENT
            if frame is None:
                return Close.NORMAL
            if isinstance(frame, str):
                raise ProtocolError("a frame came in the clear")
            message = self._channel.open(frame)
            for probe in self._probes:
                if not probe.done():
                    probe.set_result(None)
            if message is not None:
                self._take(message)

    def _take(self, message: Message) -> None:
        kind = message["type"]
        if kind == "ping":
            self.post({"type": "pong"})
        elif kind != "pong" and not self._handled(message):
            self.post({"type": "error", "code": "unknown_type", "of": kind})

    def _handled(self, message: Message) -> bool:
        """Hand a message on; one that cannot be taken costs nothing but itself."""
        try:
            return self._handle(message) or message["type"] == "error"
        except ProtocolError as error:
            _LOGGER.warning("A message is not understood: %s", error)
        except Exception:  # A bug in one handler must not cut the line.
            _LOGGER.exception("A message could not be handled")
        return True

    async def _write(self) -> Close:
        while True:
            data = await self._waiting.get()
            for frame in self._channel.seal_data(data):
                await self._socket.send(frame)

    async def _ping(self) -> Close:
        while True:
            await asyncio.sleep(PING_EVERY)
            self.post({"type": "ping"})
