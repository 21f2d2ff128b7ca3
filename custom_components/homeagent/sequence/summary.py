"""A run in words, for models and people: short where all is well, complete where not.

Imports the kernel and the report's types. Nothing is cut here: the kernel cuts a text
that is too long for a model, with a marker.
"""

from collections.abc import Iterator

from ..kernel.errors import Reason, ToolError
from ..kernel.phrases import Phrase
from ..kernel.rendering import render_value
from ..kernel.time_text import seconds_text
from .report import GroupReport, RunReport, Status, ToolReport
from .run_words import say

_UNTOUCHED = frozenset({Status.NOT_RUN, Status.PASSED_BY, Status.SKIPPED})


def summarize(report: RunReport) -> str:
    """Return one line for the run, one per group, and one for each thing amiss."""
    head = f"{report.name[1:]}: {report.status} in {seconds_text(report.duration)} s"
    lines = [head, *body_lines(report)]
    if any(report.out.values()):
        lines.append(f"out: {render_value(report.out)}")
    return "\n".join(lines)


def body_lines(report: RunReport) -> Iterator[str]:
    """Return the lines below the head, without the values."""
    for placed in report.errors:
        where = "" if placed.group is None else f" in {placed.group}"
        yield f"error{where}: {error_sentence(placed.error)}"
    for group in report.groups:
        yield _group_line(group)
        for tool in group.tools:
            if tool.status is not Status.NOT_RUN or group.status not in _UNTOUCHED:
                yield from _tool_lines(tool)


def _group_line(group: GroupReport) -> str:
    line = f"{group.name}: {group.status}"
    if group.why is not None:
        return f"{line} ({group.why})"
    if group.parallel is None:
        return line
    count = len(group.tools)
    if count == 1:
        return f"{line}, 1 tool"
    if group.parallel:
        return f"{line}, {count} tools at the same time"
    return f"{line}, {count} tools in order ({group.parallel_why})"


def _tool_lines(tool: ToolReport) -> Iterator[str]:
    again = f" after {tool.attempts} attempts" if tool.attempts > 1 else ""
    name = f"  {tool.index} {tool.tool}"
    if tool.error is not None:
        yield f"{name}: {tool.status}{again}: {error_sentence(tool.error)}"
    elif tool.status is not Status.OK or again:
        yield f"{name}: {tool.status}{again}"
    for warning in tool.warnings:
        yield f"{name}: warning: {warning}"
    if tool.run is not None and tool.run.status is not Status.OK:
        yield from (f"    {line}" for line in body_lines(tool.run))


def went_without(report: RunReport) -> Phrase:
    """Return the warning of a call by name whose callee is partial."""
    return say("went_without", name=report.name, failures=failures(report))


def call_failed(report: RunReport) -> Phrase:
    """Return what is said of a call by name whose callee failed."""
    return say("call_failed", name=report.name, failures=failures(report))


def failures(report: RunReport) -> str:
    """Name in one sentence what was amiss, the innermost error in full."""
    return "; ".join(_failures(report)) or f"{report.name} is {report.status}"


def _failures(report: RunReport) -> Iterator[str]:
    for placed in report.errors:
        where = "" if placed.group is None else f"/{placed.group}"
        yield f"#{report.sequence}{where}: {error_sentence(placed.error)}"
    for group in report.groups:
        for tool in group.tools:
            inner = [] if tool.run is None else list(_failures(tool.run))
            told = inner and (tool.error is None or tool.error.reason is Reason.FAILED)
            if tool.error is not None and not told:
                place = f"#{report.sequence}/{group.name}"
                yield f"{place} {tool.tool}: {error_sentence(tool.error)}"
            yield from inner


def error_sentence(error: ToolError) -> str:
    """Return reason, place, detail and hint of an error and of those it lists."""
    place = "" if error.field is None else f" at {error.field}"
    parts = [part.rstrip(".") for part in (error.detail, error.hint) if part]
    words = ". ".join(parts)
    sentence = f"{error.reason}{place}: {words}" if words else f"{error.reason}{place}"
    if error.still_running:
        sentence += " (it still runs)"
    return "; ".join((sentence, *(error_sentence(other) for other in error.also)))
