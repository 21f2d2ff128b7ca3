"""Hosts, at the top: a connection from its first byte to its end (page 4 §4.1).

Imports all of the package. The view hands every WebSocket to `serve` and acts on what it
returns. Imports nothing of Home Assistant.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
import logging

from .admission import WaitingRoom, WrongKeys
from .greeting import Greeted, NotAdmittedError, greet
from .host import Host
from .link_ports import PeerGoneError, Socket
from .link_session import Session
from .pairing import SETTLE_LIMIT, Pairing, PairingEndedError, Pairings
from .protocol import (
    BIND,
    BIND_LIMIT,
    VERSIONS,
    Channel,
    Close,
    Hello,
    Message,
    ProtocolError,
    new_key,
)
from .registry import HostRegistry, Trouble

_LOGGER = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Reception:
    """Receives waiters. `greeting` are the fields that a bound host is told."""

    registry: HostRegistry
    pairings: Pairings
    greeting: Mapping[str, object]
    versions: Sequence[int] = VERSIONS
    room: WaitingRoom = field(default_factory=WaitingRoom)
    wrong_keys: WrongKeys = field(default_factory=WrongKeys)

    async def serve(
        self, socket: Socket, address: str, wrong_login: Callable[[], None]
    ) -> Close:
        """Serve a connection that has a place in the waiting room, to its end.

        Returns the code that it was closed with. `wrong_login` is called for a stranger
        who knows no key, at once: whoever hangs up first must count too.
        """
        try:
            greeted = await self._greet(socket)
        except NotAdmittedError as refused:
            await self._refuse(refused, wrong_login)
            await socket.close(refused.code)
            return refused.code
        except PeerGoneError:
            await socket.close(Close.NORMAL)
            return Close.NORMAL
        finally:
            self.room.leave(address)
        if greeted.hello.purpose == BIND:
            return await self._bind(socket, greeted)
        return await self._pair(socket, greeted)

    async def _greet(self, socket: Socket) -> Greeted:
        try:
            async with asyncio.timeout(BIND_LIMIT):
                return await greet(socket, self._keys_of, self.versions)
        except TimeoutError:
            raise NotAdmittedError(Close.SILENT) from None

    def _keys_of(self, hello: Hello) -> Sequence[bytes]:
        if not self.registry.ready:
            raise NotAdmittedError(Close.RESTARTING, hello)
        if hello.purpose != BIND:
            keys = [pairing.key for pairing in self.pairings.usable()]
        else:
            host = self.registry.get(hello.id)
            if host is not None and not host.record.keys:
                raise NotAdmittedError(Close.REVOKED, hello)
            keys = [] if host is None else list(host.record.keys)
        # A stranger is turned away exactly as one with a wrong key is.
        return keys or [new_key()]

    async def _refuse(
        self, refused: NotAdmittedError, wrong_login: Callable[[], None]
    ) -> None:
        code, hello = refused.code, refused.hello
        if hello is not None and code is Close.VERSION:
            self.registry.judge_version(hello.id, hello.versions, max(self.versions))
        if hello is None or code is not Close.BAD_KEY:
            return
        if hello.purpose != BIND:
            self.pairings.missed()
            wrong_login()
        elif self.registry.get(hello.id) is None:
            wrong_login()
        else:
            self.registry.trouble(hello.id, Trouble.WRONG_KEY)
            await asyncio.sleep(self.wrong_keys.delay(hello.id))

    async def _bind(self, socket: Socket, greeted: Greeted) -> Close:
        host = self.registry.get(greeted.hello.id)
        if host is None or greeted.key not in host.record.keys:
            await socket.close(Close.REVOKED)
            return Close.REVOKED
        self.wrong_keys.right(greeted.hello.id)
        session = Session(socket, greeted.channel, host.take)
        try:
            refused = await self.registry.attach(host, session, greeted.first)
        except ProtocolError as error:
            _LOGGER.debug("A waiter cannot be bound: %s", error)
            refused = Close.BAD_FRAME
        if refused is not None:
            await socket.close(refused)
            return refused
        if greeted.key != host.record.keys[0]:
            # It came with the key that it was given: it has stored it.
            host.take({"type": "rekeyed"})
        self.registry.judge_version(
            greeted.hello.id, greeted.hello.versions, max(self.versions)
        )
        session.post(self._bound(host, greeted))
        return await self._live(host, session)

    async def _live(self, host: Host, session: Session) -> Close:
        name = host.record.name
        _LOGGER.info("%s is connected", name)
        code = Close.NORMAL
        try:
            code = await session.run()
        finally:
            host.detach(session)
            _LOGGER.info("%s is not connected any more (%s)", name, code.name.lower())
        return code

    def _bound(self, host: Host, greeted: Greeted) -> Mapping[str, object]:
        newest, ours = max(greeted.hello.versions), max(self.versions)
        due = "waiter" if newest < ours else "homeagent" if newest > ours else None
        name = host.record.name
        return {**self.greeting, "type": "bound", "name": name, "update_due": due}

    async def _pair(self, socket: Socket, greeted: Greeted) -> Close:
        code = Close.NORMAL
        pairing = self.pairings.with_key(greeted.key)
        try:
            if pairing is None:
                code = Close.BAD_KEY
            else:
                pairing.taken = True
                await _hand_over(socket, greeted.channel, greeted.first, pairing)
        except TimeoutError, PeerGoneError:
            code = Close.SILENT
        except PairingEndedError:
            code = Close.BAD_KEY
        except ProtocolError as error:
            _LOGGER.debug("A waiter cannot be paired: %s", error)
            code = Close.BAD_FRAME
        finally:
            if pairing is not None:
                pairing.taken = False
        await socket.close(code)
        return code


async def _hand_over(
    socket: Socket, channel: Channel, first: Message, pairing: Pairing
) -> None:
    """Give a host its key, and wait until it is stored there and known here."""
    async with asyncio.timeout(BIND_LIMIT):
        for frame in channel.seal(pairing.greet(first)):
            await socket.send(frame)
        while (message := await _message(socket, channel))["type"] != "stored":
            pass
        if message.get("id") != pairing.host_id:
            raise ProtocolError("another host's key was stored")
    pairing.stored(first)
    async with asyncio.timeout(SETTLE_LIMIT):
        await asyncio.shield(pairing.settled)
    for frame in channel.seal({"type": "paired"}):
        await socket.send(frame)


async def _message(socket: Socket, channel: Channel) -> Message:
    while True:
        frame = await socket.receive()
        if frame is None:
            raise PeerGoneError
        if isinstance(frame, str):
            raise ProtocolError("a frame came in the clear")
        if (message := channel.open(frame)) is not None:
            return message
