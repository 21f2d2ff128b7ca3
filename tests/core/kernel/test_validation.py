"""Arguments are coerced and checked as page 1 §1.2 says, row by row."""

from collections import OrderedDict
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from math import inf, nan
from types import MappingProxyType

import pytest

from custom_components.homeagent.kernel.contract import Checked
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.kernel.schema_problems import MOST_PROBLEMS
from custom_components.homeagent.kernel.validation import compile_schema

type Schema = dict[str, object]

TEXTS = {"type": "array", "items": {"type": "string"}}
INTEGERS = {"type": "array", "items": {"type": "integer"}}
CHOICE = {"type": "string", "enum": ["low", "high"]}
POINT = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}


class Speed(StrEnum):
    LOW = "low"


def check(schema: Mapping[str, object], arguments: object) -> Checked:
    return compile_schema(schema)(arguments)  # type: ignore[arg-type]


def check_value(schema: object, value: object) -> Checked:
    """Check one value as the required argument `x`."""
    whole = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    return check(whole, {"x": value})


def problems(checked: Checked) -> list[tuple[str | None, str]]:
    return [(problem.field, problem.reason.value) for problem in checked.problems]


def exactly(value: object) -> object:
    """Return the value with its type, so that 1, 1.0 and True differ."""
    if isinstance(value, list):
        return [exactly(each) for each in value]
    if isinstance(value, dict):
        return {key: exactly(each) for key, each in value.items()}
    return (type(value).__name__, value)


TAKEN: list[tuple[object, object, list[object]]] = [
    (
        {"type": "boolean"},
        True,
        [True, 1, 1.0, "true", "1", "yes", "ON", " True ", [1]],
    ),
    ({"type": "boolean"}, False, [False, 0, 0.0, "false", "0", "No", "off", ["off"]]),
    ({"type": "integer"}, 3, [3, 3.0, "3", " 3 ", "+3", "3.0", "30e-1", [3], ["3"]]),
    ({"type": "integer"}, -20, ["-20"]),
    ({"type": "integer"}, 12345678901234567890, ["12345678901234567890"]),
    ({"type": "number"}, 3, [3, "3", [3]]),
    ({"type": "number"}, 3.7, [3.7, "3.7", [3.7]]),
    ({"type": "number"}, -150.0, ["-1.5e2", -150.0]),
    ({"type": "string"}, "text", ["text", ["text"]]),
    ({"type": "string"}, "", [""]),
    ({"type": "string"}, "5", [5, "5", [5]]),
    ({"type": "string"}, "2.5", [2.5]),
    ({"type": "string"}, "true", [True]),
    ({"type": "string"}, '["one"]', ['["one"]']),
    ({"type": "string"}, "2026-11-30", [date(2026, 11, 30)]),
    (CHOICE, "low", ["low", ["low"]]),
    (CHOICE, Speed.LOW, [Speed.LOW]),
    ({"enum": [1, 2]}, 2, [2, "2", [2]]),
    ({"type": "string", "enum": ["1", "2"]}, "1", ["1", 1]),
    ({"const": "on"}, "on", ["on"]),
    (TEXTS, ["a", "b"], [["a", "b"], ("a", "b"), '["a", "b"]']),
    (TEXTS, ["a, b"], ["a, b"]),
    (TEXTS, ["5", "true"], [["5", "true"], [5, True]]),
    (TEXTS, ["5"], [5, "5"]),
    (TEXTS, [], [[], "[]"]),
    (INTEGERS, [1, 2], [[1, 2], ["1", 2.0], "[1, 2]"]),
    (INTEGERS, [7], [7, "7", [7]]),
    ({"type": "array"}, [1, "a", None], [[1, "a", None]]),
    ({"type": "array", "items": POINT}, [{"x": 1}], [[{"x": 1}], '[{"x": "1"}]']),
    (POINT, {"x": 1}, [{"x": 1}, {"x": "1"}, '{"x": "1"}', MappingProxyType({"x": 1})]),
    ({"type": "object"}, {"any": {"thing": [1]}}, [{"any": {"thing": [1]}}]),
    ({"type": ["string", "integer"]}, 5, [5]),
    ({"type": ["integer", "null"]}, None, [None]),
    ({"type": ["integer", "null"]}, 5, [5, "5"]),
    ({"type": ["integer", "boolean"]}, True, [True, "yes"]),
    ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, 5, [5]),
    ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, True, [True, "on"]),
    ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 5, [5, "5"]),
    ({"anyOf": [POINT, TEXTS]}, ["light.a"], ["light.a"]),
    ({"anyOf": [{}]}, "anything", ["anything"]),
    ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, 3, [3, "3"]),
    ({}, None, [None]),
    (True, [None], [[None]]),
    ({"minimum": 3}, "no number", ["no number"]),
    ({"type": "no such type"}, {"a": 1}, [{"a": 1}]),
    ({"type": "integer", "minimum": 0, "maximum": 2}, 0, [0, "0"]),
    ({"type": "integer", "minimum": 0, "maximum": 2}, 2, [2]),
    ({"type": "number", "exclusiveMinimum": 0}, 0.1, [0.1]),
    ({"type": "number", "exclusiveMaximum": 1}, 0.9, [0.9]),
    ({"type": "string", "minLength": 2, "maxLength": 2}, "é漢", ["é漢"]),
    ({"type": "string", "pattern": "b"}, "abc", ["abc"]),
    ({"type": "array", "minItems": 1, "maxItems": 1}, [1], [[1]]),
    ({"items": {"type": "integer"}, "prefixItems": [{}]}, ["a"], [["a"]]),
    ({"minimum": True, "pattern": "(", "maxItems": -1, "required": 5}, [], [[]]),
]


