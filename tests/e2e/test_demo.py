"""The demo: its result for machines, its report for people, its home to look at."""

import asyncio
import json
from pathlib import Path
import re
import urllib.request

from demohome.api import HomeApi
from demohome.jsonish import JsonObject, as_number, as_object, as_objects
from demohome.onboarding import Owner, log_in
from demohome.show import overlap
import pytest

from .demo_process import DemoProcess
from .traces import left_behind


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def output(folder: Path) -> str:
    """What `demo --json` prints."""
    with DemoProcess(folder, "--json") as demo:
        assert demo.wait() == 0, demo.text
    assert left_behind(folder) == []
    return demo.text


@pytest.fixture(scope="module")
def result(output: str) -> JsonObject:
    return as_object(json.loads(output.splitlines()[-1]), "the last line")


def test_result_for_machines(result: JsonObject) -> None:
    assert list(result) == ["status", "report", "seconds", "ha_version"]
    assert result["status"] == "ok"
    assert as_object(result["report"], "the report")["status"] == "ok"
    assert as_number(result["seconds"], "seconds") > 0
    assert re.fullmatch(r"\d{4}\.\d+\..+", str(result["ha_version"]))


def test_group_runs_at_the_same_time(result: JsonObject) -> None:
    report = as_object(result["report"], "the report")
    group = as_objects(report["groups"], "the groups")[0]
    assert group["parallel"] is True
    assert len(as_objects(group["tools"], "the tools")) >= 4
    spent, duration = overlap(group)
    assert spent > 1.5 * duration


def test_report_for_people(output: str, result: JsonObject) -> None:
    """Bars overlap, values stand there, the bad sequence shows all of its errors."""
    report = as_object(result["report"], "the report")
    bars = re.findall(r"\| *=+ *\|", output)
    assert sum(bar.startswith("|===") for bar in bars) >= 4
    assert f"in {as_number(report['duration'], 'duration'):.2f} s" in output
    assert "Tomorrow: cloudy, up to 9" in output
    assert "Worktop: off" in output
    for slip in ("brightnes", "tomorow", "Say it"):
        assert slip in output.partition("is refused")[2]


def test_three_hosts_are_inspected_at_the_same_time(output: str) -> None:
    told = output.partition("Pairing three waiters")[2]
    assert "巡检三节点: ok" in told
    assert "巡检全部: 3 hosts, at the same time" in told
    for name in ("nas", "router", "pi"):
        assert re.search(rf"{name}: .*load average", told)
    assert told.count("COMMAND") == 3


def test_served_home_can_be_entered_and_restarted(folder: Path) -> None:
    with DemoProcess(folder, "--serve") as demo:
        demo.wait_for("Ctrl-C stops it")
        page = printed(demo, r"HomeAgent +(http://127\.0\.0\.1:\d+/config/\S+)")
        assert page.endswith("/integration/homeagent")
        with urllib.request.urlopen(page, timeout=30) as answer:
            assert "<title>Home Assistant</title>" in answer.read().decode()

        asyncio.run(ask_for_restart(demo))
        demo.wait_for("Starting again")
        demo.press_ctrl_c()
        assert demo.wait() == 130, demo.text
    assert left_behind(folder) == []


async def ask_for_restart(demo: DemoProcess) -> None:
    """Log in with what the demo printed, and restart Home Assistant."""
    user = printed(demo, r"user +(\S+)")
    password = printed(demo, r"password +(\S+)")
    async with HomeApi(printed(demo, r"goes on at +(\S+)")) as api:
        await log_in(api, Owner(username=user, password=password))
        await api.do_action("homeassistant.restart", {})


def printed(demo: DemoProcess, pattern: str) -> str:
    found = re.search(pattern, demo.text)
    assert found, demo.text
    return found[1]
