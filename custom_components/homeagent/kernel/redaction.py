"""Keeps secrets out of what is written down.

Low in the kernel, above `json_values`: what a schema calls a password, and what its name
says is one, is replaced before anything is kept (page 2 §2.4).
"""

from collections.abc import Iterable, Iterator, Mapping
import json
import re
from typing import Final

from .json_values import Json, to_json_value

REDACTED: Final = "**redacted**"

_SECRET: Final = frozenset(
    "apikey auth authorization bearer cookie credential otp pass passcode passphrase passwd"
    " password passwort pin psk pwd secret token webhook 密码 密钥 口令".split()
)
"""Words that make a name the name of a secret, wherever they stand in it."""

_GLUED: Final = (
    "apikey",
    "passcode",
    "password",
    "passwort",
    "pincode",
    "secret",
    "token",
    "usercode",
    "userpin",
)
"""Ends of words that are written together with what stands before."""

_KEYS: Final = frozenset(
    "access api encryption host network private secret security signing ssh wifi".split()
)
"""What stands before `key` in the names of keys that are secrets."""

_PLAIN_CODES: Final = frozenset(
    "area bar color country error event exit http key language postal qr region response"
    " result return scan source state status zip".split()
)
"""What stands before `code` in the names of codes that are no secrets."""

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_LOOKS_LIKE_JSON: Final = re.compile(r'\s*[\[{].*"\s*:', re.DOTALL)

LONGEST_QUOTE: Final = 40
"""Characters of a longer secret by which it is found where only its beginning stands."""

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
    pairs = zip(("", *words), words, strict=False)
    return any(_tells(before, word) for before, word in pairs)


def _tells(before: str, word: str) -> bool:
    """Whether a word of a name says that the value is a secret."""
    if word == "code":
        return before not in _PLAIN_CODES
    if word == "key":
        return before in _KEYS
    singular = word.removesuffix("s")
    if not _SECRET.isdisjoint((word, singular)):
        return True
    return word.endswith(_GLUED) or singular.endswith(_GLUED)


def secrets_in(value: object, schema: Mapping[str, object] | None = None) -> set[str]:
    """Return the texts that `redact` takes out, for `scrub` to find them elsewhere."""
    found: set[str] = set()
    _collect(to_json_value(value), {} if schema is None else schema, found)
    return found


def scrub(value: Json, secrets: Iterable[str]) -> Json:
    """Return a value in which secrets that stand inside of its texts are replaced."""
    forms = {form for secret in secrets for form in _forms(secret)}
    known = sorted(forms, key=len, reverse=True)
    return _scrubbed(value, known) if known else value


def _forms(secret: str) -> Iterator[str]:
    """Yield how a secret may stand in a text: whole, quoted as JSON, cut off."""
    for form in (secret, json.dumps(secret)[1:-1]):
        yield form
        if len(form) > LONGEST_QUOTE:
            yield form[:LONGEST_QUOTE]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]


def _scrubbed(value: Json, secrets: list[str]) -> Json:
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, REDACTED)
        return value
    if isinstance(value, list):
        return [_scrubbed(inner, secrets) for inner in value]
    if isinstance(value, dict):
        return {key: _scrubbed(inner, secrets) for key, inner in value.items()}
    if isinstance(value, int | float) and str(value) in secrets:
        return REDACTED
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
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        if len(str(value)) >= SHORTEST_SECRET:
            yield str(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(key)
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
    if isinstance(value, str) and _LOOKS_LIKE_JSON.match(value):
        return _redacted_text(value)
    return value


def _redacted_text(text: str) -> Json:
    """Return JSON in a text without its secrets; what cannot be read might have some."""
    try:
        return json.dumps(redact(json.loads(text)), ensure_ascii=False)
    except ValueError, RecursionError:
        return REDACTED


def _member(name: str, value: Json, schema: Mapping[str, object]) -> Json:
    if value is not None and is_secret(name, schema):
        return REDACTED
    return _redacted(value, schema)


def _part(schema: Mapping[str, object], key: str) -> Mapping[str, object]:
    part = schema.get(key)
    return part if isinstance(part, Mapping) else {}
