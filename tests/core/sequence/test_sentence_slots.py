"""From what was heard to the inputs of a run."""

from collections.abc import Mapping

import pytest

from custom_components.homeagent.sequence.model import Parameter, SlotType
from custom_components.homeagent.sequence.sentence_slots import (
    NotUnderstood,
    read_slots,
)
from custom_components.homeagent.sequence.spoken_form import spoken_form


def one(kind: str, *enum: object) -> Mapping[str, Parameter]:
    """Return the signature of one input."""
    return {"x": Parameter(type=SlotType(kind), enum=enum or None)}


@pytest.mark.parametrize(
    ("inputs", "heard", "value"),
    [
        (one("string"), " living room ", "living room"),
        (one("any"), "3", "3"),
        (one("integer"), "20", 20),
        (one("integer"), "-5", -5),
        (one("number"), "20.5", 20.5),
        (one("boolean"), "On", True),
        (one("boolean"), "no", False),
        (one("boolean"), "开", True),
        (one("boolean"), "关闭", False),
        (one("boolean"), "开。", True),
        (one("boolean"), "Yes.", True),
        (one("integer"), "twenty", 20),
        (one("integer"), "5 %", 5),
        (one("number"), "三点五", 3.5),
        (one("number"), "minus three", -3),
        (one("integer", 1, 2), "two", 2),
        (one("string"), "five", "five"),
        (one("any"), "five", "five"),
        (one("string", "Küche", "Bad"), "kuche", "Küche"),
        (one("string", "Kuche", "Bad"), "KÜCHE!", "Kuche"),
        (one("string", "living room"), "Living-Room.", "living room"),
        (one("string", "NAS 1", "NAS 2"), "nas 2", "NAS 2"),
        (one("string", "nas", "NAS"), "NAS", "NAS"),
        (one("string", "客厅", "厨房"), "厨房", "厨房"),
        (one("string", "が", "か"), "か", "か"),
        (one("integer", 1, 2), "2", 2),
        (one("number", 1.5, 15), "1.5", 1.5),
        (one("boolean", True), "yes", True),
        (one("any", "a", 1), "A", "a"),
        (one("any", "a", 1), "1", 1),
    ],
)
def test_understood(inputs: Mapping[str, Parameter], heard: str, value: object) -> None:
    """Values have the type of the input; choices have their own spelling."""
    read = read_slots(inputs, {"x": heard})
    assert read == {"x": value}
    assert isinstance(read, dict)
    assert type(read["x"]) is type(value)


@pytest.mark.parametrize(
    ("inputs", "heard", "choices"),
    [
        (one("integer"), "plenty", ()),
        (one("integer"), "3.7", ()),
        (one("integer"), "三点五", ()),
        (one("number"), "half", ()),
        (one("integer", 1, 2), "three", ("1", "2")),
        (one("boolean"), "maybe", ()),
        (one("string", "kitchen", "hall"), "attic", ("kitchen", "hall")),
        (one("string", "kitchen"), "kitchens", ("kitchen",)),
        (one("string", "5"), "-5", ("5",)),
        (one("string", "15"), "1.5", ("15",)),
        (one("string", "15"), "1 5", ("15",)),
        (one("string", "a-b", "a b"), "ab", ("a-b", "a b")),
        (one("string", "が"), "か", ("が",)),
        (one("string", "!"), "?", ("!",)),
        (one("integer", 1, 2), "3", ("1", "2")),
    ],
)
def test_not_understood(
    inputs: Mapping[str, Parameter], heard: str, choices: tuple[str, ...]
) -> None:
    """What does not fit is never turned into something that does."""
    read = read_slots(inputs, {"x": heard})
    assert isinstance(read, NotUnderstood)
    assert (read.key, read.heard, read.choices) == ("x", heard, choices)


def test_unknown_input() -> None:
    """A sentence of yesterday does not bring in an input that is gone."""
    assert isinstance(read_slots({}, {"x": "y"}), NotUnderstood)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Crème brûlée", "cremebrulee"),
        ("Straße", "strasse"),
        ("room-1", "room1"),
        ("-1", "-1"),
        ("at -1", "at-1"),
        ("1-2", "1-2"),
        ("\uff11\uff12", "12"),
    ],
)
def test_spoken_form(text: str, form: str) -> None:
    """Only what nobody can hear is left out."""
    assert spoken_form(text) == form
