"""A tool's parameters as models get them: few words, one plain type for each value.

Pure; above `compact_schema`. Model servers differ in what they take of JSON Schema: some
fail on a list of types, some on an array without items. What is shown here says less
than what the door takes, never something else. Clients that check arguments by
themselves get `publish` of the same parameters instead.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from ..kernel.contract import JsonSchema
from ..kernel.json_values import Json
from .compact_schema import compact_schema

type Schema = dict[str, Json]

_PREFERRED: Final = ("array", "object", "string", "number", "integer", "boolean")
"""Which type is shown where several are taken; a list takes one text as well."""

_UNSAID: Final = frozenset({"minLength", "maxLength", "pattern"})
"""Limits of texts that need not be known beforehand: who exceeds them is told."""

_ANYTHING: Final = 4
"""So many types are all types: nothing is said then."""

_IDS: Final[Schema] = {"type": ["string", "array"]}
"""How a short schema shows one id or several."""

_NAMES: Final = {str: "string", bool: "boolean", int: "integer", float: "number"}


def shown_schema(
    parameters: JsonSchema, shown: Mapping[str, str | None] | None = None
) -> Schema:
    """Return the short schema of the parameters that are shown; None shows all.

    A text in `shown` replaces a description. What is required is always shown.
    """
    short = compact_schema(parameters)
    given = short.get("properties")
    properties: Schema = given if isinstance(given, dict) else {}
    required = [name for name in _texts(short.get("required")) if name in properties]
    if shown is not None:
        names = [*shown, *(name for name in required if name not in shown)]
        properties = {
            name: _described(properties[name], shown.get(name))
            for name in names
            if name in properties
        }
    schema: Schema = {"type": "object", "properties": properties}
    return schema | ({"required": [*required]} if required else {})


def _described(schema: Json, text: str | None) -> Json:
    if text is None or not isinstance(schema, dict):
        return schema
    rest = {key: value for key, value in schema.items() if key != "description"}
    return rest | ({"description": text} if text else {})


def model_schema(schema: Schema, *, free_objects: bool = True) -> Schema:
    """Return a shown schema with one type for each value.

    Without `free_objects` an object of unknown keys is shown as JSON text, which the
    door takes as well: some servers know no such objects.
    """
    given = schema.get("properties")
    properties = given if isinstance(given, dict) else {}
    plain = {name: _plain(each, free_objects) for name, each in properties.items()}
    return {**schema, "properties": plain}


def _plain(schema: Json, free_objects: bool) -> Json:
    if not isinstance(schema, dict):
        return {}
    plain = _of_one_type(schema)
    if plain.get("type") == "object" and not plain.get("properties"):
        return plain if free_objects else _as_text(plain)
    for key in ("properties", "items"):
        inner = plain.get(key)
        if key == "items" and isinstance(inner, dict):
            plain["items"] = _plain(inner, free_objects)
        elif isinstance(inner, dict):
            plain[key] = {
                name: _plain(each, free_objects) for name, each in inner.items()
            }
    for key in ("anyOf", "oneOf", "allOf"):
        options = plain.pop(key, None)
        if isinstance(options, list):
            plain |= _options("allOf" if key == "allOf" else "anyOf", options, plain)
    return plain


def _options(key: str, options: list[Json], beside: Schema) -> Schema:
    """Return alternatives, or the only one that is left without null."""
    each: list[Json] = []
    for option in options:
        plain = _plain(option, True)
        if plain not in each and plain != {"type": "null"}:
            each.append(plain)
    if len(each) == 1 and isinstance(each[0], dict):
        return {**each[0], **beside}
    return {key: each} if each else {}


def _of_one_type(schema: Schema) -> Schema:
    plain = {key: value for key, value in schema.items() if key not in _UNSAID}
    if "const" in plain:
        plain["enum"] = [plain.pop("const")]
    kind = plain.get("type")
    if isinstance(kind, list):
        kinds = [each for each in _texts(kind) if each != "null"]
        del plain["type"]
        if len(kinds) < _ANYTHING and (chosen := _preferred(kinds)):
            plain["type"] = chosen
            if schema == _IDS:
                plain["items"] = {"type": "string"}
    elif kind is None and (named := _kind_of(plain.get("enum"))):
        plain["type"] = named
    if plain.get("type") == "array":
        plain.setdefault("items", {})
    return plain


def _preferred(kinds: Sequence[str]) -> str | None:
    return next((kind for kind in _PREFERRED if kind in kinds), None)


def _kind_of(values: Json) -> str | None:
    """Return the one type that all values of an enum have."""
    if not isinstance(values, list):
        return None
    kinds = {_NAMES.get(type(value)) for value in values}
    return kinds.pop() if len(kinds) == 1 else None


def _as_text(schema: Schema) -> Schema:
    text = schema.get("description")
    said = f"{text} " if isinstance(text, str) else ""
    return {"type": "string", "description": f"{said}An object, written as JSON text."}


def _texts(value: Json) -> list[str]:
    return (
        [one for one in value if isinstance(one, str)]
        if isinstance(value, list)
        else []
    )
