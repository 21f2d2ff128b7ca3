"""A schema in few words says nothing wrong."""

import json
from typing import Any

from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
import pytest

from custom_components.homeagent.tools.compact_schema import (
    LONGEST_SCHEMA,
    compact_schema,
    short_text,
)

IDS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


@pytest.mark.parametrize(
    ("schema", "short"),
    [
        ({}, {"type": "object"}),
        ({"properties": {}}, {"type": "object"}),
        (
            {"properties": {"a": {"type": "integer", "minimum": 1, "examples": [3]}}},
            {"a": {"type": "integer", "minimum": 1}},
        ),
        (
            {"properties": {"target": {}, "entity_id": IDS, "area_id": IDS}},
            {
                "entity_id": {"type": ["string", "array"]},
                "area_id": {"type": ["string", "array"]},
            },
        ),
        (
            {"properties": {"target": {"type": "string"}}},
            {"target": {"type": "string"}},
        ),
        ({"properties": {"a": True}}, {"a": True}),
    ],
)
def test_short(schema: dict[str, object], short: dict[str, object]) -> None:
    told = compact_schema(schema)
    assert told.get("properties", {"type": "object"}) == short


def test_required_stays() -> None:
    schema = {"properties": {"a": {}}, "required": ["a"]}
    assert compact_schema(schema)["required"] == ["a"]


def test_many_values_are_no_enum_any_more() -> None:
    """Some of them as an enum would be wrong."""
    values = [f"v{number}" for number in range(30)]
    told: Any = compact_schema({"properties": {"a": {"enum": values}}})
    assert "enum" not in told["properties"]["a"]
    assert "One of 30 values: v0, v1" in told["properties"]["a"]["description"]


def test_long_ones_say_that_they_are_shortened() -> None:
    properties = {
        f"p{number}": {"type": "string", "description": "x" * 150}
        for number in range(50)
    }
    told = compact_schema({"properties": properties})
    assert "Shortened" in str(told["description"])
    assert len(json.dumps(told)) < LONGEST_SCHEMA


def test_long_texts_are_marked() -> None:
    assert short_text("x" * 200).endswith("x…")
    assert short_text("short") == "short"


_SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "array", "object"]),
            "description": st.text(max_size=300),
            "enum": st.lists(st.integers(), min_size=1, max_size=40, unique=True),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {}, optional={"anyOf": st.lists(inner, min_size=1, max_size=3), "items": inner}
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["a", "target", "entity_id"]), _SCHEMAS))
def test_valid_stays_valid(properties: dict[str, object]) -> None:
    schema = {"type": "object", "properties": properties}
    Draft202012Validator.check_schema(compact_schema(schema))
