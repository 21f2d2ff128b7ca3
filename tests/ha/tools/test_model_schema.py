"""Schemas as models get them."""

from collections.abc import Mapping

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
import pytest

from custom_components.homeagent.kernel.contract import JsonSchema
from custom_components.homeagent.tools.model_schema import model_schema, shown_schema


def object_of(name: str, schema: object) -> JsonSchema:
    """Return parameters with one property."""
    return {"type": "object", "properties": {name: schema}}


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 1}),
        ({"type": ["string", "null"]}, {"type": "string"}),
        ({"type": ["string", "boolean"]}, {"type": "string"}),
        (
            {"type": ["string", "array"], "items": {"type": "string"}},
            {"type": "array", "items": {"type": "string"}},
        ),
        ({"type": "array"}, {"type": "array", "items": {}}),
        ({"enum": ["a", "b"]}, {"enum": ["a", "b"], "type": "string"}),
        ({"enum": ["a", 1]}, {"enum": ["a", 1]}),
        ({"const": 3}, {"enum": [3], "type": "integer"}),
        ({"type": "string", "pattern": "x", "maxLength": 9}, {"type": "string"}),
        (
            {"anyOf": [{"type": "number"}, {"type": "null"}], "description": "d"},
            {"type": "number", "description": "d"},
        ),
        (
            {"oneOf": [{"type": "number"}, {"type": ["object", "null"]}]},
            {"anyOf": [{"type": "number"}, {"type": "object"}]},
        ),
        ({"type": ["string", "number", "boolean", "array", "object", "null"]}, {}),
        (True, {}),
        (
            {"type": "object", "properties": {"a": {"type": ["null", "number"]}}},
            {"type": "object", "properties": {"a": {"type": "number"}}},
        ),
    ],
)
def test_one_plain_type(schema: object, shown: object) -> None:
    """Null and alternatives that say nothing are left out."""
    found = model_schema(shown_schema(object_of("p", schema)))
    assert found["properties"] == {"p": shown}
    Draft202012Validator.check_schema(found)


@pytest.mark.parametrize(
    ("chosen", "properties"),
    [
        (None, {"a": {"description": "A"}, "b": {"type": "number"}}),
        ({"b": None}, {"b": {"type": "number"}, "a": {"description": "A"}}),
        ({"a": "Short"}, {"a": {"description": "Short"}}),
        ({"a": "", "no": None}, {"a": {}}),
    ],
)
def test_what_is_shown(
    chosen: Mapping[str, str | None] | None, properties: dict[str, object]
) -> None:
    """Only what was chosen, in that order, and what is required; texts are replaced."""
    parameters = {
        "properties": {"a": {"description": "A"}, "b": {"type": "number"}},
        "required": ["a"],
    }
    shown = shown_schema(parameters, chosen)
    assert shown == {"type": "object", "properties": properties, "required": ["a"]}
    assert list(properties) == list(shown["properties"])  # type: ignore[arg-type]


def test_objects_of_unknown_keys_as_text() -> None:
    """For servers that know none; the door takes JSON text."""
    schema = shown_schema(object_of("p", {"type": "object", "description": "D."}))
    found = model_schema(schema, free_objects=False)["properties"]
    assert found == {
        "p": {"type": "string", "description": "D. An object, written as JSON text."}
    }
