"""A JSON Schema as a function that coerces and checks arguments (§4.4).

In the kernel, above the `schema_…` modules and `contract`. A schema is compiled once,
when a tool is registered; the function runs for every call. What the checks mean:

- what is right by the schema's letter is passed on unchanged, but for copies;
- otherwise the lenient forms of `schema_scalars` and `schema_containers` count, and what
  is passed on is right by the schema's letter;
- a required key that is absent, null where the schema wants no null, or a blank text
  where the schema takes none, is `required`; null for an optional key is as absent;
- all problems are found, not only the first.

Keywords that nobody reads (`schema_reading` has the list) and garbage in a schema are as
if they were not written. Nothing here raises, for any schema and any arguments.
"""

from collections.abc import Callable

from .contract import Arguments, Checked, JsonSchema
from .errors import ToolError
from .schema_choices import all_of, first_of, one_of
from .schema_containers import Members, anything, array, nothing, object_
from .schema_problems import Mismatch
from .schema_reading import (
    SCALARS,
    WORDS_OF,
    Schema,
    allowed_of,
    conjuncts,
    items_of,
    kind_of,
    kinds_of,
    named_subschemas,
    pattern_of,
    plain_schema,
    required_of,
    subschema,
    subschemas,
)
from .schema_scalars import Check, null, scalar

type Checker = Callable[[Arguments], Checked]
"""Takes a call's arguments and returns a coerced copy and all problems; never raises.

With problems, the copy holds what could be coerced and the rest as it came.
"""


def compile_schema(schema: JsonSchema) -> Checker:
    """Return the checker of a tool's parameters, a schema of an object."""
    plain = plain_schema(schema)
    kinds = kinds_of({"type": plain.get("type")})
    # Whatever else a schema says, arguments are an object or nothing that fits.
    is_object = not kinds or "object" in kinds
    check = _compile({**plain, "type": "object"} if is_object else plain)

    def checker(arguments: Arguments) -> Checked:
        problems: tuple[ToolError, ...] = ()
        try:
            value = check(arguments)
        except Mismatch as mismatch:
            value, problems = mismatch.value, tuple(mismatch.problems)
        coerced = value if isinstance(value, dict) else {}
        return Checked(arguments=coerced, problems=problems)

    return checker


def _compile(schema: Schema | bool) -> Check:
    if isinstance(schema, bool):
        return anything if schema else nothing({"not": {}})
    checks = [_part(part) for part in conjuncts(schema)]
    return all_of(checks, schema) if checks else anything


def _part(part: Schema) -> Check:
    if "anyOf" in part:
        options = subschemas(part, "anyOf")
        return first_of([_compile(option) for option in options], part)
    if allowed_of(part) == ():
        return nothing(part)
    kinds = kinds_of(part)
    if not kinds:
        return _untyped(part)
    return first_of([_typed(kind, part) for kind in kinds], part)


def _typed(kind: str, part: Schema) -> Check:
    if kind in SCALARS:
        check = scalar(kind, part)
    elif kind == "null":
        check = null(part)
    elif kind == "array":
        check = array(part, _compile(items_of(part)))
    else:
        check = _object(part)
    allowed = allowed_of(part)
    return check if allowed is None else one_of(check, allowed, part)


def _object(part: Schema) -> Check:
    wanted = named_subschemas(part, "properties")
    patterns = [
        (pattern, _compile(schema))
        for text, schema in named_subschemas(part, "patternProperties").items()
        if (pattern := pattern_of(text))
    ]
    known: dict[object, Check] = {}
    for name, schema in wanted.items():
        also = [check for pattern, check in patterns if pattern.search(name)]
        known[name] = all_of([_compile(schema), *also], part)
    extra = subschema(part.get("additionalProperties", True))
    members = Members(
        known=known,
        required=required_of(part),
        patterns=tuple(patterns),
        extra=None if extra is False else _compile(extra),
    )
    return object_(part, members, wanted)


def _untyped(part: Schema) -> Check:
    """Return the check of keywords that only limit values of their own type."""
    checks = {
        kind: _typed(kind, part)
        for kind, words in WORDS_OF.items()
        if words & part.keys()
    }

    def check(value: object) -> object:
        limited = checks.get(kind_of(value))
        return anything(value) if limited is None else limited(value)

    return check
