"""What of a result a slot takes (page 2 §2.4).

Below the engine; imports the kernel and the language's values. Pure and total.
"""

from dataclasses import replace

from ..kernel.errors import Reason, ToolError
from ..kernel.json_values import to_json_value
from ..kernel.rendering import render_value
from .failures import Unresolved
from .fitting import fit
from .model import ABSENT, Group, Parameter, Reference, SlotType, ToolEntry
from .run_words import say, typed
from .values import Scope, kind_of, look_up


def slot_value(entry: ToolEntry, group: Group, result: object) -> object | ToolError:
    """Return what the entry's slot takes of a result; absent without a slot.

    Of an `array` slot it is one element of whatever type. Anything else must fit the
    declared type: otherwise the tool failed with `type`.
    """
    if entry.as_ is None:
        return ABSENT
    value: object = to_json_value(result)
    if entry.select is not None:
        reference = Reference(root="out", steps=(entry.as_, *entry.select))
        value = look_up(reference, Scope(out={entry.as_: value}))
        if isinstance(value, Unresolved):
            return _not_selected(value, entry)
    return _fitted(value, entry.as_, group.outputs.get(entry.as_))


def fallback_value(entry: ToolEntry, group: Group) -> object | ToolError:
    """Return what `missing: degrade` writes; absent where there is nothing to write."""
    if entry.as_ is None or entry.fallback is ABSENT:
        return ABSENT
    value: object = to_json_value(entry.fallback)
    return _fitted(value, entry.as_, group.outputs.get(entry.as_))


def _fitted(value: object, name: str, slot: Parameter | None) -> object | ToolError:
    if slot is None or slot.type in {SlotType.ARRAY, SlotType.ANY}:
        return value
    if slot.type is SlotType.STRING:
        return render_value(value)
    fitted = fit(value, slot.type, f"out.{name}")
    if not isinstance(fitted, ToolError):
        return fitted
    return replace(
        fitted,
        reason=Reason.TYPE,
        detail=say(
            "slot_fit" if fitted.detail else "slot_type",
            type=typed(kind_of(value)),
            slot=name,
            wanted=typed(slot.type.value),
            why=fitted.detail,
        ),
        hint="Select the part that fits, or declare the slot as any.",
    )


def write(
    slots: dict[str, object], entry: ToolEntry, group: Group, value: object
) -> None:
    """Write one value; an `array` slot gets it appended."""
    if entry.as_ is None or value is ABSENT:
        return
    slot = group.outputs.get(entry.as_)
    if slot is None or slot.type is not SlotType.ARRAY:
        slots[entry.as_] = value
        return
    elements = slots.setdefault(entry.as_, [])
    assert isinstance(elements, list)
    elements.append(value)


def _not_selected(unresolved: Unresolved, entry: ToolEntry) -> ToolError:
    return ToolError(
        reason=Reason(unresolved.reason),
        field="select",
        detail=say(
            "not_selected",
            reference=unresolved.reference,
            slot=str(entry.as_),
            tool=entry.tool,
            why=unresolved.detail,
        ),
        hint="Correct the path of select, or leave it out to see the whole result.",
    )
