"""What a schema says to its readers and not to a checker.

Low in the kernel, above `schema_reading`.
"""

from .schema_reading import Schema

_TEXTS = frozenset({"title", "description", "format", "contentMediaType"})
_TRUTHS = frozenset({"deprecated", "readOnly", "writeOnly"})

_VOCABULARY = frozenset(
    "type enum const anyOf oneOf allOf not if then else properties patternProperties"
    " additionalProperties propertyNames required minProperties maxProperties"
    " dependencies dependentRequired dependentSchemas unevaluatedProperties items"
    " prefixItems additionalItems unevaluatedItems contains minContains maxContains"
    " minItems maxItems uniqueItems minLength maxLength pattern minimum maximum"
    " exclusiveMinimum exclusiveMaximum multipleOf definitions contentEncoding"
    " contentSchema nullable discriminator".split()
)


def notes_of(schema: Schema) -> dict[str, object]:
    """Return titles, descriptions, defaults, and keys that JSON Schema does not know."""
    return {key: value for key, value in schema.items() if _is_note(key, value)}


def _is_note(key: str, value: object) -> bool:
    if key.startswith("$") or key in _VOCABULARY:
        return False
    if key in _TEXTS:
        return isinstance(value, str)
    if key in _TRUTHS:
        return isinstance(value, bool)
    return isinstance(value, list) if key == "examples" else True
