"""All cases of the design through the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Ran, Seq, Write

FOLDER = Path(__file__).parents[1] / "cases"
CHECKS = json.loads((FOLDER / "sequence-check.json").read_text("utf-8"))
RUNS = json.loads((FOLDER / "sequence-run.json").read_text("utf-8"))


def case_id(case: dict[str, Any]) -> str:
    return str(case["id"])


@pytest.mark.parametrize("case", CHECKS, ids=case_id)
def test_check(case: dict[str, Any], seq: Seq) -> None:
    """`check` tells whether the text is right, and its errors contain the words."""
    ran = seq("check", "-", "--json", stdin=case["text"].encode())
    assert (ran.code, ran.answer["ok"]) == (0 if case["ok"] else 1, case["ok"])
    words = "\n".join(f"{each['message']} {each['hint']}" for each in errors(ran))
    assert [name for name in case["error_names"] if name not in words] == []


@pytest.mark.parametrize("case", CHECKS, ids=case_id)
def test_check_for_people(case: dict[str, Any], seq: Seq) -> None:
    """Without --json the same is told, every error with its code."""
    ran = seq("check", "-", stdin=case["text"].encode())
    assert ran.code == (0 if case["ok"] else 1)
    told = errors(seq("check", "-", "--json", stdin=case["text"].encode()))
    assert [each for each in told if f"error: {each['message']} [" not in ran.out] == []


@pytest.mark.parametrize("case", CHECKS, ids=case_id)
def test_format(case: dict[str, Any], seq: Seq) -> None:
    """`format` writes what is right, in a form that it leaves alone."""
    ran = seq("format", "-", stdin=case["text"].encode())
    assert ran.code == (0 if case["ok"] else 1)
    assert bool(ran.out) is case["ok"]
    if case["ok"]:
        assert seq("format", "-", "--check", stdin=ran.out.encode()).code == 0


@pytest.mark.parametrize("case", RUNS, ids=case_id)
def test_run(case: dict[str, Any], seq: Seq, write: Write) -> None:
    """`run` gives the result that the case expects."""
    write("tools.json", json.dumps(case["tools"]))
    ran = seq(
        *("run", "-", "--args", json.dumps(case["args"]), "--tools", "tools.json"),
        "--json",
        stdin=case["text"].encode(),
    )
    answer, expect = ran.answer, case["expect"]
    assert answer["status"] == expect["status"]
    assert ran.code == (0 if answer["success"] else 1)
    assert answer["out"] == expect.get("out", answer["out"])
    parallel = {each["name"]: each["parallel"] for each in answer["groups"]}
    assert parallel | expect.get("parallel", {}) == parallel
    assert answer["calls"] | expect.get("calls", {}) == answer["calls"]
    assert expect.get("reason", "") in [*reasons(answer), ""]
    assert answer["duration"] * 1000 <= expect.get("max_ms", float("inf"))


def errors(ran: Ran) -> list[dict[str, Any]]:
    return list(ran.answer["errors"])


def reasons(answer: dict[str, Any]) -> list[str]:
    """Return the reasons of all errors, those of nested runs included."""
    found = [each["reason"] for each in answer["errors"]]
    for group in answer["groups"]:
        for tool in group["tools"]:
            found += [tool["error"]["reason"]] if tool["error"] else []
            found += reasons(tool["run"]) if tool["run"] else []
    return found
