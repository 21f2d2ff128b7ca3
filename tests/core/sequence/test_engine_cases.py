"""The cases of the design: what is run, and what must come of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from custom_components.homeagent.sequence.document import parse_sequence

from ..virtual_time import run_virtual
from .engine_home import ANYONE, Home

CASES = json.loads(
    (Path(__file__).parents[1] / "cases" / "sequence-run.json").read_text("utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    """The result shows what the case expects."""
    home = Home(case["tools"])
    parsed = parse_sequence(case["text"])
    assert parsed.sequence is not None, parsed.errors
    report = run_virtual(home.engine.run(parsed.sequence, case["args"], ANYONE))
    expect = case["expect"]
    assert report.status == expect["status"]
    assert report.as_dict()["out"] == expect.get("out", report.out)
    for name, parallel in expect.get("parallel", {}).items():
        assert {each.name: each.parallel for each in report.groups}[name] is parallel
    for name, times in expect.get("calls", {}).items():
        assert home.calls(name) == times
    if "reason" in expect:
        assert expect["reason"] in [each.reason for each in report.tool_errors()]
    assert report.duration * 1000 <= expect.get("max_ms", report.duration * 1000)
