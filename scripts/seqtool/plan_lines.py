"""A plan as lines for a person: the inputs, then each group with its steps.

Pure; imports the plan and the core's texts.
"""

from collections.abc import Iterator

from custom_components.homeagent.sequence.condition_text import format_condition
from custom_components.homeagent.sequence.durations import format_duration
from custom_components.homeagent.sequence.model import (
    ABSENT,
    Group,
    Missing,
    OnError,
    ToolEntry,
)
from custom_components.homeagent.sequence.problems import printable, show

from .planning import Needed, Plan, PlannedGroup, target_of_call
from .problem_lines import count_of

_AT_ONCE = (
    "Tools run at the same time only if all of the group are parallel safe and no two"
    " act on the same thing; if not, they run in order, and the report says why."
)


def plan_lines(plan: Plan) -> Iterator[str]:
    """Return the lines of a plan."""
    return map(printable, _lines(plan))


def _lines(plan: Plan) -> Iterator[str]:
    sequence = plan.sequence
    about = f": {sequence.description}" if sequence.description else ""
    yield f"{sequence.name}{about}"
    yield ""
    if not plan.inputs:
        yield "It needs no inputs."
    for needed in plan.inputs:
        yield _needed(needed)
    number = 0
    for planned in plan.groups:
        yield ""
        number += not planned.group.call_only
        mark = "called by name only:" if planned.group.call_only else f"{number}."
        yield from _group(mark, planned)
    if any(group.parallel and len(group.tools) > 1 for group in sequence.groups):
        yield ""
        yield _AT_ONCE


def _needed(needed: Needed) -> str:
    parameter = needed.parameter
    choices = ""
    if parameter.enum is not None:
        choices = f", one of {', '.join(map(show, parameter.enum))}"
    if parameter.default is not ABSENT:
        must = f"optional, otherwise {show(parameter.default)}"
    else:
        must = "needed" if parameter.required else "optional"
    about = f": {parameter.description}" if parameter.description else ""
    groups = ", ".join(needed.groups)
    return (
        f"input {needed.key} ({parameter.type}{choices}), {must}, for {groups}{about}"
    )


def _group(mark: str, planned: PlannedGroup) -> Iterator[str]:
    group = planned.group
    yield f"{mark} {group.name}: {_how(group)}"
    if group.when is not None:
        yield f"   only if {format_condition(group.when)}"
    if failing := _failing(group):
        yield f"   {failing}"
    for entry in group.tools:
        yield f"   - {_entry(entry)}"


def _how(group: Group) -> str:
    tools = count_of(len(group.tools), "tool")
    if len(group.tools) > 1:
        tools += " at the same time" if group.parallel else " in order"
    return f"{tools}, at most {format_duration(group.timeout)}"


def _failing(group: Group) -> str:
    """Tell what is not as it is by default."""
    told = []
    if group.on_error is OnError.CONTINUE:
        told.append("goes on after a failure")
    if group.on_error is OnError.RETRY:
        times = count_of(group.retries, "time")
        told.append(f"calls what failed again, up to {times}")
    if group.missing is Missing.SKIP:
        told.append("does without tools that do not exist")
    if group.missing is Missing.DEGRADE:
        told.append("takes the fallback of tools that do not exist")
    return "; ".join(told)


def _entry(entry: ToolEntry) -> str:
    target = target_of_call(entry)
    called = f" {target}" if target is not None else ""
    slot = f" -> {entry.as_}" if entry.as_ is not None else ""
    only = "" if entry.when is None else f", only if {format_condition(entry.when)}"
    return f"{entry.tool}{called}{slot}{only}"
