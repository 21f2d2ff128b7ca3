"""Hosts end to end: a real Home Assistant, real waiters, a real socket between them."""

import asyncio
from collections.abc import Callable, Mapping
import json
import os
from pathlib import Path
import signal

from demohome.api import HomeApi
from demohome.errors import HomeError
from demohome.jsonish import JsonObject, as_object, as_objects
from demohome.real_home import RealHome
from demohome.waiter_process import (
    FLOWS,
    WaiterProcess,
    add_host,
    kernel_entry,
    wait_for_hosts,
)
import psutil
import pytest

from .stalling_proxy import StallingProxy
from .waiters import connected


async def run(home: RealHome, command: str, host: str = "Nas") -> JsonObject:
    return await home.api.call_action(
        "homeagent.host_run", {"host": host, "command": command}
    )


def reason(answer: Mapping[str, object]) -> object:
    return as_object(answer["error"], "the error")["reason"]


def audited(waiter: WaiterProcess) -> list[JsonObject]:
    lines = waiter.audit_log.read_text("utf-8").splitlines()
    return [as_object(json.loads(line), "a line of the audit log") for line in lines]


async def test_command_runs_on_the_host(home: RealHome, nas: WaiterProcess) -> None:
    """What it wrote comes back, and the host's owner can look up who asked."""
    answer = await run(home, "uname -s | cat")
    assert (answer["stdout"], answer["exit_codes"]) == ("Linux\n", [0, 0])
    last = audited(nas)[-1]
    assert (last["line"], last["decision"]) == ("uname -s | cat", "accept")
    assert str(last["who"]).startswith("direct ")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("rm -rf /tmp/x", "not_allowed"),
        ("df; id", "line"),
        ("cat /etc/shadow", "secret"),
    ],
)
async def test_gate_of_the_host_refuses(
    home: RealHome, nas: WaiterProcess, command: str, code: str
) -> None:
    answer = await run(home, command)
    assert reason(answer) == "refused"
    assert str(as_object(answer["error"], "it")["detail"]).startswith(f"{code}:")
    state = await home.api.state("event.nas_refused_command")
    assert as_object(state["attributes"], "attributes")["code"] == code


async def test_own_secrets_cannot_be_read_through_it(
    home: RealHome, nas: WaiterProcess
) -> None:
    key = json.loads(nas.key_file.read_text())["key"]
    link = nas.folder / "link"
    link.symlink_to(nas.key_file)
    for command in (
        f"cat {nas.key_file}",
        f"grep -r key {nas.folder}",
        f"head {link}",
        f"cat {nas.folder}/state/../state/key",
        f"cat /proc/self/root{nas.key_file}",
        f"find {nas.folder} -type f",
        f"cat /proc/{nas.pid}/environ",
        "ps auxe",
    ):
        assert key not in str(await run(home, command)), command


async def test_host_tells_what_it_is(home: RealHome, nas: WaiterProcess) -> None:
    info = await home.api.call_action("homeagent.host_info", {"host": "Nas"})
    assert info["hostname"] == os.uname().nodename
    assert info["authorized"] is True
    assert "df" in str(info["commands"])
    state = await home.api.state("sensor.nas_memory_use")
    assert float(str(state["state"])) > 0


@pytest.mark.parametrize("kind", ["disks", "processes"])
async def test_report_needs_no_command(
    home: RealHome, nas: WaiterProcess, kind: str
) -> None:
    report = await home.api.call_action(
        "homeagent.host_report", {"host": "Nas", "kind": kind}
    )
    assert as_objects(report[kind], kind), report


async def test_report_of_what_is_not_allowed_says_what_to_list(
    home: RealHome, nas: WaiterProcess
) -> None:
    report = await home.api.call_action(
        "homeagent.host_report", {"host": "Nas", "kind": "containers"}
    )
    assert reason(report) == "failed"
    assert "docker ps -a: not in the list of commands" in str(report["error"])


async def test_waiter_that_is_killed_during_a_command(
    home: RealHome, nas: WaiterProcess
) -> None:
    """The call ends when the host is back without the result; nothing is left."""
    asked = asyncio.ensure_future(run(home, "sleep 14"))
    await _until_running("sleep", "14")
    nas.kill()
    nas.start()
    answer = await asked
    assert reason(answer) == "unavailable", answer
    assert (await run(home, "uname"))["exit_code"] == 0


async def test_home_that_restarts_during_a_command(
    home: RealHome, nas: WaiterProcess
) -> None:
    """The host comes back by itself; the command ran once."""
    before = len(audited(nas))
    asked = asyncio.ensure_future(run(home, "sleep 5"))
    await _until_running("sleep", "5")
    await home.stop()
    with pytest.raises(HomeError):
        await asked
    await home.start()
    await wait_for_hosts(home.api, "Nas", seconds=90)
    assert (await run(home, "uname"))["exit_code"] == 0
    # A line is written when its command has ended: Home Assistant may be back earlier.
    await until(lambda: len(audited(nas)) >= before + 2, 20)
    lines = [str(one["line"]) for one in audited(nas)[before:]]
    assert sorted(lines) == ["sleep 5", "uname"]


async def test_cancelled_call_ends_the_command(
    home: RealHome, nas: WaiterProcess
) -> None:
    """A sequence's group runs out of time: the command on the host ends with it."""
    group = {
        "name": "g",
        "timeout": "1s",
        "tools": '{"tool":"host_run","args":{"host":"Nas","command":"sleep 13"}} ;',
    }
    await home.api.call_action(
        "homeagent.seq_create", {"name": "Slow", "groups": [group]}
    )
    report = await home.api.call_action("homeagent.seq_run", {"name": "Slow"})
    assert report["status"] == "failed"
    await until(lambda: not running("sleep", "13"), 10)


