"""The schema as it is published to clients that check arguments by themselves.

In the kernel, above `schema_reading`. MCP's SDK, for one, refuses what the published
schema does not take, before the door is asked; so what is published takes everything that
`validation` takes, and a little more. It is valid JSON Schema 2020-12 also where the
source is not, and keeps what a model reads: descriptions, choices, limits, `required`.

Left out: what `validation` does not read, and alternatives of the whole beside
properties, which model servers refuse (the door knows them).
"""

from collections.abc import Iterable, Mapping, Sequence

from .json_text import NotJsonError, decode_json, encode_json, same_json
from .schema_notes import notes_of
from .schema_reading import (
    KINDS,
    SCALARS,
    Schema,
    allowed_of,
    conjuncts,
    count_of,
    holds_scalars,
    items_of,
    kind_of,
    kinds_of,
    named_subschemas,
    number_of,
    pattern_of,
    plain_schema,
    required_of,
    subschema,
    subschemas,
)

type Published = dict[str, object]

_FORMS = {
    "string": ("string", "number", "boolean"),
    "integer": ("integer", "string"),
    "number": ("number", "string"),
    "boolean": ("boolean", "integer", "string"),
    "array": ("array", "string"),
    "object": ("object", "string"),
    "null": ("null",),
}
"""The types that are taken for each type, itself first."""


def publish(schema: Schema) -> Published:
    """Return the published form of a tool's parameters, a schema of an object."""
    plain = plain_schema(schema)
    parts = conjuncts({**plain, "type": "object"})
    own = next((part for part in parts if "properties" in part), None)
    body = _keywords(own, "object") if own else _body(parts, loose=False)
    whole = {**notes_of(plain), **body, "type": "object"}
    return whole if "anyOf" in whole or "allOf" in whole else {"properties": {}} | whole


def _node(
    schema: Schema | bool, *, loose: bool = False, optional: bool = False
) -> Published:
    """Return the published form of a value's schema.

    `loose` leaves out types: for one of several parts of which another one coerces.
    `optional` allows null, which then counts as absent.
    """
    if isinstance(schema, bool):
        body = {} if schema else _nothing()
        return _or_null(body) if optional else body
    body = _body(conjuncts(schema), loose=loose)
    return {**notes_of(schema), **(_or_null(body) if optional else body)}


def _body(parts: Sequence[Schema], *, loose: bool) -> Published:
    """Return the form of parts that must all hold: side by side where they can.

    Only the first part sees the value as it came; the others see what the parts before
    them made of it, unless they are the only one that makes anything of it.
    """
    coercing = [part for part in parts if _speaks_of_types(part)]
    bodies = [
        _part(part, loose=loose or (part is not parts[0] and coercing != [part]))
        for part in parts
    ]
    merged: Published = {}
    for body in bodies:
        if merged.keys() & body.keys():
            return {"allOf": [each for each in bodies if each]}
        merged |= body
    return merged


def _speaks_of_types(written: object) -> bool:
    if isinstance(written, Mapping):
        if written.keys() & {"type", "enum", "const"}:
            return True
        return any(map(_speaks_of_types, written.values()))
    return isinstance(written, list | tuple) and any(map(_speaks_of_types, written))


def _part(part: Schema, *, loose: bool) -> Published:
    if "anyOf" in part:
        return _any_of(_node(each, loose=loose) for each in subschemas(part, "anyOf"))
    if allowed_of(part) == ():
        return _nothing()
    kinds = kinds_of(part)
    if not kinds:
        return _untyped(part, loose=loose)
    if loose:
        return _any_of(_loose(part, kind) for kind in kinds)
    body = _of_kinds(part, [kind for kind in kinds if kind != "null"])
    if "null" not in kinds or _values(part, "null") == []:
        return body
    return {"type": "null"} if kinds == ("null",) else _or_null(body)


def _of_kinds(part: Schema, kinds: Sequence[str]) -> Published:
    limited = allowed_of(part) is not None or any(
        _keywords(part, kind) for kind in kinds
    )
    if kinds and SCALARS.issuperset(kinds) and not limited:
        return _scalars(kinds)
    return _any_of(form for kind in kinds for form in _typed(part, kind))


def _any_of(options: Iterable[Published]) -> Published:
    each: list[Published] = []
    for option in options:
        if not option:
            return {}
        if option not in each:
            each.append(option)
    return each[0] if len(each) == 1 else {"anyOf": each} if each else _nothing()


def _nothing() -> Published:
    return {"not": {}}


def _or_null(body: Published) -> Published:
    if not body.keys() & {"type", "anyOf", "allOf", "not"}:
        return body
    types = body.get("type")
    if types is not None and not body.keys() & {"enum", "anyOf", "allOf", "not"}:
        listed = types if isinstance(types, list) else [types]
        return {**body, "type": [*listed, *({"null"} - set(listed))]}
    null: Published = {"type": "null"}
    options = body["anyOf"] if body.keys() == {"anyOf"} else [body]
    assert isinstance(options, list)
    return _any_of([*options, null])


