"""A home that receives waiters, and wires to it that exist in memory only.

Both ends are the real ones; only the WebSocket between them is not there. Time is the
event loop's, which jumps.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from custom_components.homeagent.hosts.host import HostRecord, RefusedCommand
from custom_components.homeagent.hosts.link_ports import PeerGoneError
from custom_components.homeagent.hosts.pairing import Pairings
from custom_components.homeagent.hosts.protocol import VERSIONS, Close
from custom_components.homeagent.hosts.reception import Reception
from custom_components.homeagent.hosts.registry import HostEvents, HostRegistry, Trouble
from homeagent_waiter.keys import HostKey
from homeagent_waiter.link import Link, Ports
from homeagent_waiter.link_work import Answer, Pace, Request, Work

KEY = bytes(range(32))
NAS = HostRecord(id="nas", name="Nas", keys=(KEY,))


class MemorySocket:
    """One end of a wire. A `hole` swallows what is sent through it."""

    def __init__(self) -> None:
        self.close_code: int | None = None
        self.sent: list[str | bytes] = []
        self.other: MemorySocket
        self.hole = False
        self._inbox: asyncio.Queue[str | bytes | None] = asyncio.Queue()

    async def receive(self) -> str | bytes | None:
        return await self._inbox.get()

    async def send(self, frame: str | bytes) -> None:
        if self.close_code is not None:
            raise PeerGoneError
        self.sent.append(frame)
        if not self.hole:
            self.other.push(frame)

    def push(self, frame: str | bytes | None) -> None:
        """Put a frame in as if it had come over the wire."""
        self._inbox.put_nowait(frame)

    async def close(self, code: int) -> None:
        if self.close_code is None:
            self.close_code = code
            if not self.hole:
                self.other.drop(code)

    def drop(self, code: int) -> None:
        """Be closed by the other end."""
        if self.close_code is None:
            self.close_code = code
            self.push(None)


def wire() -> tuple[MemorySocket, MemorySocket]:
    """Return both ends of a new wire."""
    here, there = MemorySocket(), MemorySocket()
    here.other, there.other = there, here
    return here, there


@dataclass
class Ended:
    """How a connection ended, and whether it counts as a wrong login."""

    code: Close
    wrong_login: bool


@dataclass
class Told:
    """What the registry told, in order."""

    events: list[tuple[str, str]] = field(default_factory=list)
    refused: list[RefusedCommand] = field(default_factory=list)
    troubles: set[Trouble] = field(default_factory=set)

    def listeners(self) -> HostEvents:
        def note(what: str) -> None:
            self.events.append((what, ""))

        return HostEvents(
            added=lambda _: note("added"),
            removed=lambda _: note("removed"),
            changed=lambda _: note("changed"),
            rekeyed=lambda _: note("rekeyed"),
            refused=lambda _, command: self.refused.append(command),
            trouble=lambda _, trouble: self.troubles.add(trouble),
            trouble_over=lambda _, trouble: self.troubles.discard(trouble),
        )


class Home:
    """Home Assistant's end, and the wires that lead to it."""

    def __init__(self, *hosts: HostRecord, versions: Sequence[int] = VERSIONS) -> None:
        self.told = Told()
        self.registry = HostRegistry(
            self.told.listeners(), utcnow=lambda: datetime.now(UTC)
        )
        self.registry.set_records(hosts)
        self.pairings = Pairings()
        self.reception = Reception(
            registry=self.registry,
            pairings=self.pairings,
            greeting={"home_assistant": "2026.10.4"},
            versions=versions,
        )
        self.away = False
        self.dials: list[float] = []
        self.ended: list[Ended] = []
        self.wires: list[tuple[MemorySocket, MemorySocket]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def knock(self) -> MemorySocket:
        """Return the outer end of a new wire that is served."""
        outer, inner = wire()
        self.wires.append((outer, inner))
        assert self.reception.room.enter("192.0.2.1")
        task = asyncio.ensure_future(self._serve(inner))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return outer

    async def _serve(self, socket: MemorySocket) -> None:
        wrong: list[bool] = []
        code = await self.reception.serve(
            socket, "192.0.2.1", lambda: wrong.append(True)
        )
        self.ended.append(Ended(code, bool(wrong)))

    @asynccontextmanager
    async def dial(self) -> AsyncIterator[MemorySocket]:
        """Connect as a waiter does."""
        self.dials.append(asyncio.get_running_loop().time())
        if self.away:
            raise OSError("nobody is at home")
        socket = self.knock()
        try:
            yield socket
        finally:
            await socket.close(1000)

    def cut(self, code: int = 1006) -> None:
        """Cut all wires."""
        for outer, inner in self.wires:
            outer.drop(code)
            inner.drop(code)

    async def leave(self) -> None:
        """Let all connections end."""
        self.registry.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class StillFacts:
    """A host that is what it is."""

    async def about(self) -> dict[str, object]:
        return {"authorized": True}

    async def metrics(self) -> dict[str, object] | None:
        return {"cpu": 1.5}

    def interval(self) -> float:
        return 3600.0


@dataclass
class Nas:
    """The waiter's end: the real link, with commands that are made up."""

    home: Home
    key: HostKey = field(default_factory=lambda: HostKey("nas", KEY))
    luck: float = 0.5
    slept: float = 0.0
    takes: float = 0.0
    outcome: object = None
    ran: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    def link(self) -> Link:
        """Return a waiter that was started just now."""

        def rekey(key: bytes) -> None:
            self.key = HostKey(self.key.id, key)

        ports = Ports(
            dial=self.home.dial,
            key=lambda: self.key,
            rekey=rekey,
            random=lambda: self.luck,
            asleep=lambda: self.slept,
        )
        work = Work(self.answer, Pace(at_once=4, per_minute=60))
        return Link(ports=ports, work=work, facts=StillFacts(), version="0.1.0")

    async def answer(self, request: Request) -> Answer:
        self.ran.append(request.command or "")
        try:
            await asyncio.sleep(self.takes)
        finally:
            self.ended.append(request.command or "")
        return {"outcome": self.outcome or {"stdout": f"did {request.command}"}}


@asynccontextmanager
async def running(link: Link) -> AsyncIterator[asyncio.Task[None]]:
    """Run a link; at the end it is stopped as by kill -9: nothing is said."""
    task = asyncio.ensure_future(link.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await link.work.close()


async def settle() -> None:
    """Let everything happen that needs no time."""
    for _ in range(60):
        await asyncio.sleep(0)
