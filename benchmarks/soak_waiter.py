"""The soak's NAS: the real waiter's link, over a real socket; its commands are made up.

Above `home`. What a command does is not the soak's business, whether it runs once is.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from homeassistant.config_entries import ConfigSubentryData

from custom_components.homeagent.hosts.host import Host
from custom_components.homeagent.hosts.protocol import Close
from custom_components.homeagent.runtime import Runtime
from custom_components.homeagent.tools.host_records import host_data
from homeagent_waiter import protocol
from homeagent_waiter.keys import HostKey
from homeagent_waiter.link import Link, Ports
from homeagent_waiter.link_session import Session
from homeagent_waiter.link_socket import Address, dial
from homeagent_waiter.link_work import Answer, Pace, Request, Work

from .figure import BenchmarkError

NAME = "Nas"
SECONDS = 0.05
"""How long a command takes."""

BACK_WITHIN = 30.0
"""Seconds in which a host is back after its connection broke."""

_ID = "nas"
_KEY = bytes(range(32))
_PACE = Pace(at_once=16, per_minute=1_000_000)


def host() -> ConfigSubentryData:
    """Return the host as a person who paired it has it."""
    return ConfigSubentryData(
        data=host_data(_ID, _KEY), subentry_type="host", title=NAME, unique_id=_ID
    )


@dataclass(slots=True, kw_only=True)
class Nas:
    """The host's end; `ran` gets the mark of each command that runs."""

    runtime: Callable[[], Runtime]
    ran: list[tuple[str, int]]
    url: str
    link: Link = field(init=False)

    def __post_init__(self) -> None:
        """Make the link; it does not run yet."""
        ports = Ports(
            dial=partial(dial, Address(self.url)),
            key=lambda: HostKey(_ID, _KEY),
            rekey=lambda key: None,
            random=lambda: 0.05,
            asleep=lambda: 0.0,
        )
        work = Work(self._answer, _PACE)
        self.link = Link(ports=ports, work=work, facts=self, version="0.1.0")

    @property
    def host(self) -> Host | None:
        """Home Assistant's end."""
        return self.runtime().hosts.registry.get(_ID)

    async def _answer(self, request: Request) -> Answer:
        command = request.command or ""
        await asyncio.sleep(SECONDS)
        self.ran.append((command.partition(" ")[2], 0))
        return {
            "outcome": {
                "stdout": command,
                "stderr": "",
                "exit_code": 0,
                "exit_codes": [0],
                "truncated": False,
                "duration": SECONDS,
            }
        }

    async def about(self) -> dict[str, object]:
        """Tell what the host is."""
        return {"authorized": True, "system": "Debian 12"}

    async def metrics(self) -> dict[str, object] | None:
        """Tell what was measured."""
        return {"cpu": 1.5}

    def interval(self) -> float:
        """Return the seconds between two measurements."""
        return 1.0

    async def cut(self, *, here: bool) -> None:
        """End the connection, at Home Assistant's end or at the host's; comes back anew."""
        earlier = self.link.session
        if here and self.host is not None:
            self.host.end(Close.RESTARTING)
        elif not here and earlier is not None:
            earlier.end(protocol.Close.NORMAL)
        await self.back(earlier)

    async def back(self, earlier: Session | None = None) -> None:
        """Wait until both ends have another connection than the earlier one.

        BenchmarkError if they never have.
        """
        try:
            async with asyncio.timeout(BACK_WITHIN):
                while not self._connected(earlier):  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise BenchmarkError(f"{NAME} is not back in {BACK_WITHIN} s") from None

    def _connected(self, earlier: Session | None) -> bool:
        ours = self.link.session
        there = self.host is not None and self.host.connected
        return there and ours is not None and ours is not earlier


@asynccontextmanager
async def connected(nas: Nas) -> AsyncIterator[None]:
    """Run the link; comes back connected, and ends it."""
    task = asyncio.ensure_future(nas.link.run())
    try:
        await nas.back()
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await nas.link.work.close()