@pytest.mark.parametrize(
    ("schema", "given", "passed"),
    [(schema, each, passed) for schema, passed, given in TAKEN for each in given],
)
def test_taken(schema: object, given: object, passed: object) -> None:
    checked = check_value(schema, given)
    assert not checked.problems
    assert exactly(checked.arguments) == exactly({"x": passed})


TYPE = ("x", "type")
VALUE = ("x", "value")
REQUIRED = ("x", "required")

REFUSED: list[tuple[object, tuple[str, str], list[object]]] = [
    ({"type": "boolean"}, TYPE, [2, -1, 0.5, nan, "maybe", [], [1, 0], {}]),
    ({"type": "integer"}, TYPE, [3.7, "3.7", True, False, "three", [1, 2], [], {}]),
    ({"type": "integer"}, TYPE, [nan, inf, "nan", "1e999", "1_0", "٣", "0x1F"]),
    ({"type": "number"}, TYPE, [nan, inf, -inf, "nan", "inf", "Infinity", True]),
    ({"type": "number"}, TYPE, ["1e999", "1,5", "9" * 5000, "3 4", {}]),
    ({"type": "string"}, TYPE, [[], ["a", "b"], {}, nan, inf, b"", [["a"]], [None]]),
    (TEXTS, TYPE, ["['a']", "[cut", {"a": 1}, '["a"] b']),
    ({"type": "array"}, TYPE, ["a", 5, '{"a": 1}', True]),
    (POINT, TYPE, ["x", "[1]", [], 5, '{"x": 1', [{"x": 1}]]),
    ({"type": ["integer", "boolean"]}, TYPE, ["three"]),
    ({"anyOf": [{"type": "integer"}, POINT]}, TYPE, ["three"]),
    ({"allOf": [{"type": "integer"}, {"type": "string"}]}, TYPE, [5, "5"]),
    (CHOICE, VALUE, ["medium", "LOW"]),
    ({"enum": [1, 2]}, VALUE, [3, "3"]),
    ({"enum": [1]}, TYPE, [True]),
    ({"const": 1}, VALUE, [2]),
    ({"enum": [1], "const": 2}, VALUE, [1, 2]),
    (False, VALUE, [1]),
    ({"type": "integer", "minimum": 0}, VALUE, [-1, "-1"]),
    ({"type": "integer", "maximum": 255}, VALUE, [300, "300"]),
    ({"type": "number", "exclusiveMinimum": 0}, VALUE, [0, -1]),
    ({"type": "number", "exclusiveMaximum": 1}, VALUE, [1.0, 2]),
    ({"type": "string", "minLength": 2}, VALUE, ["a", 5]),
    ({"type": "string", "maxLength": 2}, VALUE, ["abc"]),
    ({"type": "string", "pattern": "^a"}, VALUE, ["b"]),
    ({"type": "array", "minItems": 1}, VALUE, [[]]),
    ({"type": "array", "maxItems": 1}, VALUE, [[1, 2]]),
    ({"minimum": 3}, VALUE, [2]),
    (INTEGERS, ("x[1]", "type"), [["1", "b"], '[1, "b"]']),
    (INTEGERS, ("x[0]", "type"), ["b", ["b"]]),
    (POINT, ("x.x", "required"), [{}, {"x": None}, {"x": ""}, "{}"]),
    ({"anyOf": [POINT, {"type": "null"}]}, ("x.x", "type"), [{"x": "b"}]),
    ({"type": "integer"}, REQUIRED, [None, ""]),
    ({"type": "string"}, REQUIRED, [None]),
    ({"type": "boolean"}, REQUIRED, ["  "]),
    ({"type": "string", "minLength": 1}, REQUIRED, [""]),
    (CHOICE, REQUIRED, ["", None]),
    (TEXTS, REQUIRED, [""]),
    (POINT, REQUIRED, [" "]),
]


