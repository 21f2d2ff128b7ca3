"""Hosts end to end, where it takes long: fifty at once, ten thousand commands."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
import random

from demohome.api import HomeApi
from demohome.jsonish import as_object, as_objects
from demohome.real_home import HomeOptions, RealHome
from demohome.waiter_process import (
    FLOWS,
    WaiterProcess,
    follow_flow,
    kernel_entry,
    wait_for_hosts,
)
import psutil
import pytest

from homeagent_waiter.keys import HostKey, KeyFile
from homeagent_waiter.link import Link, Ports
from homeagent_waiter.link_socket import Address, dial
from homeagent_waiter.link_work import Answer, Pace, Request, Work
from homeagent_waiter.pairing import pair

from .waiters import connected

pytestmark = pytest.mark.long

MANY = 50
COMMANDS = 10_000
AT_ONCE = 30
MOST_GROWTH = 16 * 1024 * 1024
"""Bytes that a process may grow by while nine in ten of the commands run."""


class QuietFacts:
    """A host that measures nothing."""

    async def about(self) -> dict[str, object]:
        return {"system": "none"}

    async def metrics(self) -> dict[str, object] | None:
        return None

    def interval(self) -> float:
        return 3600.0


async def answer(request: Request) -> Answer:
    return {"error": {"code": "busy", "detail": "this host does nothing"}}


def link_to(url: str, key: HostKey) -> Link:
    ports = Ports(
        dial=partial(dial, Address(url)),
        key=lambda: key,
        rekey=lambda key: None,
        random=random.random,
        asleep=lambda: 0.0,
    )
    work = Work(answer, Pace())
    return Link(ports=ports, work=work, facts=QuietFacts(), version="0.1.0")


async def paired(api: HomeApi, name: str, path: Path) -> HostKey:
    """Pair a host as the dialog and `waiter pair` do."""
    entry_id = await kernel_entry(api)
    flow = as_object(await api.post(FLOWS, {"handler": [entry_id, "host"]}), "a flow")
    shown = as_object(flow["description_placeholders"], "the placeholders")

    async def come() -> str:
        async with dial(Address(api.url)) as socket:
            return await pair(
                socket,
                code=str(shown["code"]),
                name=name,
                about={},
                file=KeyFile(path),
            )

    coming = asyncio.ensure_future(come())
    await follow_flow(api, str(flow["flow_id"]), coming)
    await coming
    return KeyFile(path).load()


@asynccontextmanager
async def fresh_home() -> AsyncIterator[RealHome]:
    async with RealHome(HomeOptions()) as real:
        await real.api.run_flow("homeagent", {"next_step_id": "kernel"}, {})
        yield real


async def test_fifty_waiters_come_back_after_a_restart(tmp_path: Path) -> None:
    """All from one address, of which four strangers may knock at a time."""
    names = [f"Nas {number}" for number in range(MANY)]
    async with fresh_home() as home:
        keys = [await paired(home.api, name, tmp_path / name) for name in names]
        links = [link_to(home.url, key) for key in keys]
        tasks = [asyncio.ensure_future(link.run()) for link in links]
        try:
            await wait_for_hosts(home.api, *names, seconds=120)
            await home.restart()
            await wait_for_hosts(home.api, *names, seconds=180)
            assert "invalid authentication" not in home.log_text()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def test_ten_thousand_commands_leave_nothing(tmp_path: Path) -> None:
    limits = {"limits": {"per_minute": 6000, "at_once": 32}}
    async with fresh_home() as home:
        waiter = WaiterProcess(tmp_path, name="Nas", url=home.url, options=limits)
        async with connected(home.api, waiter):
            await run_commands(home.api, COMMANDS // 10)
            before = resident(waiter.pid)
            await run_commands(home.api, COMMANDS - COMMANDS // 10)
            assert resident(waiter.pid) - before < MOST_GROWTH
            assert psutil.Process(waiter.pid).children(recursive=True) == []
            assert accepted(tmp_path) == COMMANDS


async def run_commands(api: HomeApi, number: int) -> None:
    """Run so many commands to a good end; those that come too fast are asked again."""
    call = {"tool": "host_run", "arguments": {"host": "Nas", "command": "uname -s"}}
    done = 0
    while done < number:
        calls = [call] * min(AT_ONCE, number - done)
        told = await api.call_action("homeagent.call_tools", {"calls": calls})
        results = as_objects(told["results"], "the results")
        good = [result for result in results if result["success"]]
        assert all("Linux" in str(result["value"]) for result in good)
        bad = {
            as_object(result["error"], "the error")["reason"]
            for result in results
            if not result["success"]
        }
        assert bad <= {"busy"}, results
        done += len(good)
        await asyncio.sleep(1 if bad else 0)


def resident(pid: int) -> int:
    """Return the bytes of memory that a process has now."""
    size: int = psutil.Process(pid).memory_info().rss
    return size


def accepted(folder: Path) -> int:
    """Count the commands that the audit log, with its older files, says were run."""
    logs = folder.glob("state/audit*")
    lines = [line for log in logs for line in log.read_text("utf-8").splitlines()]
    return sum('"decision":"accept"' in line for line in lines)
