"""The inputs of a whole run: those of all its groups, each key once (page 2 §2.4).

Beside preflight, which judges by the same rule; imports the AST only. What forms, actions,
sentences and models fill in is described from here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..kernel.json_text import same_json
from .model import ABSENT, Group, Parameter, Sequence, SlotType

_NUMBERS = frozenset({SlotType.INTEGER, SlotType.NUMBER})


def run_inputs(sequence: Sequence) -> Mapping[str, Parameter]:
    """Return the inputs that a run takes, in the order in which the groups name them.

    Where groups share a key, the input is what all of them take: required if one needs
    it, with a default only if all have the same, and `any` where their types differ.
    """
    inputs: dict[str, Parameter] = {}
    for group in _taking_part(sequence):
        for key, parameter in group.inputs.items():
            before = inputs.get(key)
            inputs[key] = parameter if before is None else _both(before, parameter)
    return inputs


def missing_inputs(sequence: Sequence) -> tuple[str, ...]:
    """Return the inputs without which no run can begin, none for one by defaults."""
    inputs = run_inputs(sequence)
    return tuple(key for key, parameter in inputs.items() if parameter.required)


def _taking_part(sequence: Sequence) -> Iterable[Group]:
    return (group for group in sequence.groups if not group.call_only)


def _both(one: Parameter, other: Parameter) -> Parameter:
    required = one.required or other.required
    same = same_json(one.default, other.default)
    return replace(
        one,
        type=_type(one.type, other.type),
        description=one.description or other.description,
        required=required,
        default=one.default if same and not required else ABSENT,
        enum=_choices(one.enum, other.enum),
    )


def _type(one: SlotType, other: SlotType) -> SlotType:
    if one is other:
        return one
    if {one, other} == _NUMBERS:
        return SlotType.INTEGER
    if SlotType.ANY in {one, other}:
        return other if one is SlotType.ANY else one
    return SlotType.ANY


def _choices(
    one: tuple[object, ...] | None, other: tuple[object, ...] | None
) -> tuple[object, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    return tuple(
        value for value in one if any(same_json(value, each) for each in other)
    )
