"""Requests that came over the link: judged, run, recorded; and the fixed reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from homeagent_waiter.audit import AuditLog
from homeagent_waiter.config import Config
from homeagent_waiter.gate import Policy
from homeagent_waiter.link_facts import about_host, host_name
from homeagent_waiter.link_gate import Gate
from homeagent_waiter.link_reports import disk_names, lines_of, report
from homeagent_waiter.link_work import Answer, Request

URL = "http://home.example:8123"


def gate(folder: Path, **options: Any) -> Gate:
    config = Config(url=URL, **{"device_authorized": True, **options})
    log = AuditLog(folder, size=1024 * 1024, files=2)
    return Gate(config=config, policy=Policy.from_config(config), log=log)


def request(command: str = "", **more: Any) -> Request:
    fields: dict[str, Any] = {"report": None, "timeout": None, "who": "direct Ada"}
    return Request(id="r1", command=command, **{**fields, **more})


def records(folder: Path) -> list[dict[str, Any]]:
    path = folder / "audit.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_command_runs_and_is_recorded(tmp_path: Path) -> None:
    answer: Any = await gate(tmp_path).answer(request("echo hello | cat"))
    outcome = answer["outcome"]
    assert (outcome["stdout"], outcome["exit_codes"]) == ("hello\n", [0, 0])
    (record,) = records(tmp_path)
    assert (record["line"], record["decision"]) == ("echo hello | cat", "accept")
    assert (record["who"], record["request"]) == ("direct Ada", "r1")


@pytest.mark.parametrize(
    ("line", "options", "stage", "code"),
    [
        ("rm x", {}, "first_word", "not_allowed"),
        ("df; id", {}, "lexer", "line"),
        ("cat /etc/shadow", {}, "values", "secret"),
        ("df", {"device_cmd_allowlist": ["ls"]}, "first_word", "not_allowed"),
        ("df", {"device_authorized": False}, "", "remote_control_off"),
    ],
)
async def test_refusal_says_which_stage(
    tmp_path: Path, line: str, options: dict[str, Any], stage: str, code: str
) -> None:
    """That remote control is off is never mistaken for a name that is not listed."""
    answer: Any = await gate(tmp_path, **options).answer(request(line))
    refusal = answer["refusal"]
    assert (refusal["stage"], refusal["code"]) == (stage, code)
    assert refusal["hint"]
    assert [one["code"] for one in records(tmp_path)] == [code]


@pytest.mark.parametrize(("seconds", "good"), [(15, True), (15.5, False), (-1, False)])
async def test_timeout_is_within_the_hosts_own(
    tmp_path: Path, seconds: float, good: bool
) -> None:
    answer: Any = await gate(tmp_path).answer(request("echo x", timeout=seconds))
    assert ("outcome" in answer) is good
    if not good:
        assert answer["error"]["code"] == "timeout"


async def test_what_cannot_be_recorded_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "audit.jsonl").mkdir()
    answer: Any = await gate(tmp_path).answer(request("echo secret"))
    assert answer["error"]["code"] == "no_audit"
    assert "secret" not in str(answer)


async def test_program_that_is_not_there(tmp_path: Path) -> None:
    allowed = gate(tmp_path, device_cmd_allowlist=["zpool"])
    answer: Any = await allowed.answer(request("zpool status"))
    assert answer["error"]["code"] == "not_installed"


@pytest.mark.parametrize("kind", ["disks", "processes"])
async def test_report_without_a_command(tmp_path: Path, kind: str) -> None:
    """It needs nothing of the list, only that the owner allows remote control."""
    answer: Any = await report(request(report=kind), gate(tmp_path).answer)
    assert isinstance(answer["report"][kind], list)


async def test_report_goes_through_the_gate(tmp_path: Path) -> None:
    """What the owner did not list is named, and not read."""
    answer: Any = await report(request(report="services"), gate(tmp_path).answer)
    assert answer["error"]["code"] == "no_source"
    assert "not in the list" in answer["error"]["detail"]
    assert [one["code"] for one in records(tmp_path)] == ["not_allowed"]


@pytest.mark.parametrize("kind", ["raid", "services", "errors", "containers", "smart"])
async def test_remote_control_that_is_off_ends_every_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("homeagent_waiter.link_reports.disk_names", lambda: ["sda"])
    off = gate(tmp_path, device_authorized=False)
    answer: Any = await report(request(report=kind), off.answer)
    assert answer["refusal"]["code"] == "remote_control_off"


async def test_errors_are_read_from_the_first_source_that_has_them() -> None:
    async def run(asked: Request) -> Answer:
        if str(asked.command).startswith("journalctl"):
            return {"refusal": {"code": "not_allowed"}}
        return {"outcome": {"stdout": "bad disk", "stderr": "", "exit_code": 0}}

    answer: Any = await report(request(report="errors"), run)
    told = answer["report"]
    assert [part["text"] for part in told["parts"]] == ["bad disk"]
    assert "journalctl" in told["missing"][0]


def test_lines_of_reports_pass_the_gate() -> None:
    """With everything listed, no fixed line is refused for what it is."""
    from conftest import code_of

    lines = [line for kind in ("raid", "services", "errors") for line in lines_of(kind)]
    lines += [*lines_of("containers"), "smartctl -n standby -H -A /dev/sda"]
    assert {line: code_of(line) for line in lines} == dict.fromkeys(lines, "accepted")


def test_disks_are_found_by_name(tmp_path: Path) -> None:
    for name in ("sda", "sdab", "nvme0n1", "loop0", "dm-0", "sr0", "sda1", "md127"):
        (tmp_path / name).mkdir()
    assert disk_names(tmp_path) == ["nvme0n1", "sda", "sdab"]
    assert disk_names(tmp_path / "none") == []


def test_host_tells_what_it_allows_and_nothing_secret(tmp_path: Path) -> None:
    config = Config(
        url=URL,
        key_file=tmp_path / "key",
        name="Shelf",
        device_cmd_allowlist=["ls", "df"],
        device_cmd_unchecked=["mytool"],
    )
    about: Any = about_host(config, Policy.from_config(config))
    assert (about["commands"], about["commands_built_in"]) == (["df", "ls"], False)
    assert about["unchecked"] == ["mytool"]
    assert set(about["implementations"]) == {"ls", "df", "mytool"}
    assert str(tmp_path) not in json.dumps(about)
    assert host_name(config) == "Shelf"
