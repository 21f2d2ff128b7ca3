"""Keeps secrets out of what is written down.

Low in the kernel, above `json_values`: what a schema calls a password, and what its name
says is one, is replaced before anything is kept (page 2 §2.4).
"""

from collections.abc import Mapping
import re
from typing import Final

from .json_values import Json, to_json_value

REDACTED: Final = "**redacted**"

_SECRET: Final = re.compile(
    r"(^|[_-])(pin|password|passcode|token|secret|api_?key|authorization)$|^code$",
    re.IGNORECASE,
)


def redact(value: object, schema: Mapping[str, object] | None = None) -> Json:
    """Return the JSON form of a value without its secrets."""
    return _redacted(to_json_value(value), {} if schema is None else schema)


def is_secret(name: str, schema: Mapping[str, object] | None = None) -> bool:
    """Whether a key's name, or its schema, says that the value is a secret."""
    if schema and (schema.get("format") == "password" or schema.get("writeOnly")):
        return True
    return _SECRET.search(name.strip()) is not None


def _redacted(value: Json, schema: Mapping[str, object]) -> Json:
    if isinstance(value, dict):
        return {
            key: _member(key, inner, _part(_part(schema, "properties"), key))
            for key, inner in value.items()
        }
    if isinstance(value, list):
        items = _part(schema, "items")
        return [_redacted(inner, items) for inner in value]
    return value


def _member(name: str, value: Json, schema: Mapping[str, object]) -> Json:
    if value is not None and is_secret(name, schema):
        return REDACTED
    return _redacted(value, schema)


def _part(schema: Mapping[str, object], key: str) -> Mapping[str, object]:
    part = schema.get(key)
    return part if isinstance(part, Mapping) else {}
