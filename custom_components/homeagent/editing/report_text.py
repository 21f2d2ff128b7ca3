"""The report of a run, for the person who started it in the editor.

Above `error_text`; pure. Groups and calls have their names and count from 1, as in the
forms. Whatever came out of tools is data and cannot become markup.
"""

from collections.abc import Iterator
import json
from typing import Final

from ..kernel.contract import ToolResult
from ..kernel.json_values import to_json_value
from ..kernel.time_text import seconds_text
from ..sequence.report import GroupReport, RunReport, Status, ToolReport
from .error_text import error_lines, text_for_people
from .markdown import alert, code_block, escaped
from .wording import Wording

_KINDS: Final = {
    Status.OK: "tip",
    Status.PARTIAL: "warning",
    Status.FAILED: "caution",
    Status.CANCELLED: "caution",
}
"""The box in which a run's status is told."""

UNTOUCHED: Final = frozenset({Status.NOT_RUN, Status.PASSED_BY, Status.SKIPPED})
"""Of groups that did not run their calls have nothing to tell."""

_NO_ORDER: Final = frozenset({"one_call", "nothing_called"})

_IN_DETAIL: Final = frozenset({"call_failed", "went_without"})
"""Phrases that put a nested report into one sentence; it is shown itself instead."""


def result_markdown(result: ToolResult, wording: Wording) -> str:
    """Return what came of `seq_run`: the report, or why there is none."""
    if isinstance(result.nested, RunReport):
        return report_markdown(result.nested, wording)
    error = result.error
    lines = [] if error is None else list(error_lines(error, wording))
    title = "status_ok" if error is None else "status_failed"
    kind = "tip" if error is None else "caution"
    return alert(kind, escaped(wording(title)), list(map(escaped, lines)))


def failed_lines(result: ToolResult, wording: Wording) -> Iterator[str]:
    """Yield why a call failed, as plain text; of a run each thing that went wrong."""
    lines: list[str] = []
    if isinstance(result.nested, RunReport):
        lines += _failures(result.nested, wording)
    if not lines and result.error is not None:
        lines += error_lines(result.error, wording, reason_told=True)
    yield from dict.fromkeys(lines)


def _failures(report: RunReport, wording: Wording) -> Iterator[str]:
    yield from told_errors(report, wording)
    for group in report.groups:
        for tool in group.tools:
            if tool.error is not None and not _is_detailed(tool.error.detail, tool):
                for line in error_lines(tool.error, wording):
                    place = f"{group.name}, {tool.tool}"
                    yield wording.filled("at_field", {"field": place, "text": line})
            if tool.run is not None:
                yield from _failures(tool.run, wording)


def report_markdown(report: RunReport, wording: Wording) -> str:
    """Return a report as a box with its status, and lines for each group and call."""
    title = wording(
        "ran",
        status=status_text(report.status, wording),
        seconds=seconds_text(report.duration),
    )
    errors = [escaped(line) for line in told_errors(report, wording)]
    blocks = [alert(_KINDS[report.status], escaped(title), errors)]
    blocks += [_group(group, wording) for group in report.groups]
    if any(report.out.values()):
        told = json.dumps(to_json_value(report.out), ensure_ascii=False, indent=2)
        blocks.append(code_block(told, "json"))
    return "\n\n".join(blocks)


def status_text(status: Status, wording: Wording) -> str:
    """Return the word for the status of a run, a group or a call."""
    return wording(f"status_{status}")


def told_errors(report: RunReport, wording: Wording) -> Iterator[str]:
    """Yield what belongs to no call: the run's own errors, and those of groups."""
    for placed in report.errors:
        for line in error_lines(placed.error, wording):
            named = {"field": str(placed.group), "text": line}
            yield line if placed.group is None else wording.filled("at_field", named)


def _group(group: GroupReport, wording: Wording) -> str:
    told = status_text(group.status, wording)
    if group.why is not None:
        told = wording.filled("because", {"text": told, "why": group.why})
    lines = [_named(f"**{escaped(group.name)}**", escaped(told), wording)]
    why = group.parallel_why
    # One call has no order, even where more are written and their tools are gone.
    if len(group.tools) > 1 and why and getattr(why, "code", "") not in _NO_ORDER:
        in_order = wording("in_order", why=wording.say(why))
        lines.append(f"- {escaped(in_order)}")
    for tool in () if group.status in UNTOUCHED else group.tools:
        lines += _call(tool, wording)
    return "\n".join(lines)


def _call(tool: ToolReport, wording: Wording) -> Iterator[str]:
    """Yield an item for a call; what is wrong with it, or to mind, below it."""
    place = f"{tool.index + 1}. {tool.tool}"
    if tool.run is not None:
        place = f"{place} {tool.run.name}"
    status = status_text(tool.status, wording)
    if tool.attempts > 1:
        tries = {"text": status, "count": str(tool.attempts)}
        status = wording.filled("after_attempts", tries)
    yield f"- {_named(escaped(place), escaped(status), wording)}"
    yield from (f"  - {escaped(line)}" for line in about_call(tool, wording))
    if tool.run is not None and tool.run.status is not Status.OK:
        yield from _nested(tool.run, wording)


def _named(name: str, text: str, wording: Wording) -> str:
    """Return Markdown with a name in front of it."""
    return wording.said["at_field"].format_map({"field": name, "text": text})


def about_call(tool: ToolReport, wording: Wording) -> Iterator[str]:
    """Yield what is wrong with a call, or to mind; a nested report tells its own."""
    if tool.error is not None and not _is_detailed(tool.error.detail, tool):
        yield from error_lines(tool.error, wording)
    for warning in tool.warnings:
        if not _is_detailed(warning, tool):
            yield text_for_people(warning, wording)


def _is_detailed(text: str, tool: ToolReport) -> bool:
    """Whether the nested report itself tells what a text puts into one sentence."""
    return tool.run is not None and getattr(text, "code", "") in _IN_DETAIL


def _nested(run: RunReport, wording: Wording) -> Iterator[str]:
    """Yield the report of what a call by name ran, one level further in."""
    for line in told_errors(run, wording):
        yield f"  - {escaped(line)}"
    for group in run.groups:
        head, *rows = _group(group, wording).split("\n")
        yield f"  - {head}"
        yield from (f"    {row}" for row in rows)
