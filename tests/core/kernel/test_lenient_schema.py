"""What is published takes the lenient forms and keeps what a model reads."""

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
import pytest

from custom_components.homeagent.kernel.lenient_schema import publish
from custom_components.homeagent.kernel.validation import compile_schema

type Schema = dict[str, object]


def published(schema: object, *, required: bool = True) -> object:
    """Return the published form of one argument `x`."""
    whole: Schema = {"type": "object", "properties": {"x": schema}}
    if required:
        whole["required"] = ["x"]
    result = publish(whole)
    Draft202012Validator.check_schema(result)
    properties = result["properties"]
    assert isinstance(properties, dict)
    return properties["x"]


NUMERIC = {"items": {"type": ["integer", "string"]}, "maxItems": 1}


@pytest.mark.parametrize(
    ("schema", "form"),
    [
        ({}, {}),
        (True, {}),
        (False, {"not": {}}),
        (
            {"type": "integer", "minimum": 0, "maximum": 9, "description": "How many"},
            {
                "description": "How many",
                "type": ["integer", "string", "array"],
                "minimum": 0,
                "maximum": 9,
                **NUMERIC,
            },
        ),
        (
            {"type": "string", "enum": ["low", "high"], "default": "low"},
            {
                "default": "low",
                "anyOf": [
                    {"type": "string", "enum": ["low", "high"]},
                    {
                        "type": "array",
                        "items": {"type": "string", "enum": ["low", "high"]},
                        "maxItems": 1,
                    },
                ],
            },
        ),
        (
            {"type": "integer", "enum": [1, 2]},
            {
                "anyOf": [
                    {"type": "integer", "enum": [1, 2]},
                    {"type": ["string", "array"], **NUMERIC},
                ]
            },
        ),
        (
            {"type": "array", "items": {"type": "object"}, "minItems": 1},
            {
                "type": ["array", "string"],
                "items": {"type": ["object", "string"]},
                "minItems": 1,
            },
        ),
        ({"anyOf": [{}]}, {}),
        ({"anyOf": []}, {}),
        ({"type": "no such type", "title": 5, "minimum": "x"}, {}),
        ({"type": "null"}, {"type": "null"}),
        ({"anyOf": [{"type": "null"}, {"type": "null"}]}, {"type": "null"}),
        ({"$ref": "#/x", "$defs": {}, "x-shown": 1}, {"x-shown": 1}),
    ],
)
def test_forms(schema: object, form: object) -> None:
    assert published(schema) == form


def test_optional_ones_may_be_null() -> None:
    form = published({"type": "boolean", "title": "On"}, required=False)
    assert isinstance(form, dict)
    assert form["title"] == "On"
    assert form["type"] == ["boolean", "integer", "string", "array", "null"]


def test_the_whole_is_always_an_object_with_properties() -> None:
    assert publish({}) == {"type": "object", "properties": {}}
    assert publish("garbage") == {"type": "object", "properties": {}}  # type: ignore[arg-type]


def test_alternatives_of_the_whole_are_left_out_beside_properties() -> None:
    schema: Schema = {
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        "additionalProperties": False,
        "description": "One of both",
    }
    assert publish(schema) == {
        "description": "One of both",
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "additionalProperties": False,
    }


LIST: Schema = {"type": "array"}
TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
FLAG: Schema = {"type": "object", "properties": {"a": {"type": "boolean"}}}

CLOSED: Schema = {
    "type": "object",
    "properties": {"b": {}},
    "additionalProperties": False,
}

TAKEN = [
    ({"type": "boolean"}, [True, 0, 1.0, "Yes", ["on"], None]),
    ({"type": "integer"}, [3, 3.0, "20", ["20"], None]),
    ({"type": "number"}, [3.7, "3.7", [3.7]]),
    ({"type": "string"}, ["a", 5, 2.5, True, ["a"]]),
    ({"type": "string", "enum": ["1", "true"]}, ["1", 1, True, [1], ["true"]]),
    (TEXTS, [["a"], "a", '["a"]', 5]),
    ({"type": "array", "items": {"type": "object"}}, [[{}], "[{}]", ["{}"]]),
    ({"type": "object"}, [{}, '{"a": 1}', None]),
    ({"allOf": [TEXTS, {"type": "array"}]}, [5]),
    ({"allOf": [{"type": "integer"}, {"enum": [5]}]}, ["5"]),
    ({"allOf": [FLAG, CLOSED]}, [{"a": None}]),
    ({"properties": {"a": TEXTS}, "patternProperties": {"a": LIST}}, [{"a": 5}]),
    ({"type": ["integer", "string"], "maximum": 5, "pattern": "^a"}, [3, "a", "3"]),
]
REFUSED = [
    ({"type": "boolean"}, [0.5, {}]),
    ({"type": "integer"}, [3.7, {}, True, ["1", "2"]]),
    ({"type": "integer", "maximum": 9}, [10]),
    ({"type": "string", "enum": ["low"]}, ["high", 5, ["high"]]),
    ({"type": "array", "items": {"type": "object"}}, [5, {}]),
    ({"type": "object"}, [5, []]),
]


@pytest.mark.parametrize(("schema", "values"), TAKEN)
def test_takes_the_lenient_forms(schema: Schema, values: list[object]) -> None:
    whole = {"properties": {"x": schema}}
    validator, check = Draft202012Validator(publish(whole)), compile_schema(whole)
    assert not any(check({"x": value}).problems for value in values)
    assert [value for value in values if not validator.is_valid({"x": value})] == []


@pytest.mark.parametrize(("schema", "values"), REFUSED)
def test_still_refuses(schema: Schema, values: list[object]) -> None:
    validator = Draft202012Validator(publish({"properties": {"x": schema}}))
    assert [value for value in values if validator.is_valid({"x": value})] == []
