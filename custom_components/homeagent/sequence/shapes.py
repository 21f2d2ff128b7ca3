"""What is known of a value before any run: its type, and the keys of an object.

Pure; below the checks. Tells where a reference's steps can lead nowhere for certain.
"""

from collections.abc import Mapping, Sequence as Many
from dataclasses import dataclass
from typing import Final

from .model import Parameter, SlotType, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A type; `members` are the only keys of an object, where they are known.

    `element` is the shape of each element of an array, where it is known.
    """

    type: SlotType
    members: Mapping[str, Shape] | None = None
    element: Shape | None = None


UNKNOWN: Final = Shape(type=SlotType.ANY)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnd:
    """Where steps end: the shape there, and the index of the step that it lacks."""

    shape: Shape
    index: int


def declared(parameter: Parameter) -> Shape:
    """Return the shape of an input or an output."""
    return Shape(type=parameter.type)


def record(members: Mapping[str, Shape]) -> Shape:
    """Return the shape of an object that has these keys and no others."""
    return Shape(type=SlotType.OBJECT, members=members)


def follow(shape: Shape, steps: Many[Step]) -> Shape | DeadEnd:
    """Return the shape that steps lead to, or where they can lead nowhere."""
    for index, step in enumerate(steps):
        inner = _step(shape, step)
        if inner is None:
            return DeadEnd(shape=shape, index=index)
        shape = inner
    return shape


def _step(shape: Shape, step: Step) -> Shape | None:
    match shape.type:
        case SlotType.ANY:
            return UNKNOWN
        case SlotType.ARRAY if isinstance(step, int):
            return shape.element or UNKNOWN
        case SlotType.OBJECT if isinstance(step, str):
            return UNKNOWN if shape.members is None else shape.members.get(step)
        case _:
            return None


def narrowed(slot: Shape, written: Many[Shape]) -> Shape:
    """Return what a slot holds, given what was written into it.

    An `array` slot gets each as an element; one that is declared narrower than what is
    written stays as declared.
    """
    if not written or any(shape != written[0] for shape in written):
        return slot
    if slot.type is SlotType.ARRAY:
        return Shape(type=SlotType.ARRAY, element=written[0])
    return written[0] if slot.type in {SlotType.ANY, written[0].type} else slot
