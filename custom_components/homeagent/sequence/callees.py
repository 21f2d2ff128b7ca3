"""What a call by name meets: the inputs it must fit, and what it gives back (§8).

Pure; between the AST and the checks of calls.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .model import ABSENT, CALL_TOOLS, CallTarget, Group, Parameter, Sequence, ToolEntry
from .shapes import DeadEnd, Shape, declared, follow, record
from .targets import target_of

type Resolve = Callable[[CallTarget], Callee | None]
"""Finds what a target names; None where that is not for the asker to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callee:
    """A group, or a whole sequence, as its callers see it.

    Of a sequence several groups may declare one input; a value must fit them all.
    """

    inputs: Mapping[str, tuple[Parameter, ...]]
    result: Shape


def group_callee(group: Group) -> Callee:
    """Return a group as its callers see it: its value is its `out`."""
    inputs = {key: (parameter,) for key, parameter in group.inputs.items()}
    return Callee(inputs=inputs, result=_out(group))


def sequence_callee(sequence: Sequence) -> Callee:
    """Return a sequence as its callers see it: its value is `out` by group."""
    groups = [group for group in sequence.groups if not group.call_only]
    inputs: dict[str, tuple[Parameter, ...]] = {}
    for group in groups:
        for key, parameter in group.inputs.items():
            inputs[key] = (*inputs.get(key, ()), parameter)
    return Callee(
        inputs=inputs, result=record({group.name: _out(group) for group in groups})
    )


def _out(group: Group) -> Shape:
    return record({key: declared(each) for key, each in group.outputs.items()})


def result_shape(entry: ToolEntry, resolve: Resolve) -> Shape | DeadEnd | None:
    """Return what an entry writes into its slot; None where nothing is known of it.

    A dead end is a `select` that leads nowhere.
    """
    if entry.tool not in CALL_TOOLS:
        return None
    target = target_of(entry.args)
    callee = resolve(target) if target else None
    if callee is None:
        return None
    shape = follow(callee.result, entry.select or ())
    return shape if isinstance(shape, DeadEnd) or entry.fallback is ABSENT else None