def _typed(part: Schema, kind: str) -> list[Published]:
    """Return the forms in which a type is taken."""
    values = _values(part, kind)
    if values == []:
        return []
    keywords = _keywords(part, kind)
    if kind in SCALARS and values is not None:
        return _choices(kind, values)
    if kind in SCALARS:
        return [_scalars((kind,)) | keywords]
    forms = list(_FORMS[kind])
    if kind == "array":
        forms += ["number", "boolean"] if holds_scalars(items_of(part)) else []
        keywords = {"items": {}} | keywords
    return [{"type": forms, **keywords}]


def _scalars(kinds: Iterable[str]) -> Published:
    """Return the form of scalars without limits: each alone, or as a list of one."""
    forms = [*dict.fromkeys(form for kind in kinds for form in _FORMS[kind])]
    if "number" in forms and "integer" in forms:
        forms.remove("integer")
    return {"type": [*forms, "array"], "items": {"type": forms}, "maxItems": 1}


def _choices(kind: str, values: list[object]) -> list[Published]:
    forms = [form for form in _FORMS[kind] if form != kind]
    if kind == "string":
        spelled = [other for value in values for other in _spelled(value)]
        choice: Published = {"enum": [*values, *spelled]}
        choice = choice if spelled else {"type": "string", **choice}
        return [choice, {"type": "array", "items": choice, "maxItems": 1}]
    alone: Published = {"type": kind, "enum": values}
    lenient = [*forms, "array"]
    return [alone, {"type": lenient, "items": {"type": [kind, *forms]}, "maxItems": 1}]


def _spelled(text: object) -> list[object]:
    """Return the number or boolean whose JSON text a text is."""
    try:
        value = decode_json(str(text))
    except NotJsonError:
        return []
    is_scalar = isinstance(value, bool | int | float)
    return [value] if is_scalar and encode_json(value) == text else []


def _values(part: Schema, kind: str) -> list[object] | None:
    """Return the allowed values of a type, None where all are."""
    allowed = allowed_of(part)
    if allowed is None:
        return None
    wanted = "number" if kind == "integer" else kind
    values: list[object] = []
    for value in allowed:
        fits = kind_of(value) == wanted
        if fits and not any(same_json(value, other) for other in values):
            values.append(value)
    return values


def _loose(part: Schema, kind: str) -> Published:
    values = _values(part, kind)
    if values == []:
        return _nothing()
    if values is None or kind not in SCALARS:
        return _keywords(part, kind, loose=True)
    spelled = [other for value in values for other in _spelled(value)]
    return {"anyOf": [{"enum": [*values, *spelled]}, {"not": {"type": kind}}]}


def _untyped(part: Schema, *, loose: bool) -> Published:
    body: Published = {}
    for kind in KINDS:
        body |= _keywords(part, kind, loose=loose)
    return body


def _keywords(part: Schema, kind: str, *, loose: bool = False) -> Published:
    """Return the keywords that limit values of a type."""
    match kind:
        case "string":
            found: Published = {
                key: count_of(part, key) for key in ("minLength", "maxLength")
            }
            if pattern_of(part.get("pattern")):
                found["pattern"] = part["pattern"]
        case "integer" | "number":
            found = {key: number_of(part, key) for key in _BOUNDS}
        case "array":
            found = {key: count_of(part, key) for key in ("minItems", "maxItems")}
            if (items := items_of(part)) is not True:
                found["items"] = _node(items, loose=loose)
        case "object":
            found = _members(part, loose=loose)
        case _:
            found = {}
    return {key: value for key, value in found.items() if value is not None}


_BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")


def _members(part: Schema, *, loose: bool) -> Published:
    required = required_of(part)
    found: Published = {}
    properties = named_subschemas(part, "properties")
    if properties:
        found["properties"] = {
            name: _node(each, loose=loose, optional=name not in required)
            for name, each in properties.items()
        }
    if required:
        found["required"] = list(required)
    patterns = named_subschemas(part, "patternProperties")
    if patterns:
        # They come after `properties` and each other, and see what those made.
        later = bool(properties) or len(patterns) > 1
        found["patternProperties"] = {
            text: _node(each, loose=loose or later, optional=True)
            for text, each in patterns.items()
            if pattern_of(text)
        }
    extra = subschema(part.get("additionalProperties", True))
    if extra is False and not loose:
        found["additionalProperties"] = False
    elif isinstance(extra, Mapping):
        found["additionalProperties"] = _node(extra, loose=loose, optional=True)
    return found
