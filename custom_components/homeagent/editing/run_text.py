"""The report of a run as plain lines, for notifications and wherever people read it.

Above `report_text`; pure. Short where all is well; all that went wrong is told. The lines
are no markup, so that a phone shows them as well as Home Assistant does.
"""

from collections.abc import Iterator

from ..kernel.rendering import render_value
from ..kernel.time_text import seconds_text
from ..sequence.report import GroupReport, RunReport, Status, ToolReport
from .error_text import together
from .report_text import UNTOUCHED, about_call, status_text, told_errors
from .wording import Wording


def run_text(report: RunReport, wording: Wording) -> str:
    """Return a line for the run, one for each group, call amiss and value."""
    status = status_text(report.status, wording)
    seconds = seconds_text(report.duration)
    head = wording("ran", status=status, seconds=seconds)
    lines = [_named(report.name[1:], head, wording), *_body(report, wording)]
    for group, slots in report.out.items():
        for slot, value in slots.items():
            lines.append(_named(f"{group}, {slot}", render_value(value), wording))
    return "\n".join(lines)


def _body(report: RunReport, wording: Wording) -> Iterator[str]:
    yield from told_errors(report, wording)
    for group in report.groups:
        yield _group_line(group, wording)
        if group.status not in UNTOUCHED:
            for tool in group.tools:
                yield from _call_lines(tool, group, wording)


def _group_line(group: GroupReport, wording: Wording) -> str:
    told = status_text(group.status, wording)
    if group.why is not None:
        told = wording.filled("because", {"text": told, "why": group.why})
    return _named(group.name, told, wording)


def _call_lines(
    tool: ToolReport, group: GroupReport, wording: Wording
) -> Iterator[str]:
    """Yield what is to be told of a call: nothing where all is well."""
    about = list(about_call(tool, wording))
    if tool.status is Status.OK and tool.attempts < 2 and not about:
        return
    told = status_text(tool.status, wording)
    if tool.attempts > 1:
        tries = {"text": told, "count": str(tool.attempts)}
        told = wording.filled("after_attempts", tries)
    # One call of a group needs no number, and one that failed no word but why.
    number = f"{tool.index + 1}. " if len(group.tools) > 1 else ""
    plain = tool.status in (Status.OK, Status.FAILED) and tool.attempts < 2
    why = together(about, wording) if about else ""
    if plain:
        told = why or told
    elif why:
        told = _named(told, why, wording)
    name = tool.tool if tool.run is None else f"{tool.tool} {tool.run.name}"
    yield _named(f"• {number}{name}", told, wording)
    if tool.run is not None and tool.run.status is not Status.OK:
        yield from (f"  {line}" for line in _body(tool.run, wording))


def _named(name: str, text: str, wording: Wording) -> str:
    return wording.filled("at_field", {"field": name, "text": text})
