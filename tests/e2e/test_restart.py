"""Reloads and restarts of a real Home Assistant while HomeAgent works in it.

Home Assistant's own detector of blocking calls is on, as in every real one. The last test
looks at what was logged by then, so it must stay the last.
"""

import asyncio
from collections.abc import AsyncIterator

from demohome.api import HomeApi
from demohome.folder import LEAN_CONFIGURATION
from demohome.jsonish import JsonObject, as_object, as_objects
from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
from demohome.waiter_process import FLOWS, WaiterProcess, kernel_entry, wait_for_hosts
import pytest_asyncio
import pytest_socket

from tests.ha.agent.scripted_server import (
    Body,
    Reply,
    ScriptedServer,
    calls,
    open_server,
    words,
)

from .traces import wait_for

BLOCKER = '''\
"""Does in the event loop what must not be done there."""


async def async_setup(hass, config):
    async def block(call):
        with open(__file__, encoding="utf-8"):
            pass

    hass.services.async_register("blocker", "block", block)
    return True
'''
MANIFEST = '{"domain": "blocker", "name": "Blocker", "version": "1.0.0"}'
OPTIONS = HomeOptions(
    configuration=(
        f"{LEAN_CONFIGURATION}conversation:\ndiagnostics:\nsystem_health:\nblocker:\n"
    ),
    files={
        "custom_components/blocker/__init__.py": BLOCKER,
        "custom_components/blocker/manifest.json": MANIFEST,
    },
)
MODEL = {
    "name": "Helper",
    "model": "scripted",
    "tool_choice": "auto",
    "context": 8192,
    "vision": False,
}
RUNS = 3
TURNS = 4
SAID = "All done."
DETECTED = "Detected blocking call"


def answer(body: Body) -> Reply:
    """Be the model: try a tool when asked to, look something up, then say so."""
    if body["messages"][-1]["role"] == "tool":
        return words(SAID)
    (*_, tool) = [each["function"]["name"] for each in body.get("tools", [{}])]
    return calls(("ready", {"answer": "yes"}) if tool == "ready" else ("seq_help", {}))


@pytest_asyncio.fixture(loop_scope="session", scope="module", name="model")
async def model_fixture() -> AsyncIterator[ScriptedServer]:
    """A model server on this machine."""
    pytest_socket.enable_socket()
    async with open_server() as server:
        server.always = answer
        yield server


@pytest_asyncio.fixture(loop_scope="session", scope="module", name="home")
async def home_fixture(model: ScriptedServer) -> AsyncIterator[RealHome]:
    """A home with an agent, and with sequences that run commands on `nas`."""
    async with RealHome(OPTIONS) as home:
        await home.api.run_flow("homeagent", {"next_step_id": "kernel"}, {})
        await _add_agent(home.api, model.url)
        for name, seconds in (("Load", 1), ("Night", 30)):
            await _add_sequence(home.api, name, seconds)
        yield home


async def _add_agent(api: HomeApi, url: str) -> None:
    flow = as_object(
        await api.post(FLOWS, {"handler": [await kernel_entry(api), "conversation"]}),
        "a dialog",
    )
    for step in ({"url": url}, MODEL):
        flow = as_object(await api.post(f"{FLOWS}/{flow['flow_id']}", step), "a dialog")
    assert flow["type"] == "create_entry", flow


async def _add_sequence(api: HomeApi, name: str, seconds: int) -> None:
    line = f'{{"tool":"host_run","args":{{"host":"Nas","command":"sleep {seconds}"}}}}'
    groups = [{"name": each, "tools": f"{line} ;"} for each in ("first", "second")]
    made = await api.call_action(
        "homeagent.seq_create", {"name": name, "groups": groups}
    )
    assert made["success"] is True, made


async def _entries(api: HomeApi) -> dict[str, str]:
    async with api.socket() as socket:
        listed = await socket.command("config_entries/get", domain="homeagent")
    found = as_objects(listed, "the entries")
    return {str(each["title"]): str(each["entry_id"]) for each in found}


async def _say(api: HomeApi, text: str) -> str:
    data = {"text": text, "language": "en", "agent_id": "conversation.helper"}
    done = as_object(await api.post("/api/conversation/process", data), "an answer")
    return str(done["response"])


async def _run(api: HomeApi, **data: object) -> JsonObject:
    return await api.call_action("homeagent.seq_run", data)


async def test_the_detector_is_on(home: RealHome) -> None:
    """It tells of an integration that blocks; the last test trusts it."""
    await home.api.do_action("blocker.block", {})
    # Home Assistant's log is written by a thread of its own.
    await asyncio.to_thread(
        wait_for, lambda: DETECTED in home.log_text(), "the detection", 10.0
    )


async def test_reloads_under_load_lose_no_run_and_no_host(
    home: RealHome, nas: WaiterProcess
) -> None:
    """Every entry is reloaded in the middle of runs and turns; the host comes back."""
    api = home.api
    runs = [asyncio.ensure_future(_run(api, name="Load")) for _ in range(RUNS)]
    turns = [asyncio.ensure_future(_say(api, f"Hello {n}")) for n in range(TURNS)]
    entries = await _entries(api)
    for title in ("Load", "Night", "HomeAgent"):
        path = f"/api/config/config_entries/entry/{entries[title]}/reload"
        await api.post(path, {})
    reports = await asyncio.gather(*runs)
    assert [report["status"] for report in reports] == ["ok"] * RUNS, reports
    said = await asyncio.gather(*turns)
    assert all(SAID in each for each in said), said
    await wait_for_hosts(api, "Nas")
    assert (await _run(api, name="Load"))["status"] == "ok"
    assert SAID in await _say(api, "Hello again")


async def test_restart_under_load_tells_of_the_run(
    home: RealHome, nas: WaiterProcess
) -> None:
    """A run that the restart cut short is cancelled, and everything is back."""
    begun = await _run(home.api, name="Night", wait=False)
    assert begun["status"] == "running", begun
    await home.restart()
    report = await _run(home.api, run_id=begun["run_id"])
    assert report["status"] == "cancelled", report
    state = as_object(
        await home.api.get("/api/states/event.night_run_finished"), "a state"
    )
    told = as_object(state["attributes"], "its attributes")
    assert (told["run_id"], told["status"]) == (begun["run_id"], "cancelled"), told
    await wait_for_hosts(home.api, "Nas", seconds=90)
    assert (await _run(home.api, name="Load"))["status"] == "ok"
    assert SAID in await _say(home.api, "Hello")


async def test_upkeep_does_not_block(home: RealHome) -> None:
    """Diagnostics and system health read what lies in files."""
    for entry_id in (await _entries(home.api)).values():
        await home.api.get(f"/api/diagnostics/config_entry/{entry_id}")
    async with home.api.socket() as socket:
        await socket.command("system_health/info")


def test_nothing_blocked_and_nothing_complained(
    home: RealHome, nas: WaiterProcess
) -> None:
    """All of the above ran by now, two starts and a stop included."""
    log = home.log_text()
    blocked = [line for line in log.splitlines() if DETECTED in line]
    assert [line for line in blocked if "blocker" not in line] == []
    assert complaints(log) == []
