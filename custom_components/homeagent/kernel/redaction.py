"""Keeps secrets out of what is written down.

Low in the kernel, above `json_values`: what a schema calls a password, and what its name
says is one, is replaced before anything is kept (page 2 §2.4).
"""

from collections.abc import Iterable, Iterator, Mapping
import re
from typing import Final

from .json_values import Json, to_json_value

REDACTED: Final = "**redacted**"

_SECRET: Final = frozenset(
    "apikey auth authorization credential credentials passcode passphrase passwd password"
    " pass pin psk secret token".split()
)
"""Last words of names of secrets, beside `api_key` and `code`."""

_PLAIN_CODES: Final = frozenset(
    "area bar color country error event exit http key language postal qr region response"
    " result return scan source state status zip".split()
)
"""What stands before `code` in the names of codes that are no secrets."""

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORDS: Final = re.compile(r"[a-z0-9]+")

SHORTEST_SECRET: Final = 4
"""Characters of a secret that is looked for elsewhere: a shorter one is in any text."""


def redact(value: object, schema: Mapping[str, object] | None = None) -> Json:
    """Return the JSON form of a value without its secrets."""
    return _redacted(to_json_value(value), {} if schema is None else schema)


def is_secret(name: str, schema: Mapping[str, object] | None = None) -> bool:
    """Whether a key's name, or its schema, says that the value is a secret."""
    if schema and (schema.get("format") == "password" or schema.get("writeOnly")):
        return True
    words = _WORDS.findall(_HUMP.sub("_", name).casefold())
    if not words:
        return False
    before, last = words[-2] if len(words) > 1 else "", words[-1]
    if last == "code":
        return before not in _PLAIN_CODES
    return last in _SECRET or (before, last) == ("api", "key")


def secrets_in(value: object, schema: Mapping[str, object] | None = None) -> set[str]:
    """Return the texts that `redact` takes out, for `scrub` to find them elsewhere."""
    found: set[str] = set()
    _collect(to_json_value(value), {} if schema is None else schema, found)
    return found


def scrub(value: Json, secrets: Iterable[str]) -> Json:
    """Return a value in which secrets that stand inside of its texts are replaced."""
    known = sorted(secrets, key=len, reverse=True)
    return _scrubbed(value, known) if known else value


def _scrubbed(value: Json, secrets: list[str]) -> Json:
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, REDACTED)
        return value
    if isinstance(value, list):
        return [_scrubbed(inner, secrets) for inner in value]
    if isinstance(value, dict):
        return {key: _scrubbed(inner, secrets) for key, inner in value.items()}
    return value


def _collect(value: Json, schema: Mapping[str, object], found: set[str]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            part = _part(_part(schema, "properties"), key)
            if is_secret(key, part):
                found.update(_texts(inner))
            else:
                _collect(inner, part, found)
    elif isinstance(value, list):
        for inner in value:
            _collect(inner, _part(schema, "items"), found)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) >= SHORTEST_SECRET:
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


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
