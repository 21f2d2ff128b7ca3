"""What a slot takes of a result (page 2 §2.4)."""

from datetime import UTC, datetime

import pytest

from custom_components.homeagent.kernel.errors import ToolError
from custom_components.homeagent.sequence.model import (
    ABSENT,
    Group,
    Parameter,
    SlotType,
    Step,
    ToolEntry,
)
from custom_components.homeagent.sequence.slots import slot_value, write

MOMENT = datetime(2020, 1, 2, tzinfo=UTC)


def stored(
    result: object, type_: str, select: tuple[Step, ...] | None = None
) -> object:
    """Return what the slot `x` of that type takes."""
    entry = ToolEntry(tool="t", as_="x", select=select)
    outputs = {"x": Parameter(type=SlotType(type_))}
    return slot_value(entry, Group(name="g", tools=(entry,), outputs=outputs), result)


@pytest.mark.parametrize(
    ("type_", "result", "value"),
    [
        ("any", None, None),
        ("any", {"a": [1]}, {"a": [1]}),
        ("any", {"at": MOMENT}, {"at": "2020-01-02T00:00:00+00:00"}),
        ("string", "x", "x"),
        ("string", None, ""),
        ("string", 3, "3"),
        ("string", True, "true"),
        ("string", {"a": [1, "é"]}, '{"a":[1,"é"]}'),
        ("integer", 3, 3),
        ("integer", 3.0, 3),
        ("integer", "20", 20),
        ("number", 1.5, 1.5),
        ("number", "1.5", 1.5),
        ("boolean", True, True),
        ("boolean", "off", False),
        ("object", {"a": 1}, {"a": 1}),
        ("object", '{"a": 1}', {"a": 1}),
        ("array", "one element", "one element"),
        ("array", [1, 2], [1, 2]),
        ("array", None, None),
    ],
)
def test_fits(type_: str, result: object, value: object) -> None:
    """The kernel's leniency; a `string` takes any value, an `array` any element."""
    got = stored(result, type_)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("type_", "result"),
    [
        ("integer", 3.7),
        ("integer", True),
        ("integer", "three"),
        ("integer", None),
        ("integer", ""),
        ("number", "nan"),
        ("boolean", "maybe"),
        ("boolean", 2),
        ("object", [1]),
        ("object", "text"),
        ("object", None),
    ],
)
def test_does_not_fit(type_: str, result: object) -> None:
    """That tool failed with `type`."""
    error = stored(result, type_)
    assert isinstance(error, ToolError)
    assert (error.reason, error.field) == ("type", "out.x")
    assert type_ in error.detail


@pytest.mark.parametrize(
    ("select", "outcome"),
    [
        (("stdout",), "text"),
        (("weather.home", "forecast", 0, "temperature"), 21),
        (("weather.home", "forecast", -1), {"temperature": 21}),
        (("gone",), "required"),
        (("weather.home", "forecast", 1), "required"),
        (("stdout", "x"), "type"),
    ],
)
def test_select(select: tuple[Step, ...], outcome: object) -> None:
    """A path into the result is stored instead of the whole."""
    result = {"stdout": "text", "weather.home": {"forecast": [{"temperature": 21}]}}
    got = stored(result, "any", select)
    if isinstance(got, ToolError):
        assert (got.reason, got.field) == (outcome, "select")
        assert "$out.x" in got.detail
    else:
        assert got == outcome


def test_without_slot_there_is_nothing_to_write() -> None:
    """The value is not even looked at."""
    entry = ToolEntry(tool="t")
    group = Group(name="g", tools=(entry,))
    slots: dict[str, object] = {}
    write(slots, entry, group, slot_value(entry, group, {"a": 1}))
    assert slots == {}
    assert slot_value(entry, group, 1) is ABSENT


def test_stored_value_is_the_runs_own() -> None:
    """A tool may go on with what it returned."""
    result = {"a": [1]}
    got = stored(result, "any")
    result["a"].append(2)
    assert got == {"a": [1]}