@pytest.mark.parametrize(
    ("schema", "given", "wrong"),
    [(schema, each, wrong) for schema, wrong, given in REFUSED for each in given],
)
def test_refused(schema: object, given: object, wrong: tuple[str, str]) -> None:
    assert problems(check_value(schema, given)) == [wrong]


OPTIONAL: Schema = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "maybe": {"type": ["integer", "null"]},
        "open": {},
    },
}


@pytest.mark.parametrize(
    ("given", "passed", "wrong"),
    [
        ({}, {}, []),
        ({"n": None}, {}, []),
        ({"maybe": None}, {"maybe": None}, []),
        ({"open": None}, {"open": None}, []),
        ({"n": "2"}, {"n": 2}, []),
        ({"n": ""}, {"n": ""}, [("n", "type")]),
        ({"n": "three"}, {"n": "three"}, [("n", "type")]),
        ({"extra": "1"}, {"extra": "1"}, []),
        ({"extra": None}, {"extra": None}, []),
    ],
)
def test_optional(given: Schema, passed: Schema, wrong: list[object]) -> None:
    checked = check(OPTIONAL, given)
    assert (checked.arguments, problems(checked)) == (passed, wrong)


@pytest.mark.parametrize(
    ("extra", "given", "passed", "wrong"),
    [
        (True, {"b": "1"}, {"b": "1"}, []),
        ({}, {"b": "1"}, {"b": "1"}, []),
        ({"type": "integer"}, {"b": "1"}, {"b": 1}, []),
        ({"type": "integer"}, {"b": None}, {}, []),
        ({"type": "integer"}, {"b": "x"}, {"b": "x"}, [("b", "type")]),
        (False, {"b": 1}, {"b": 1}, [("b", "value")]),
        (False, {"b": None}, {"b": None}, [("b", "value")]),
        (False, {"x-1": "2"}, {"x-1": 2}, []),
        (False, {"x-a": "2"}, {"x-a": 2}, [("x-a", "value")]),
    ],
)
def test_extra(extra: object, given: Schema, passed: Schema, wrong: object) -> None:
    schema = {
        "properties": {"a": {}, "x-a": {"maximum": 1}},
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": extra,
    }
    checked = check(schema, given)
    assert (checked.arguments, problems(checked)) == (passed, wrong)


DEEP: Schema = {
    "type": "object",
    "properties": {
        "data": {
            "type": "object",
            "properties": {
                "items": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": {"type": "integer"},
                            "a.b": {"enum": [1]},
                        },
                    },
                }
            },
        },
        "to": {"type": "string"},
        "from": {"type": "string"},
    },
    "required": ["to", "from"],
    "additionalProperties": False,
}


def test_all_problems_are_found_at_once() -> None:
    items = [{}, {"a.b": 2}, {"name": "x"}]
    checked = check(DEEP, {"data": {"items": items}, "form": "y", "from": ""})
    assert problems(checked) == [
        ("to", "required"),
        ('data.items[1]["a.b"]', "value"),
        ("data.items[2].name", "type"),
        ("form", "value"),
    ]


