"""docs/upkeep.md: its words are those that people see."""

import json
import re

import pytest

from .markdown import ROOT, read

TEXT = read("docs/upkeep.md")
WORDS = json.loads(
    (ROOT / "custom_components/homeagent/translations/en.json").read_text("utf-8")
)
OPTIONS: dict[str, str] = WORDS["options"]["step"]["kernel"]["menu_options"]
TOLD_ONLY = {"host_homeagent_outdated", "sequence_renamed"}
"""Issues that open nothing."""


@pytest.mark.parametrize("option", sorted(OPTIONS.values()))
def test_every_option_stands_there(option: str) -> None:
    assert f"| **{option}** |" in TEXT


@pytest.mark.parametrize("issue", sorted(WORDS["issues"].keys() - TOLD_ONLY))
def test_every_issue_that_opens_something_stands_there(issue: str) -> None:
    title = re.sub(r"\{\w+\}", "…", WORDS["issues"][issue]["title"])
    assert f"| {title} |" in TEXT


def test_issues_that_open_nothing() -> None:
    """Those that are told only, or only read, are known here."""
    for issue in TOLD_ONLY:
        words = WORDS["issues"][issue]
        assert "description" in words or "abort" not in words["fix_flow"]
