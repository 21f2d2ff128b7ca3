"""What came of a run: a frozen tree, and its JSON form (page 2 §2.4).

Data of the engine; imports the kernel only. The words for people are in `summary`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Final

from ..kernel.contract import Agreed
from ..kernel.errors import ToolError
from ..kernel.json_values import to_json_value, well_formed
from ..kernel.records import record


class Status(StrEnum):
    """How a run, a group or a tool ended.

    A run is ok, partial, failed or cancelled; a group also skipped, passed_by or
    not_run; a tool is ok, failed, skipped, missing, degraded, not_run or cancelled.
    """

    OK = "ok"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"
    PASSED_BY = "passed_by"
    NOT_RUN = "not_run"
    MISSING = "missing"
    DEGRADED = "degraded"


RUN_STATUSES: Final = (Status.OK, Status.PARTIAL, Status.FAILED, Status.CANCELLED)
"""How a whole run can end."""


@record
class PlacedError:
    """An error that belongs to no tool: to the run, or to one group of it."""

    error: ToolError
    group: str | None = None


@record
class ToolReport:
    """One entry of a group. `duration` (seconds) and `attempts` count the calls made."""

    index: int
    tool: str
    status: Status
    error: ToolError | None = None
    warnings: tuple[str, ...] = ()
    attempts: int = 0
    duration: float = 0.0
    run: RunReport | None = None


@record
class GroupReport:
    """One group. `parallel` is null where it was never decided, as no tool was called."""

    name: str
    status: Status
    why: str | None = None
    parallel: bool | None = None
    parallel_why: str | None = None
    duration: float = 0.0
    tools: tuple[ToolReport, ...] = ()


@record
class RunReport:
    """A whole run, or what a call by name ran. `out` is `{group: {slot: value}}`.

    `group` names the one group that was called, if it was a group. `asks` are the calls
    that a person must agree to before it can run; nothing has run then.
    """

    run_id: str
    sequence: str
    status: Status
    duration: float = 0.0
    errors: tuple[PlacedError, ...] = ()
    groups: tuple[GroupReport, ...] = ()
    out: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    group: str | None = None
    asks: frozenset[Agreed] = frozenset()

    @property
    def success(self) -> bool:
        """Whether the run came to its end, maybe without some of its tools."""
        return self.status in {Status.OK, Status.PARTIAL}

    @property
    def skipped(self) -> bool:
        """Whether it is a call of one group whose `when` was false."""
        return self.group is not None and self.groups[0].status is Status.SKIPPED

    @property
    def value(self) -> Mapping[str, object]:
        """What a call by name gives: the slots of the group, or all slots by group."""
        return self.out if self.group is None else self.out.get(self.group, {})

    @property
    def name(self) -> str:
        """What was run, as a call names it."""
        whole = self.group is None
        return f"#{self.sequence}" if whole else f"#{self.sequence}/{self.group}"

    @property
    def text(self) -> str:
        """The run in words, with everything that is not plainly ok."""
        from .summary import summarize  # which needs this module's types

        return summarize(self)

    def tool_errors(self) -> Iterator[ToolError]:
        """All errors of the run, those of tools and of nested runs included."""
        yield from (placed.error for placed in self.errors)
        for group in self.groups:
            for tool in group.tools:
                if tool.error is not None:
                    yield tool.error
                if tool.run is not None:
                    yield from tool.run.tool_errors()

    def masked(self) -> RunReport:
        """Return the report as those see it who do not see everything (page 1 §1.1)."""
        from .report_masking import masked  # which needs this module's types

        return masked(self)

    def as_dict(self) -> dict[str, object]:
        """Return the JSON object of the run: every key, in the order of page 2 §2.4.

        It is JSON whatever tools said, and shares no container with the report.
        """
        return {
            "run_id": self.run_id,
            "sequence": well_formed(self.sequence),
            "status": self.status.value,
            "success": self.success,
            "duration": _seconds(self.duration),
            "errors": [_placed(placed) for placed in self.errors],
            "groups": [_group(group) for group in self.groups],
            "out": to_json_value(self.out),
            "text": well_formed(self.text),
        }


@record
class NotCalled:
    """What a call by name leaves that was not made: its `when` was false."""

    why: str


def _group(group: GroupReport) -> dict[str, object]:
    return {
        "name": well_formed(group.name),
        "status": group.status.value,
        "why": _text(group.why),
        "parallel": group.parallel,
        "parallel_why": _text(group.parallel_why),
        "duration": _seconds(group.duration),
        "tools": [_tool(tool) for tool in group.tools],
    }


def _tool(tool: ToolReport) -> dict[str, object]:
    return {
        "index": tool.index,
        "tool": well_formed(tool.tool),
        "status": tool.status.value,
        "error": None if tool.error is None else error_dict(tool.error),
        "warnings": [well_formed(warning) for warning in tool.warnings],
        "attempts": tool.attempts,
        "duration": _seconds(tool.duration),
        "run": None if tool.run is None else tool.run.as_dict(),
    }


def _placed(placed: PlacedError) -> dict[str, object]:
    data = error_dict(placed.error)
    if placed.group is not None:
        data["group"] = well_formed(placed.group)
    return data


def error_dict(error: ToolError) -> dict[str, object]:
    """Return a ToolError with all four keys; what is seldom there only where it is."""
    data: dict[str, object] = {
        "reason": error.reason.value,
        "field": _text(error.field),
        "detail": well_formed(error.detail),
        "hint": well_formed(error.hint),
    }
    if error.still_running:
        data["still_running"] = True
    if error.also:
        data["also"] = [error_dict(other) for other in error.also]
    return data


def _text(text: str | None) -> str | None:
    return None if text is None else well_formed(text)


def _seconds(duration: float) -> float:
    return round(duration, 6)
