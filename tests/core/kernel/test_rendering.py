"""Values become text for a model as page 1 §1.2 says (§5.2)."""

from collections import OrderedDict, deque, namedtuple
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from ipaddress import ip_address
import json
from math import inf, nan
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import override
from uuid import UUID

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.json_values import MAX_DEPTH, key_text
from custom_components.homeagent.kernel.rendering import (
    LIMIT,
    cut,
    render_error,
    render_result,
    render_value,
    to_json_value,
)


class Color(Enum):
    RED = "red"
    NOTHING = None


class Level(IntEnum):
    HIGH = 3


class Mode(StrEnum):
    AUTO = "auto"


@dataclass
class Reading:
    at: date
    value: float


class State:
    """Like Home Assistant's: an `as_dict`, and a `repr` that no model should see."""

    def as_dict(self) -> Mapping[str, object]:
        """Return the state."""
        changed = datetime(2026, 11, 30, 12, tzinfo=UTC)
        return MappingProxyType({"state": "on", "changed": changed})

    @override
    def __repr__(self) -> str:
        return "<state light.kitchen=on>"


class Array:
    """Like numpy's."""

    def tolist(self) -> list[float]:
        """Return plain numbers."""
        return [1.0, nan]


class Plain:
    """Says nothing of itself."""


class Said:
    """Has a text of its own, which may be no better than its `repr`."""

    def __init__(self, text: str) -> None:
        """Remember the text."""
        self.text = text

    @override
    def __str__(self) -> str:
        return self.text

    @override
    def __repr__(self) -> str:
        return "Said()"


class Broken:
    """Raises whatever it is asked."""

    def as_dict(self) -> object:
        """Raise."""
        raise RuntimeError

    @override
    def __str__(self) -> str:
        raise RuntimeError


class BrokenMapping(Mapping[str, int]):
    """Raises where a dict cannot."""

    @override
    def __getitem__(self, key: str) -> int:
        raise OSError

    @override
    def __iter__(self) -> Iterator[str]:
        raise OSError

    @override
    def __len__(self) -> int:
        return 1


