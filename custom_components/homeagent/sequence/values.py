"""What a run's values are like: their kinds, their truth, steps into them.

Between the kernel's JSON and the evaluators; pure and total for any value.
"""

from collections.abc import Mapping
from dataclasses import field

from ..kernel.records import record
from .failures import Unresolved
from .model import ABSENT, Reference, Step
from .problems import list_names, show
from .reference_syntax import format_reference
from .run_words import say, typed


@record
class Scope:
    """What references can read: a group's inputs, and its slots written so far.

    What is absent is no key of either.
    """

    args: Mapping[str, object] = field(default_factory=dict)
    out: Mapping[str, object] = field(default_factory=dict)


def kind_of(value: object) -> str:
    """Return the JSON kind of a value, as messages name it."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case Mapping():
            return "object"
        case _:
            return type(value).__name__


def is_true(value: object) -> bool:
    """Return the truth of a value: null, false, 0, "", [] and {} are false (§5.1)."""
    match value:
        case None:
            return False
        case bool() | int() | float() | str() | list() | tuple() | Mapping():
            return bool(value)
        case _:
            return True


def look_up(reference: Reference, scope: Scope) -> object | Unresolved:
    """Return what a reference leads to, or why it leads nowhere."""
    value: object = scope.args if reference.root == "args" else scope.out
    for index, step in enumerate(reference.steps):
        inner = _inside(value, step)
        if inner is ABSENT:
            so_far = Reference(root=reference.root, steps=reference.steps[:index])
            return _lost(reference, so_far, value, step)
        value = inner
    return value


def _inside(value: object, step: Step) -> object:
    """Return what one step leads to; absent where it leads nowhere."""
    match value, step:
        case dict() | Mapping(), str():  # an abstract class takes longer to ask
            return value.get(step, ABSENT)
        case list() | tuple(), int() if -len(value) <= step < len(value):
            return value[step]
        case _:
            return ABSENT


def _lost(
    reference: Reference, so_far: Reference, value: object, step: Step
) -> Unresolved:
    """Say why a step leads nowhere."""
    written = format_reference(reference)
    before = format_reference(so_far)
    if isinstance(value, Mapping) and isinstance(step, str):
        has = list_names([str(key) for key in value])
        detail = say("no_such_key", before=before, step=show(step), keys=has)
    elif isinstance(value, list | tuple) and isinstance(step, int):
        detail = say(
            "no_such_index", before=before, count=str(len(value)), step=str(step)
        )
    else:
        code = "no_keys_in_type" if isinstance(step, str) else "no_indexes_in_type"
        detail = say(code, before=before, type=typed(kind_of(value)))
        return Unresolved(reason="type", reference=written, detail=detail)
    return Unresolved(reason="required", reference=written, detail=detail)
