"""What stands in a JSON Schema, read so that garbage counts as not written.

Low in the kernel, above `json_values`; `validation` compiles by it and `lenient_schema`
publishes by it, so that both mean the same. Schemas here are plain JSON: `plain_schema`
makes them so (and thereby finite, with Python's cycles cut).

Not read, and so not checked: `$ref`, `not`, `if`, `dependent…`, `unevaluated…`,
`prefixItems` (where it stands, `items` is not checked either), `contains`, `uniqueItems`,
`multipleOf`, `propertyNames`, `minProperties`, `maxProperties`, `format`.
"""

from collections.abc import Mapping
from math import isfinite
import re
from warnings import catch_warnings

from .json_text import same_json
from .json_values import to_json_value

type Schema = Mapping[str, object]

SCALARS = frozenset({"string", "integer", "number", "boolean"})
KINDS = ("string", "integer", "number", "boolean", "array", "object", "null")

STRING_WORDS = frozenset({"minLength", "maxLength", "pattern"})
NUMBER_WORDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
ARRAY_WORDS = frozenset({"items", "minItems", "maxItems"})
OBJECT_WORDS = frozenset(
    {"properties", "required", "additionalProperties", "patternProperties"}
)
WORDS_OF: Mapping[str, frozenset[str]] = {
    "string": STRING_WORDS,
    "integer": NUMBER_WORDS,
    "number": NUMBER_WORDS,
    "boolean": frozenset(),
    "array": ARRAY_WORDS,
    "object": OBJECT_WORDS,
    "null": frozenset(),
}
"""The keywords that say something of values of a kind."""

_OWN_WORDS = frozenset({"type", "enum", "const"}).union(*WORDS_OF.values())


def plain_schema(schema: object) -> Schema:
    """Return the schema as plain JSON of its own; what is no object is open."""
    plain = to_json_value(schema)
    return plain if isinstance(plain, dict) else {}


def conjuncts(schema: Schema) -> tuple[Schema, ...]:
    """Return the parts that a value must satisfy all.

    A part is either of plain keywords, or `{"anyOf": [...]}` alone. `oneOf` is read as
    `anyOf`: with lenient forms, exactly one is a promise that nobody can keep.
    """
    parts: list[Schema] = []
    # Beside `prefixItems`, `items` speaks only of what comes after those.
    words = _OWN_WORDS - {"items"} if "prefixItems" in schema else _OWN_WORDS
    own = {key: schema[key] for key in schema if key in words}
    if own:
        parts.append(own)
    choices = (subschemas(schema, key) for key in ("anyOf", "oneOf"))
    parts += [{"anyOf": options} for options in choices if options]
    for each in subschemas(schema, "allOf"):
        parts += conjuncts(each) if isinstance(each, Mapping) else [{"anyOf": [each]}]
    # A type that the others imply anyhow ({"type": "string", "oneOf": [{"const": …}]}).
    if own.keys() == {"type"} and any(_implied(parts[0], part) for part in parts[1:]):
        del parts[0]
    return tuple(parts)


def _implied(own: Schema, part: Schema) -> bool:
    kinds = kinds_of_part(part)
    return bool(kinds) and set(kinds) <= set(kinds_of(own))


def kinds_of_part(part: Schema) -> tuple[str, ...]:
    """Return the kinds that a part admits, () for any."""
    if "anyOf" not in part:
        return kinds_of(part)
    found: dict[str, None] = {}
    for option in subschemas(part, "anyOf"):
        kinds = _kinds_of_all(option)
        if not kinds:
            return ()
        found.update(dict.fromkeys(kinds))
    return tuple(found)


def _kinds_of_all(option: Schema | bool) -> tuple[str, ...]:
    if not isinstance(option, Mapping):
        return ()
    for part in conjuncts(option):
        if kinds := kinds_of_part(part):
            return kinds
    return ()


def kinds_of(schema: Schema) -> tuple[str, ...]:
    """Return the types of a part of plain keywords, () for any.

    Where `type` is missing, the values of `enum` or `const` tell.
    """
    written = schema.get("type")
    names = written if isinstance(written, list) else [written]
    kinds = tuple(kind for kind in names if isinstance(kind, str) and kind in KINDS)
    if kinds:
        return tuple(dict.fromkeys(kinds))
    values = allowed_of(schema) or ()
    return tuple(dict.fromkeys(kind_of(value) for value in values))


def kind_of(value: object) -> str:
    """Return the JSON type of a value; "" for what is no JSON, like NaN."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "number"
    if isinstance(value, float):
        return "number" if isfinite(value) else ""
    if isinstance(value, str):
        return "string"
    if isinstance(value, list | tuple):
        return "array"
    return "object" if isinstance(value, Mapping) else ""


def allowed_of(schema: Schema) -> tuple[object, ...] | None:
    """Return the values that `enum` and `const` allow, None for no such limit."""
    enum = schema.get("enum")
    values = tuple(enum) if isinstance(enum, list) and enum else None
    if "const" not in schema:
        return values
    only = schema["const"]
    both = values is None or any(same_json(value, only) for value in values)
    return (only,) if both else ()


def number_of(schema: Schema, key: str) -> int | float | None:
    """Return a bound."""
    value = schema.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value


def count_of(schema: Schema, key: str) -> int | None:
    """Return a bound of a length."""
    value = number_of(schema, key)
    return int(value) if value is not None and value >= 0 and value % 1 == 0 else None


def pattern_of(text: object) -> re.Pattern[str] | None:
    """Return a compiled pattern, None for what Python cannot read as one."""
    if not isinstance(text, str):
        return None
    try:
        with catch_warnings(action="ignore"):
            return re.compile(text)
    except re.PatternError, OverflowError, RecursionError:
        return None


def subschema(value: object) -> Schema | bool:
    """Return a schema; what is none is open."""
    return value if isinstance(value, Mapping | bool) else True


def subschemas(schema: Schema, key: str) -> tuple[Schema | bool, ...]:
    """Return the members of `anyOf` and its like."""
    members = schema.get(key)
    if not isinstance(members, list | tuple):
        return ()
    return tuple(subschema(member) for member in members)


def named_subschemas(schema: Schema, key: str) -> dict[str, Schema | bool]:
    """Return the members of `properties` and its like."""
    members = schema.get(key)
    if not isinstance(members, Mapping):
        return {}
    return {str(name): subschema(member) for name, member in members.items()}


def required_of(schema: Schema) -> tuple[str, ...]:
    """Return the required keys."""
    names = schema.get("required")
    if not isinstance(names, list):
        return ()
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))


def items_of(schema: Schema) -> Schema | bool:
    """Return the schema of every element of an array."""
    return subschema(schema.get("items", True))


def holds_scalars(items: Schema | bool) -> bool:
    """Return whether elements are scalars, so that one alone may stand for a list."""
    if not isinstance(items, Mapping):
        return False
    parts = [kinds for part in conjuncts(items) if (kinds := kinds_of_part(part))]
    return (
        bool(parts)
        and set(parts[0]) - {"null"} <= SCALARS
        and set(parts[0]) != {"null"}
    )