Pair = namedtuple("Pair", "left right")  # noqa: PYI024  the untyped kind


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("", ""),
        ("a text\nas it is", "a text\nas it is"),
        ('{"not": "touched"}', '{"not": "touched"}'),
        ("\ud83d\ude00 \ud800", "😀 \ufffd"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-12, "-12"),
        (2.50, "2.5"),
        (nan, "NaN"),
        (inf, "Infinity"),
        (-inf, "-Infinity"),
        ({"b": 1, "a": [None, True, "ü"]}, '{"b":1,"a":[null,true,"ü"]}'),
        ([], "[]"),
        ({}, "{}"),
        ((1, 2), "[1,2]"),
        (Pair(1, 2), "[1,2]"),
        (OrderedDict(z=1, a=2), '{"z":1,"a":2}'),
        (MappingProxyType({"a": 1}), '{"a":1}'),
        ({1: 2, None: 3, False: 4, 1.5: 5}, '{"1":2,"null":3,"false":4,"1.5":5}'),
        ({date(2026, 1, 2): 1, ("a", 1): 2}, '{"2026-01-02":1,"[\\"a\\",1]":2}'),
        ({1: "a", "1": {3}}, '{"1":"a","1 (2)":[3]}'),
        ({"x": nan, "y": [inf, -inf]}, '{"x":"NaN","y":["Infinity","-Infinity"]}'),
        ({3, 1, 2}, "[1,2,3]"),
        (frozenset("hgfedcba"), '["a","b","c","d","e","f","g","h"]'),
        (["\ud800"], '["\ufffd"]'),
        ({"a": 1}.keys(), '["a"]'),
        ({"a": 1}.values(), "[1]"),
        ({"a": {}}.items(), '[["a",{}]]'),
        (deque([1, 2]), "[1,2]"),
        (range(3), '{"start":0,"stop":3,"step":1}'),
        (date(2026, 11, 30), "2026-11-30"),
        (time(7, 5), "07:05:00"),
        (datetime(2026, 11, 30, 7, 5, tzinfo=UTC), "2026-11-30T07:05:00+00:00"),
        ([date(2026, 11, 30)], '["2026-11-30"]'),
        (timedelta(seconds=90), "PT1M30S"),
        (timedelta(days=1, hours=2, milliseconds=1500), "P1DT2H1.5S"),
        (timedelta(days=-2), "-P2D"),
        (timedelta(0), "PT0S"),
        (b"plain text\n", "plain text\n"),
        (b"", ""),
        (bytearray(b"ab"), "ab"),
        (memoryview(b"ab"), "ab"),
        (b"\x00\xff", "data:application/octet-stream;base64,AP8="),
        ([b"\x07"], '["data:application/octet-stream;base64,Bw=="]'),
        (Decimal("1.10"), "1.1"),
        (Decimal(20), "20"),
        (Decimal("0.1234567890123456789"), "0.1234567890123456789"),
        ([Decimal("NaN"), Decimal("-Infinity")], '["NaN","-Infinity"]'),
        (Fraction(1, 3), "1/3"),
        (1 + 2j, '{"object":"complex"}'),
        (Color.RED, "red"),
        (Color.NOTHING, ""),
        ({Color.RED: [Level.HIGH, Mode.AUTO]}, '{"red":[3,"auto"]}'),
        (Level.HIGH, "3"),
        (Mode.AUTO, "auto"),
        (Reading(date(2026, 1, 2), nan), '{"at":"2026-01-02","value":"NaN"}'),
        (State(), '{"state":"on","changed":"2026-11-30T12:00:00+00:00"}'),
        (Array(), '[1.0,"NaN"]'),
        (ToolError(reason=Reason.BUSY), '{"reason":"busy"}'),
        (PurePosixPath("/a/b"), "/a/b"),
        (UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        (ip_address("192.0.2.1"), "192.0.2.1"),
        (Plain(), '{"object":"Plain"}'),
        (Plain, '{"object":"type"}'),
        (ValueError("secret"), '{"object":"ValueError"}'),
        (print, '{"object":"builtin_function_or_method"}'),
        ((each for each in "ab"), '{"object":"generator"}'),
        (Said("nice to read"), "nice to read"),
        (Said("<Said at 0x7f>"), '{"object":"Said"}'),
        (Said("Said()"), '{"object":"Said"}'),
        (Said(" "), '{"object":"Said"}'),
        (Broken(), '{"object":"Broken"}'),
        ([BrokenMapping()], '[{"object":"BrokenMapping"}]'),
        pytest.param(10**5000, hex(10**5000), id="a very long integer"),
        ([2**64 - 1, -(2**63)], "[18446744073709551615,-9223372036854775808]"),
        ([2**64], '["18446744073709551616"]'),
        ({"a": -(2**63) - 1}, '{"a":"-9223372036854775809"}'),
        ("at 20261130123456789012", "at 20261130123456789012"),
        (["20261130123456789012"], '["20261130123456789012"]'),
    ],
)
def test_rendered(value: object, text: str) -> None:
    assert render_value(value) == text


def test_a_cycle_ends() -> None:
    value: dict[str, object] = {"a": 1}
    value["self"] = [value]
    assert render_value(value) == '{"a":1,"self":["(cycle)"]}'


def test_one_value_in_two_places_is_no_cycle() -> None:
    shared = [date(2026, 1, 2)]
    assert render_value([shared, shared]) == '[["2026-01-02"],["2026-01-02"]]'


@pytest.mark.parametrize("innermost", [nan, Plain()])
def test_depth_ends(innermost: object) -> None:
    value: object = innermost
    for _ in range(5000):
        value = {"a": [value]}
    text = render_value(value)
    assert text.count("{") == MAX_DEPTH // 2
    assert "(nested too deeply)" in text


@pytest.mark.parametrize("error", [TypeError, ValueError, RecursionError])
def test_an_encoder_can_be_put_in(error: type[Exception]) -> None:
    def encode(value: object) -> str:
        if value != ["plain"]:
            raise error
        return "encoded"

    assert render_value(["plain"], encode=encode) == "encoded"
    assert render_value({nan}, encode=encode) == '["NaN"]'


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ToolError(reason=Reason.TIMEOUT), '{"reason":"timeout"}'),
        (
            ToolError(
                reason=Reason.TYPE,
                field="größe",
                hint="h",
                also=(ToolError(reason=Reason.BUSY),),
            ),
            '{"field":"größe","reason":"type","hint":"h","also":[{"reason":"busy"}]}',
        ),
    ],
)
def test_errors(error: ToolError, text: str) -> None:
    assert render_error(error) == text


FAILED = ToolError(reason=Reason.FAILED)


