"""docs/hosts.md: what it names is there, and what is there it names."""

import re

import pytest

from custom_components.homeagent.hosts.pairing import LIFETIME, MOST_OPEN, MOST_TRIES
from custom_components.homeagent.hosts.protocol import Close
from custom_components.homeagent.kernel.contract import ToolDefinition
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools.host_definitions import (
    HOST_INFO,
    HOST_LIST,
    HOST_REPORT,
    HOST_RUN,
    REPORTS,
)
from homeagent_waiter.gate import Code, Policy, Refusal, decide
from homeagent_waiter.link_gate import REMOTE_CONTROL_OFF
from homeagent_waiter.link_reports import lines_of
from homeagent_waiter.link_words import trouble_text

from .markdown import Row, read, rows

TEXT = read("docs/hosts.md")
FLAT = " ".join(TEXT.split())


@pytest.mark.parametrize(
    "tool", [HOST_RUN, HOST_REPORT, HOST_LIST, HOST_INFO], ids=lambda tool: tool.name
)
def test_every_tool_stands_there_with_its_parameters(tool: ToolDefinition) -> None:
    parameters = tool.parameters["properties"]
    assert isinstance(parameters, dict)
    assert f"`{tool.name}({', '.join(parameters)})`" in TEXT


@pytest.mark.parametrize("kind", REPORTS)
def test_every_report_stands_there_with_its_command(kind: str) -> None:
    assert f"`{kind}`" in TEXT
    for line in lines_of(kind):
        assert f"`{line.split()[0]}`" in TEXT


@pytest.mark.parametrize(
    "code", [Close.BAD_KEY, Close.REVOKED, Close.DUPLICATE], ids=lambda code: code.name
)
def test_lines_of_the_log_stand_there_as_they_are(code: Close) -> None:
    said = trouble_text(code).removeprefix("not connected: ").partition(";")[0]
    assert f"| {said} |" in FLAT


def test_reasons_are_real_ones() -> None:
    table = TEXT.partition("| Reason | Means |")[2].partition("\n\n")[0]
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert len(named) == 5
    assert set(named) <= {reason.value for reason in Reason}


REFUSALS = [
    row
    for row in rows(TEXT)
    if len(row.cells) == 3 and {*row.spans(0)} & {*Code, REMOTE_CONTROL_OFF}
]


def test_every_code_of_a_refusal_stands_there() -> None:
    told = [row.spans(0)[0] for row in REFUSALS]
    assert sorted(told) == sorted([*Code, REMOTE_CONTROL_OFF])


@pytest.mark.parametrize(
    "row", [each for each in REFUSALS if each.spans(1)], ids=lambda row: row.cells[0]
)
def test_examples_of_refusals(row: Row) -> None:
    """The gate refuses the example with this code; some need a longer list."""
    (line,) = row.spans(1)
    allowed = Policy().allowed | {"ping", "mytool"}
    decided = decide(line, Policy(allowed=allowed, built_in=False))
    assert isinstance(decided, Refusal)
    assert decided.code == row.spans(0)[0]


def test_numbers_are_those_of_the_code() -> None:
    words = {3: "Three", 5: "five", 600.0: "ten minutes"}
    for number in (MOST_OPEN, MOST_TRIES, LIFETIME):
        assert words[number] in TEXT


def test_every_system_says_whether_it_was_tried() -> None:
    """Where it was not, the vendor's manual is named."""
    told = [row.cells for row in rows(TEXT) if row.heading == "Install the waiter"]
    assert len(told) == 7
    for system, _, tried in told:
        name = system.split(" ", 1)[0].strip(",")
        part = TEXT.partition(f"### {name}")[2] or TEXT.partition(f"and {name}\n")[2]
        assert tried
        if tried == "no":
            assert "manual](https://" in part.partition("\n###")[0], system
