"""Texts with their right outcomes: whether they check, and what the errors name."""

import json
from pathlib import Path
from typing import Any

import pytest

from .texts import check

CASES = json.loads(
    (Path(__file__).parents[1] / "cases" / "sequence-check.json").read_text("utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    """The text checks or not, and the errors contain the words."""
    errors = check(case["text"]).errors
    assert (not errors) is case["ok"], [each.as_dict() for each in errors]
    words = "\n".join(f"{each.message}\n{each.hint}" for each in errors)
    assert [name for name in case["error_names"] if name not in words] == []