@pytest.mark.parametrize(
    ("value", "error", "said", "warnings", "text"),
    [
        ({"a": 1}, None, None, (), '{"a":1}'),
        (None, None, "ok", (), "ok"),
        ({"a": 1}, None, "", (), ""),
        ({"a": 1}, FAILED, "ok", (), '{"reason":"failed"}'),
        ("on", None, None, ("b is off",), "on\nWarning: b is off"),
        (None, None, None, ("b is off", "c too"), "Warning: b is off\nWarning: c too"),
        (None, FAILED, None, ("b",), '{"reason":"failed","warnings":["b"]}'),
        (None, None, "ok", ("\ud800 is off",), "ok\nWarning: \ufffd is off"),
        (None, FAILED, None, ("\ud800",), '{"reason":"failed","warnings":["\ufffd"]}'),
    ],
)
def test_results(
    value: object,
    error: ToolError | None,
    said: str | None,
    warnings: tuple[str, ...],
    text: str,
) -> None:
    assert render_result(value, error, said=said, warnings=warnings) == text


def test_keys_that_cannot_be_told_apart_are_all_kept() -> None:
    """Each half surrogate pair is told by the same character, however many there are."""
    keys = [chr(first) + chr(0xD800) for first in range(0xD800, 0xDC00)]
    assert len(to_json_value(dict.fromkeys(keys * 2, 1))) == len(keys)  # type: ignore[arg-type]


def test_a_long_result_is_cut_with_a_marker() -> None:
    text = render_result(["x" * 260_000])
    assert len(text.encode()) <= LIMIT
    head, marker = text.rsplit("\n", 1)
    left_out = 260_004 - len(head)
    assert marker.startswith(f"[cut: {left_out} of 260004 bytes are left out; to get")


@pytest.mark.parametrize(
    ("letter", "count"), [("a", 200), ("é", 99), ("漢", 99), ("😀", 99)]
)
@pytest.mark.parametrize("limit", range(100, 108))
def test_a_cut_splits_no_character(letter: str, count: int, limit: int) -> None:
    text = letter * count
    shown = cut(text, limit, rest="ask")
    head, marker = shown.split("\n")
    assert limit - 4 < len(shown.encode()) <= limit
    assert set(head) == {letter}
    missing = len(text.encode()) - len(head.encode())
    assert marker == f"[cut: {missing} of {len(text.encode())} bytes are left out; ask]"


@pytest.mark.parametrize("text", ["", "a" * 60, "é" * 30, "😀" * 15])
def test_a_text_up_to_the_limit_is_not_cut(text: str) -> None:
    assert cut(text, 60) == text


@pytest.mark.parametrize("limit", [0, 1, 10])
def test_a_limit_too_small_for_the_marker_leaves_the_marker(limit: int) -> None:
    assert cut("a" * 20, limit, rest="r") == "\n[cut: 20 of 20 bytes are left out; r]"


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.dates()
    | st.timedeltas()
    | st.decimals()
    | st.complex_numbers()
    | st.builds(Plain)
    | st.builds(State)
    | st.sampled_from([Color.RED, Color.NOTHING, Level.HIGH]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.integers() | st.none(), inner, max_size=4)
        | st.dictionaries(st.dates() | st.floats(), inner, max_size=4)
        | st.frozensets(st.text() | st.integers() | st.floats(), max_size=4)
        | st.lists(inner, max_size=3).map(deque)
    ),
    max_leaves=20,
)


def strict(text: str) -> object:
    return json.loads(text, parse_constant=pytest.fail)


@settings(max_examples=150, deadline=None)
@given(anything)
def test_containers_become_strict_json_of_the_json_value(value: object) -> None:
    text = render_value([value])
    text.encode()
    assert strict(text) == to_json_value([value])


@settings(max_examples=150, deadline=None)
@given(anything)
def test_no_repr_comes_through(value: object) -> None:
    text = render_value([value])
    assert "object at 0x" not in text
    assert "datetime." not in text
    assert "Decimal(" not in text


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abé", max_size=3), inner, max_size=4)
    ),
)


@settings(deadline=None)
@given(json_values)
def test_json_is_its_own_json_value(value: object) -> None:
    assert to_json_value(value) == value


class Written(str):
    """A text of a class of its own, as phrases are."""

    __slots__ = ()

    @override
    def __str__(self) -> str:
        return "something else"


class Valued(str, Enum):  # noqa: UP042  a member whose value is not its text
    ONE = "text"

    def __init__(self, text: str) -> None:
        self._value_ = "value"


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("name", "name"),
        (Written("name"), "name"),
        ("\ud83d\ude00", "\U0001f600"),
        (Written("\ud83d"), "\ufffd"),
        (Mode.AUTO, "auto"),
        (Valued.ONE, "value"),
        (Level.HIGH, "3"),
        (None, "null"),
    ],
)
def test_text_of_a_key(key: object, text: str) -> None:
    assert key_text(key) == text
