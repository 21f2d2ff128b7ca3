"""Calls by name: what a target names (page 2 §2.5).

Below the engine; imports the kernel's errors and the AST. Pure and total.
"""

from typing import Final

from ..kernel.errors import Reason, ToolError
from ..kernel.names import nearest
from .model import CallTarget, Sequence
from .names import folded
from .ports import SequenceStore
from .problems import list_names, show
from .run_words import say
from .scope import Callee, Place
from .targets import parse_target

FORMS: Final = "a group of the same sequence, #name or #name/group"


def find_callee(
    target: object, place: Place | None, sequences: SequenceStore
) -> Callee | ToolError:
    """Return what a target names now, seen from a place in a run or from outside.

    `not_found` says that the named sequence, or its group, does not exist now. The own
    sequence is the AST that is being run.
    """
    parsed = parse_target(target) if isinstance(target, str) else None
    if parsed is None:
        return _no_target(target)
    if parsed.sequence is None:
        return _own_group(parsed, place)
    own = None if place is None else place.sequence
    if own is not None and folded(parsed.sequence) == folded(own.name):
        sequence: Sequence | None = own
    else:
        sequence = sequences.find(parsed.sequence)
    if sequence is None:
        return ToolError(
            reason=Reason.NOT_FOUND,
            field="target",
            detail=say("no_sequence", name=show(parsed.sequence)),
            hint="seq_list names the sequences that there are.",
        )
    if parsed.group is None:
        return Callee(sequence=sequence)
    group = sequence.group(parsed.group)
    if group is None:
        return no_group(parsed.group, sequence, Reason.NOT_FOUND)
    return Callee(sequence=sequence, group=group)


def _own_group(parsed: CallTarget, place: Place | None) -> Callee | ToolError:
    name = parsed.group or ""
    if place is None:
        return ToolError(
            reason=Reason.VALUE,
            field="target",
            detail=say("group_outside", name=show(name)),
            hint="From outside the target is #name or #name/group.",
        )
    group = place.sequence.group(name)
    if group is None:
        return no_group(name, place.sequence, Reason.VALUE)
    return Callee(sequence=place.sequence, group=group, crosses=False)


def _no_target(target: object) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="target",
        detail=say("no_target", target=show(target)),
        hint=f"The target is {FORMS}.",
    )


def no_group(name: str, sequence: Sequence, reason: Reason) -> ToolError:
    """Return the error of a group that a sequence does not have."""
    names = [group.name for group in sequence.groups]
    near = nearest(name, names)
    meant = f"Did you mean {near[0]}? " if near else ""
    listed = list_names(names)
    return ToolError(
        reason=reason,
        field="target",
        detail=say(
            "no_group",
            sequence=sequence.name,
            name=show(name),
            near="".join(near[:1]),
            groups=listed,
        ),
        hint=f"{meant}Its groups are: {listed}.",
    )
