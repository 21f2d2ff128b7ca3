"""What a sequence will do, read off its AST: steps, order, inputs needed.

Pure; imports the core's AST only. What the tools declare may still make a group run in
order: that is known when it runs.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from custom_components.homeagent.sequence.condition_text import format_condition
from custom_components.homeagent.sequence.model import (
    ABSENT,
    CALL_TOOLS,
    Group,
    Parameter,
    Sequence,
    ToolEntry,
)

type Step = tuple[ToolEntry, ...]
"""Entries that are called together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """An input of the run, and the groups that declare it so."""

    key: str
    parameter: Parameter
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedGroup:
    """One group; its steps go one after the other."""

    group: Group
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The groups in their order, and what a run must be given."""

    sequence: Sequence
    inputs: tuple[Needed, ...]
    groups: tuple[PlannedGroup, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the JSON object of the plan."""
        return {
            "sequence": self.sequence.name,
            "description": self.sequence.description,
            "inputs": [_needed(each) for each in self.inputs],
            "groups": [_group(each) for each in self.groups],
        }


def plan_of(sequence: Sequence) -> Plan:
    """Return the plan of a sequence."""
    return Plan(
        sequence=sequence,
        inputs=tuple(_inputs(sequence)),
        groups=tuple(
            PlannedGroup(group=group, steps=_steps(group)) for group in sequence.groups
        ),
    )


def _steps(group: Group) -> tuple[Step, ...]:
    if group.parallel:
        return (group.tools,)
    return tuple((entry,) for entry in group.tools)


def _inputs(sequence: Sequence) -> Iterator[Needed]:
    """Go through the inputs of the groups that a run runs, each once if alike."""
    groups = [group for group in sequence.groups if not group.call_only]
    told: list[tuple[str, Parameter]] = []
    for group in groups:
        for key, parameter in group.inputs.items():
            if (key, parameter) in told:
                continue
            told.append((key, parameter))
            yield Needed(
                key=key,
                parameter=parameter,
                groups=tuple(
                    each.name for each in groups if each.inputs.get(key) == parameter
                ),
            )


def _needed(needed: Needed) -> dict[str, object]:
    parameter = needed.parameter
    told: dict[str, object] = {
        "key": needed.key,
        "type": str(parameter.type),
        "description": parameter.description,
        "required": parameter.required,
        "groups": list(needed.groups),
    }
    if parameter.default is not ABSENT:
        told["default"] = parameter.default
    if parameter.enum is not None:
        told["enum"] = list(parameter.enum)
    return told


def _group(planned: PlannedGroup) -> dict[str, object]:
    group = planned.group
    indexed = iter(range(len(group.tools)))
    return {
        "name": group.name,
        "description": group.description,
        "call_only": group.call_only,
        "when": None if group.when is None else format_condition(group.when),
        "parallel": group.parallel,
        "timeout": group.timeout,
        "on_error": str(group.on_error),
        "retries": group.retries,
        "missing": str(group.missing),
        "steps": [
            [_entry(next(indexed), entry) for entry in step] for step in planned.steps
        ],
    }


def _entry(index: int, entry: ToolEntry) -> dict[str, object]:
    return {
        "index": index,
        "tool": entry.tool,
        "target": target_of_call(entry),
        "when": None if entry.when is None else format_condition(entry.when),
        "as": entry.as_,
    }


def target_of_call(entry: ToolEntry) -> str | None:
    """Return what a call by name names; None for any other entry."""
    target = entry.args.get("target")
    calls = entry.tool in CALL_TOOLS and isinstance(target, str)
    return str(target) if calls else None
