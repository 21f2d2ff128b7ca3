"""A tool's parameters in few words: what a search shows before a tool is called.

Pure; imports the kernel's JSON forms only. What is shown is a JSON Schema again: it says
no more than the full one, and where it says less, it says so.
"""

from collections.abc import Mapping
from typing import Final

from ..kernel.contract import JsonSchema
from ..kernel.json_text import encode_json
from ..kernel.json_values import Json, to_json_value

LONGEST_TEXT: Final = 160
"""Characters that are kept of a description."""

MOST_VALUES: Final = 20
"""Values of an enum that are shown."""

LONGEST_SCHEMA: Final = 4000
"""Characters of JSON that a shown schema may have before descriptions are left out."""

PLACES: Final = ("entity_id", "device_id", "area_id", "floor_id", "label_id")
IDS: Final[Json] = {"type": ["string", "array"]}
_LEFT_OUT: Final = frozenset({"additionalProperties", "examples", "default", "format"})


def compact_schema(schema: JsonSchema) -> dict[str, Json]:
    """Return a short form of the schema of a tool's parameters."""
    plain = to_json_value(schema)
    full = plain if isinstance(plain, dict) else {}
    properties = full.get("properties")
    if not isinstance(properties, dict) or not properties:
        return {"type": "object"}
    short: dict[str, Json] = {
        "type": "object",
        "properties": {
            name: IDS if name in PLACES and _takes_target(properties) else _short(each)
            for name, each in properties.items()
            if name != "target" or not _takes_target(properties)
        },
    }
    if required := full.get("required"):
        short["required"] = required
    if len(encode_json(short)) > LONGEST_SCHEMA:
        return _without_texts(short)
    return short


def _takes_target(properties: Mapping[str, Json]) -> bool:
    """Whether the same ids are taken flat and in a target: one of both is enough."""
    return "target" in properties and any(name in properties for name in PLACES)


def _short(schema: Json) -> Json:
    if not isinstance(schema, dict):
        return schema
    short: dict[str, Json] = {}
    for key, value in schema.items():
        if key in _LEFT_OUT:
            continue
        if key == "properties" and isinstance(value, dict):
            short[key] = {name: _short(each) for name, each in value.items()}
        elif isinstance(value, dict):
            short[key] = _short(value)
        elif key in {"anyOf", "oneOf", "allOf"} and isinstance(value, list):
            short[key] = [_short(each) for each in value]
        else:
            short[key] = value
    return _fewer_values(_cut_text(short))


def _cut_text(schema: dict[str, Json]) -> dict[str, Json]:
    text = schema.get("description")
    return (
        schema | {"description": short_text(text)} if isinstance(text, str) else schema
    )


def short_text(text: str) -> str:
    """Return a description, or its beginning and a mark that it goes on."""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT].rstrip()}…"


def _fewer_values(schema: dict[str, Json]) -> dict[str, Json]:
    """Show some of very many values; as an enum they would be wrong."""
    values = schema.get("enum")
    if not isinstance(values, list) or len(values) <= MOST_VALUES:
        return schema
    shown = ", ".join(str(value) for value in values[:MOST_VALUES])
    told = f"One of {len(values)} values: {shown}, …"
    rest = {key: value for key, value in schema.items() if key != "enum"}
    text = schema.get("description")
    return rest | {"description": f"{text} {told}" if isinstance(text, str) else told}


def _without_texts(schema: dict[str, Json]) -> dict[str, Json]:
    properties = schema["properties"]
    assert isinstance(properties, dict)
    bare: dict[str, Json] = {
        name: {"type": each["type"]}
        if isinstance(each, dict) and "type" in each
        else {}
        for name, each in properties.items()
    }
    return schema | {
        "properties": bare,
        "description": "Shortened: types only; the tool itself tells what is wrong.",
    }
