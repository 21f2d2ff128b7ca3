"""Refusals in the log, once a minute (page 3 §3.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from custom_components.homeagent.access.refusal_log import (
    LONGEST_LINE,
    QUIET,
    REMEMBERED,
    RefusalJournal,
    RefusalLog,
)
from custom_components.homeagent.kernel.contract import (
    Caller,
    Entrance,
    ToolCall,
    ToolResult,
)
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.journal import CallRecord

ANNA = Caller(entrance=Entrance.MCP, user_id="anna")


@dataclass
class Written:
    """A clock and a log."""

    now: float = 0.0
    lines: list[str] = field(default_factory=list)
    log: RefusalLog = field(init=False)

    def __post_init__(self) -> None:
        """Put them together."""
        self.log = RefusalLog(now=lambda: self.now, write=self.lines.append)


@pytest.mark.parametrize(
    ("seconds", "caller", "tool", "told"),
    [
        (0.0, ANNA, "a", False),
        (QUIET - 1, ANNA, "a", False),
        (QUIET, ANNA, "a", True),
        (0.0, ANNA, "b", True),
        (0.0, replace(ANNA, user_id="ben"), "a", True),
        (0.0, replace(ANNA, device_id="d"), "a", True),
        (0.0, replace(ANNA, entrance=Entrance.DIRECT), "a", True),
        (0.0, replace(ANNA, context="another"), "a", False),
    ],
)
def test_once_a_minute(seconds: float, caller: Caller, tool: str, told: bool) -> None:
    """For each caller and tool."""
    written = Written()
    written.log.refused(ANNA, "a", "no rule")
    written.now = seconds
    assert written.log.refused(caller, tool, "no rule") is told
    assert len(written.lines) == 1 + told
    assert written.lines[0] == "Refused a to user anna (mcp): no rule"


def test_memory_is_bounded() -> None:
    """The oldest is forgotten."""
    written = Written()
    for number in range(REMEMBERED + 1):
        written.log.refused(ANNA, f"t{number}", "")
    assert not written.log.refused(ANNA, "t1", "")
    assert written.log.refused(ANNA, "t0", "")


def test_journal_tells_refusals_and_passes_all_on() -> None:
    """Other failures are none of its business."""
    written = Written()
    passed: list[str] = []

    class Next:
        """The next journal."""

        def batch_ended(self, records: Sequence[CallRecord]) -> None:
            """Note it."""
            passed.extend(record.call.tool for record in records)

    journal = RefusalJournal(Next(), written.log)
    records: list[CallRecord] = []
    for tool, reason in (("a", Reason.UNAUTHORIZED), ("b", Reason.FAILED), ("c", None)):
        error = None if reason is None else ToolError(reason=reason, detail="why")
        result = ToolResult(call_id="", tool=tool, error=error)
        call = ToolCall(tool=tool, arguments={"code": "1234"})
        records.append(
            CallRecord(
                batch_id="b",
                index=0,
                caller=ANNA,
                call=call,
                result=result,
                parallel=False,
                why="",
            )
        )
    journal.batch_ended(records)
    assert written.lines == ["Refused a to user anna (mcp): why"]
    assert passed == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ("no\nRefused b", "no\\nRefused b"),
        ("no\r\x1b[31m\u2028", "no\\r\\x1b[31m\\u2028"),
        ("\ud800 größe 灯", "\\ud800 größe 灯"),
        pytest.param(
            "x" * 2000,
            "x" * (LONGEST_LINE - 30) + f"… ({2030 - LONGEST_LINE} more characters)",
            id="long",
        ),
    ],
)
def test_one_refusal_is_one_line(detail: str, told: str) -> None:
    """Whatever a caller writes: no control characters, no end without end."""
    written = Written()
    written.log.refused(ANNA, "a", detail)
    assert written.lines == [f"Refused a to user anna (mcp): {told}"]