async def test_black_hole_is_noticed_within_a_minute(
    home: RealHome, tmp_path: Path
) -> None:
    """The line swallows everything and closes nothing; both ends notice."""
    async with StallingProxy(home.url) as proxy:
        waiter = WaiterProcess(tmp_path, name="Far", url=proxy.url)
        async with connected(home.api, waiter):
            proxy.stall()
            loop = asyncio.get_running_loop()
            begin = loop.time()
            await _until_state(home.api, "binary_sensor.far_connected", "off")
            assert loop.time() - begin < 62
            await until(lambda: "not connected" in waiter.log.read_text(), 15)
            proxy.flow()
            await wait_for_hosts(home.api, "Far", seconds=90)


async def test_wrong_key_is_tried_rarely_and_bans_nobody(
    home: RealHome, tmp_path: Path
) -> None:
    async with StallingProxy(home.url) as proxy:
        waiter = WaiterProcess(tmp_path, name="Wrong", url=proxy.url)
        await add_host(home.api, waiter)
        held = json.loads(waiter.key_file.read_text())
        held["key"] = "A" * 43 + "="
        waiter.key_file.write_text(json.dumps(held))
        before = proxy.connections
        waiter.start()
        try:
            await until(lambda: "pair it again" in waiter.log.read_text(), 30)
            # After any other trouble it tries again within a second.
            await asyncio.sleep(2)
            assert proxy.connections == before + 1
            assert "invalid authentication" not in home.log_text()
            assert "host_wrong_key" in str(await issues(home.api))
        finally:
            waiter.kill()


async def test_revoked_host_is_sent_away_at_once(
    home: RealHome, tmp_path: Path
) -> None:
    waiter = WaiterProcess(tmp_path, name="Gone", url=home.url)
    async with connected(home.api, waiter):
        await revoke(home.api, "Gone")
        await until(lambda: "was revoked" in waiter.log.read_text(), 10)
        assert reason(await run(home, "uname", host="Gone")) == "unavailable"


async def test_two_waiters_with_one_key(home: RealHome, tmp_path: Path) -> None:
    """The second one is refused and told so; the first one never notices."""
    first = WaiterProcess(tmp_path / "a", name="Twin", url=home.url)
    second = WaiterProcess(tmp_path / "b", name="Twin", url=home.url)
    await add_host(home.api, first)
    second.key_file.parent.mkdir(parents=True)
    second.key_file.write_bytes(first.key_file.read_bytes())
    second.key_file.chmod(0o600)
    first.start()
    try:
        await wait_for_hosts(home.api, "Twin")
        second.start()
        await until(lambda: "another waiter" in second.log.read_text(), 30)
        assert "not connected" not in first.log.read_text()
        assert (await run(home, "uname", host="Twin"))["exit_code"] == 0
        assert "host_duplicate" in str(await issues(home.api))
    finally:
        first.kill()
        second.kill()


async def test_configuration_is_read_anew(home: RealHome, tmp_path: Path) -> None:
    """SIGHUP takes a good file; a bad one changes nothing."""
    waiter = WaiterProcess(tmp_path, name="Shut", url=home.url)
    waiter.configure({"url": home.url})
    async with connected(home.api, waiter):
        answer = await run(home, "uname", host="Shut")
        assert "remote_control_off" in str(answer["error"])
        waiter.configure({"url": home.url, "device_authorized": "perhaps"})
        waiter.signal(signal.SIGHUP)
        await until(lambda: "the last one stays" in waiter.log.read_text(), 10)
        assert reason(await run(home, "uname", host="Shut")) == "refused"
        waiter.configure({"url": home.url, "device_authorized": True})
        waiter.signal(signal.SIGHUP)
        await until(lambda: "remote control is on" in waiter.log.read_text(), 10)
        assert (await run(home, "uname", host="Shut"))["exit_code"] == 0
        assert await waiter.stop() == 0


async def revoke(api: HomeApi, title: str) -> None:
    """Do in the UI what revokes a host's key."""
    entry_id = await kernel_entry(api)
    async with api.socket() as socket:
        listed = await socket.command(
            "config_entries/subentries/list", entry_id=entry_id
        )
    (subentry_id,) = [
        one["subentry_id"]
        for one in as_objects(listed, "the subentries")
        if one["title"] == title
    ]
    flow = as_object(
        await api.post(
            FLOWS, {"handler": [entry_id, "host"], "subentry_id": subentry_id}
        ),
        "a dialog",
    )
    path = f"{FLOWS}/{flow['flow_id']}"
    await api.post(path, {"next_step_id": "revoke"})
    ended = as_object(await api.post(path, {}), "a dialog")
    assert ended["reason"] == "host_revoked", ended


async def issues(api: HomeApi) -> object:
    async with api.socket() as socket:
        return await socket.command("repairs/list_issues")


def running(*words: str) -> bool:
    """Whether any process has this command line."""
    return any(
        process.info["cmdline"] == list(words)
        for process in psutil.process_iter(["cmdline"])
    )


async def _until_running(*words: str) -> None:
    await until(lambda: running(*words), 20)


async def _until_state(api: HomeApi, entity_id: str, state: str) -> None:
    async with asyncio.timeout(90):
        while (await api.state(entity_id))["state"] != state:  # noqa: ASYNC110
            await asyncio.sleep(0.2)


async def until(true: Callable[[], bool], seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