@pytest.mark.parametrize(
    ("schema", "given", "detail", "hint"),
    [
        (
            {"type": "integer", "minimum": 0, "maximum": 255},
            300,
            "found the number 300",
            "expected: an integer at least 0 and at most 255",
        ),
        (
            {"type": "integer"},
            "three",
            'found the text "three"',
            "expected: an integer",
        ),
        (
            CHOICE,
            "hihg",
            'found the text "hihg"',
            'did you mean "high"? expected: one of "low", "high"',
        ),
        (
            {"type": ["boolean", "null"]},
            [1, 2],
            "found a list of 2",
            "expected: true or false or null",
        ),
        (
            {"type": "array", "items": {"type": "number"}, "minItems": 3},
            [1],
            "found a list of 1",
            "expected: a list of at least 3 elements, each a number",
        ),
        (
            {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^a"}]},
            "b",
            'found the text "b"',
            "expected: a text that matches the pattern ^a",
        ),
        (
            {"type": "integer"},
            None,
            "null was given",
            "expected: an integer",
        ),
        (
            {"type": "integer"},
            "",
            "a blank text was given",
            "expected: an integer",
        ),
        (
            {"enum": list(range(60))},
            60,
            "found the number 60",
            f"expected: one of {', '.join(map(str, range(40)))} and 20 more",
        ),
        (
            {"type": "integer"},
            "é" * 500,
            f'found the text "{"é" * 79}… (502 characters)',
            "expected: an integer",
        ),
    ],
)
def test_words(schema: object, given: object, detail: str, hint: str) -> None:
    (problem,) = check_value(schema, given).problems
    assert (problem.detail, problem.hint) == (detail, hint)


def test_an_extra_argument_is_told_with_the_nearest_name() -> None:
    schema = {"properties": {"brightness": {}}, "additionalProperties": False}
    (problem,) = check(schema, {"brigthness": 1}).problems
    assert problem == ToolError(
        reason=Reason.VALUE,
        field="brigthness",
        detail='there is no "brigthness" here',
        hint='did you mean "brightness"? known here: "brightness"',
    )


def test_alternatives_that_nearly_fit_are_all_told() -> None:
    schema = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    (problem,) = check(schema, {}).problems
    assert problem.field == "a"
    assert problem.hint == "a: expected: a value; or b: expected: a value"


def test_nothing_that_comes_out_is_shared_with_what_came_in() -> None:
    inner = {"open": [1]}
    checked = check({"properties": {"a": {"type": "object"}}}, {"a": inner, "b": inner})
    inner["open"].append(2)
    inner["more"] = []
    assert checked.arguments == {"a": {"open": [1]}, "b": {"open": [1]}}


def test_a_schema_that_changes_later_changes_nothing() -> None:
    properties: Schema = {"a": {"type": "integer"}}
    checker = compile_schema({"properties": properties})
    properties["a"] = {"type": "string"}
    assert checker({"a": "1"}).arguments == {"a": 1}


def test_an_endless_number_is_no_text() -> None:
    assert problems(check_value({"type": "string"}, 10**5000)) == [TYPE]


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def endless() -> object:
    value: list[object] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        (nested(60), []),
        (nested(70), [VALUE]),
        (nested(100_000), [VALUE]),
        (endless(), [VALUE]),
        ("[" * 100_000, []),
    ],
)
def test_depth_has_an_end(value: object, wrong: list[object]) -> None:
    assert problems(check_value({}, value)) == wrong


@pytest.mark.parametrize("value", ["[" * 100_000, nested(100_000), endless()])
def test_depth_has_an_end_in_texts_too(value: object) -> None:
    assert check_value({"type": "array"}, value).problems


def test_a_schema_without_end_is_cut() -> None:
    schema: Schema = {"type": "object", "properties": {}}
    schema["properties"] = {"inner": schema, "n": {"type": "integer"}}
    checked = check(schema, {"inner": {"n": "1"}, "n": "1"})
    assert checked.arguments == {"inner": {"n": "1"}, "n": 1}


@pytest.mark.parametrize("kind", ["object", "nonsense", ["array", "object", "null"]])
@pytest.mark.parametrize("arguments", [None, [], "", "{", 5, b"x", nan])
def test_what_are_no_arguments_is_told(kind: object, arguments: object) -> None:
    checked = check({"type": kind}, arguments)
    assert checked.arguments == {}
    assert [problem.reason for problem in checked.problems] == [Reason.TYPE]


def test_a_schema_of_no_object_takes_no_arguments() -> None:
    checked = check({"type": "string"}, {"a": 1})
    assert [problem.reason for problem in checked.problems] == [Reason.TYPE]


def test_mappings_of_other_kinds_and_odd_keys_pass() -> None:
    arguments = OrderedDict([("a", 1), (2, "b"), (None, [1])])
    assert check({}, arguments).arguments == {"a": 1, 2: "b", None: [1]}


def test_odd_keys_with_bad_values_are_told_like_others() -> None:
    checked = check({"additionalProperties": {"type": "integer"}}, {True: "x", 2: "y"})
    assert problems(checked) == [("true", "type"), ('["2"]', "type")]


def test_odd_keys_are_told_like_others() -> None:
    checked = check({"additionalProperties": False}, {1: 2, ("a",): 3})
    assert problems(checked) == [('["1"]', "value"), ('["[\\"a\\"]"]', "value")]


@pytest.mark.parametrize(
    ("schema", "given"),
    [
        ({"type": "object", "additionalProperties": False}, "keys"),
        ({"type": "array", "items": {"enum": ["red", "green"]}}, "elements"),
    ],
)
def test_many_problems_are_told_up_to_a_number(schema: Schema, given: str) -> None:
    """The rest is not looked at, which is told; nothing of it is lost."""
    many = [f"rde{number}" for number in range(5000)]
    value = dict.fromkeys(many, 1) if given == "keys" else many
    checked = check_value(schema, value)
    assert len(checked.problems) == MOST_PROBLEMS + 1
    assert checked.problems[-1].detail.startswith(f"{5000 - MOST_PROBLEMS} more")
    assert checked.arguments == {"x": value}
