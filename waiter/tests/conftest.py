"""What the tests of the waiter share: cases, policies, and a host without a home."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from homeagent_waiter.gate import Plan, Policy, Refusal, decide
from homeagent_waiter.gate.grammars import GRAMMARS

CASES = Path(__file__).parent / "cases"
EVERYTHING = Policy(allowed=frozenset(GRAMMARS) | {"awk", "gawk"}, built_in=False)


def json_lines(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file of JSON lines."""
    return [json.loads(line) for line in (CASES / name).read_text().splitlines()]


def plain_lines(name: str) -> list[str]:
    """Return the cases of a file of plain lines, without comments."""
    lines = (CASES / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


def refused_lines() -> list[str]:
    """Return all lines that must be refused."""
    own = [line.split("\t", 1)[1] for line in plain_lines("own-refused.txt")]
    return [case["line"] for case in json_lines("commands-refused.jsonl")] + own


def accepted_lines() -> list[str]:
    """Return all lines that must be accepted."""
    given = [case["line"] for case in json_lines("commands-accepted.jsonl")]
    return [
        line
        for line in [*given, *plain_lines("own-accepted.txt")]
        if not line.startswith("awk ")
    ]


def code_of(line: str, policy: Policy = EVERYTHING) -> str:
    """Return the code of a refusal, or ``accepted``."""
    decision = decide(line, policy)
    return decision.code if isinstance(decision, Refusal) else "accepted"


def plan_of(line: str, policy: Policy = EVERYTHING) -> Plan:
    """Return the plan of a line that is accepted."""
    decision = decide(line, policy)
    assert isinstance(decision, Plan), decision
    return decision


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a home of its own, so that none reads or writes the real one."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for module in ("config_file", "commands.pair"):
        there = f"homeagent_waiter.{module}.SYSTEM_CONFIG"
        monkeypatch.setattr(there, folder / "etc/waiter.yaml")
    monkeypatch.setenv("STATE_DIRECTORY", str(folder / "state"))
    os.umask(0o022)
    return folder
