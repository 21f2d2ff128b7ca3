"""Real waiters that come to the Home Assistant of a test, over its own HTTP server."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentryData
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools.access_rules import default_subentries
from custom_components.homeagent.tools.host_records import host_data
from homeagent_waiter.keys import HostKey, KeyFile
from homeagent_waiter.link import Link, Ports
from homeagent_waiter.link_socket import Address, dial
from homeagent_waiter.link_work import Answer, Pace, Request, Work
from homeagent_waiter.pairing import pair

KEY = bytes(range(32))
DONE = {
    "stdout": "ok\n",
    "stderr": "",
    "exit_code": 0,
    "exit_codes": [0],
    "truncated": False,
    "duration": 0.01,
}


def subentry(name: str, key: bytes = KEY) -> ConfigSubentryData:
    """Return a host that was paired; its id is its name in small letters."""
    host_id = name.lower()
    return ConfigSubentryData(
        data=host_data(host_id, key),
        subentry_type="host",
        title=name,
        unique_id=host_id,
    )


async def async_add_hosts(hass: HomeAssistant, *names: str) -> ConfigEntry:
    """Add the HomeAgent entry with these hosts."""
    entry: ConfigEntry = MockConfigEntry(
        domain="homeagent",
        title="HomeAgent",
        data={"kind": "kernel"},
        unique_id="kernel",
        version=1,
        minor_version=2,
        subentries_data=[
            *default_subentries("en"),
            *(subentry(name) for name in names),
        ],
    )
    entry.add_to_hass(hass)  # type: ignore[attr-defined]
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry


@dataclass
class Waiter:
    """A host's end: the real link with a real socket, and commands that are made up."""

    url: str
    key: HostKey
    about_it: dict[str, object] = field(default_factory=lambda: {"system": "Debian 12"})
    measured: dict[str, object] = field(default_factory=dict)
    answers: Callable[[Request], Mapping[str, object]] = lambda request: {
        "outcome": DONE
    }
    asked: list[Request] = field(default_factory=list)
    takes: float = 0.0

    @asynccontextmanager
    async def running(self, hass: HomeAssistant) -> AsyncIterator[Link]:
        """Run; comes back connected."""

        def rekey(key: bytes) -> None:
            self.key = HostKey(self.key.id, key)

        ports = Ports(
            dial=partial(dial, Address(self.url)),
            key=lambda: self.key,
            rekey=rekey,
            random=lambda: 0.1,
            asleep=lambda: 0.0,
        )
        link = Link(
            ports=ports, work=Work(self.answer, Pace()), facts=self, version="0.1.0"
        )
        task = asyncio.ensure_future(link.run())
        try:
            await until(lambda: self.has_told(hass))
            yield link
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await link.work.close()
            await until(lambda: not self.is_there(hass))

    def is_there(self, hass: HomeAssistant) -> bool:
        host = hass.data[DATA_RUNTIME].hosts.registry.get(self.key.id)
        return host is not None and host.connected

    def has_told(self, hass: HomeAssistant) -> bool:
        host = hass.data[DATA_RUNTIME].hosts.registry.get(self.key.id)
        return (
            host is not None
            and host.connected
            and bool(host.about)
            and bool(host.metrics or not self.measured)
        )

    async def answer(self, request: Request) -> Answer:
        self.asked.append(request)
        await asyncio.sleep(self.takes)
        return self.answers(request)

    async def about(self) -> dict[str, object]:
        return self.about_it

    async def metrics(self) -> dict[str, object] | None:
        return self.measured

    def interval(self) -> float:
        return 3600.0


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def async_pair(url: str, code: str, path: Path, name: str = "Shelf") -> HostKey:
    """Do what `waiter pair` does."""
    file = KeyFile(path)
    about: dict[str, Any] = {}
    async with dial(Address(url)) as socket:
        await pair(socket, code=code, name=name, about=about, file=file)
    return file.load()
