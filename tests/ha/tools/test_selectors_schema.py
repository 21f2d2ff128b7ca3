"""Every selector of Home Assistant has a sane JSON Schema."""

from collections.abc import Mapping

from homeassistant.helpers.selector import SELECTORS
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
import pytest

from custom_components.homeagent.tools import selectors_schema
from custom_components.homeagent.tools.selectors_schema import selector_schema

NEEDED: dict[str, Mapping[str, object]] = {
    "attribute": {"entity_id": "light.a"},
    "automation_behavior": {"mode": "trigger"},
    "choose": {"choices": {"a": {"selector": {"text": {}}}}},
    "constant": {"value": True},
    "device_class": {"domain": "sensor"},
    "file": {"accept": "*"},
    "numeric_threshold": {"mode": "is"},
    "qr_code": {"data": "x"},
    "select": {"options": ["a", "b"]},
}
"""What some selectors cannot do without."""


@pytest.mark.parametrize("kind", sorted(SELECTORS))
def test_no_selector_of_home_assistant_is_missing(kind: str) -> None:
    """A new one in Home Assistant shall be noticed here."""
    config = SELECTORS[kind].CONFIG_SCHEMA(dict(NEEDED.get(kind, {})))

    schema = selector_schema({kind: config})

    assert kind in selectors_schema._BUILDERS
    Draft202012Validator.check_schema(schema)
    assert schema != {}


def test_no_row_for_a_selector_that_is_gone() -> None:
    assert set(selectors_schema._BUILDERS) == set(SELECTORS)


ID = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


@pytest.mark.parametrize(
    ("selector", "schema"),
    [
        (
            {"number": {"min": 0.0, "max": 6.5}},
            {"type": "number", "minimum": 0, "maximum": 6.5},
        ),
        ({"number": {"mode": "box"}}, {"type": "number"}),
        (
            {"color_temp": {"unit": "kelvin", "min": 2000, "max": 6500}},
            {"type": "number", "minimum": 2000, "maximum": 6500},
        ),
        ({"boolean": None}, {"type": "boolean"}),
        ({"text": {"type": "password"}}, {"type": "string", "format": "password"}),
        (
            {"text": {"multiple": True}},
            {"type": "array", "items": {"type": "string"}},
        ),
        ({"entity": {}}, {"type": "string"}),
        ({"entity": {"multiple": True}}, ID),
        ({"area": {"multiple": True}}, ID),
        (
            {"select": {"options": ["a", "b"]}},
            {"type": "string", "enum": ["a", "b"]},
        ),
        (
            {"select": {"options": [{"value": "a", "label": "A"}], "multiple": True}},
            {"type": "array", "items": {"type": "string", "enum": ["a"]}},
        ),
        ({"select": {"options": ["a"], "custom_value": True}}, {"type": "string"}),
        ({"constant": {"value": 3}}, {"enum": [3]}),
        (
            {"language": {"languages": ["en", "de"]}},
            {"type": "string", "enum": ["en", "de"]},
        ),
        (
            {"object": {}},
            {"type": ["object", "array", "string", "number", "boolean"]},
        ),
        (
            {
                "object": {
                    "fields": {
                        "a": {"selector": {"text": {}}, "required": True},
                        "b": {"selector": {"number": {}}},
                    },
                    "multiple": True,
                }
            },
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}, "b": {"type": "number"}},
                    "additionalProperties": False,
                    "required": ["a"],
                },
            },
        ),
        (
            {
                "choose": {
                    "choices": {
                        "a": {"selector": {"number": {}}},
                        "b": {"selector": {"text": {}}},
                    }
                }
            },
            {
                "anyOf": [
                    {"type": "number"},
                    {"type": "string"},
                    {"type": "object", "required": ["active_choice"]},
                ]
            },
        ),
        ({"choose": {"choices": {"a": {"selector": {"unheard_of": {}}}}}}, {}),
        ({"unheard_of": {}}, {}),
        ({}, {}),
        (None, {}),
        ("text", {}),
        ({"text": {}, "number": {}}, {}),
        ({"select": {"options": "no list"}}, {"type": "string"}),
        ({"number": {"min": "no number"}}, {"type": "number"}),
    ],
)
def test_schemas(selector: object, schema: object) -> None:
    assert selector_schema(selector) == schema
