"""Checks of single values, and the lenient forms that each type takes (§4.4).

In the kernel, above `schema_problems`; `validation` puts the checks together. Each check
takes a value and returns what is passed on, or raises `Mismatch`.

| type | taken besides itself |
|---|---|
| boolean | 0, 1, 0.0, 1.0; the texts true, false, 1, 0, yes, no, on, off in any case |
| integer | 3.0; numeric text without a fraction |
| number | numeric text |
| string | numbers and booleans, as their JSON text; dates, as ISO 8601 |

And each of them a list of one such value. NaN and infinities are no numbers.
"""

from collections.abc import Callable
from datetime import date, time
from functools import partial
from math import isfinite
import operator
import re

from .json_text import encode_json
from .schema_problems import not_allowed, wrong_type
from .schema_reading import Schema, count_of, number_of, pattern_of

type Check = Callable[[object], object]
type Limit = Callable[[object], bool]

_NUMERIC = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_LONGEST_NUMBER = 400
"""Characters of a numeric text; the largest number there is has 309 digits."""

_BOOLEANS = {
    "true": True,
    "1": True,
    "yes": True,
    "on": True,
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}

_REFUSED = object()


def boolean(value: object) -> object:
    """Return the truth value that is meant."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return bool(value) if value in (0, 1) else _REFUSED
    if isinstance(value, str):
        return _BOOLEANS.get(value.strip().lower(), _REFUSED)
    return _REFUSED


def number(value: object) -> object:
    """Return the finite number that is meant."""
    if isinstance(value, bool):
        return _REFUSED
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else _REFUSED
    return _numeric(value.strip()) if isinstance(value, str) else _REFUSED


def _numeric(text: str) -> object:
    if len(text) > _LONGEST_NUMBER or not _NUMERIC.fullmatch(text):
        return _REFUSED
    if _WHOLE.fullmatch(text):
        return int(text)
    value = float(text)
    return value if isfinite(value) else _REFUSED


def integer(value: object) -> object:
    """Return the integer that is meant."""
    meant = number(value)
    if isinstance(meant, float):
        return int(meant) if meant.is_integer() else _REFUSED
    return meant


def string(value: object) -> object:
    """Return the text that is meant."""
    if isinstance(value, str):
        return value
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, float) and not isfinite(value):
        return _REFUSED
    if isinstance(value, int) and value.bit_length() > 4 * _LONGEST_NUMBER:
        return _REFUSED
    return encode_json(value) if isinstance(value, int | float) else _REFUSED


_COERCIONS: dict[str, tuple[type, Check]] = {
    "boolean": (bool, boolean),
    "integer": (int, integer),
    "number": (int, number),
    "string": (str, string),
}
_LIMITS = {
    "minimum": operator.le,
    "exclusiveMinimum": operator.lt,
    "maximum": operator.ge,
    "exclusiveMaximum": operator.gt,
}
"""How a limit must stand to the number, which is on the right: 1 <= number."""


def null(schema: Schema) -> Check:
    """Return the check of null, which has no lenient form."""

    def check(value: object) -> object:
        if value is not None:
            raise wrong_type(value, schema)
        return None

    return check


def scalar(kind: str, schema: Schema) -> Check:
    """Return the check of a scalar type with its limits."""
    exact, coerce = _COERCIONS[kind]

    def take(value: object) -> object:
        if type(value) is exact:
            return value
        result = coerce(value)
        if result is _REFUSED and isinstance(value, list | tuple) and len(value) == 1:
            result = coerce(value[0])
        if result is _REFUSED:
            raise wrong_type(value, schema)
        return result

    if not (limits := limits_of(kind, schema)):
        return take

    def check(value: object) -> object:
        result = take(value)
        for limit in limits:
            if not limit(result):
                raise not_allowed(result, schema)
        return result

    return check


def limits_of(kind: str, schema: Schema) -> tuple[Limit, ...]:
    """Return the limits of values of a type that stand in a schema."""
    if kind == "string":
        return _text_limits(schema)
    if kind in {"integer", "number"}:
        return _number_limits(schema)
    return ()


def _number_limits(schema: Schema) -> tuple[Limit, ...]:
    limits: list[Limit] = []
    for word, fits in _LIMITS.items():
        if (limit := number_of(schema, word)) is not None:
            limits.append(partial(fits, limit))
    return tuple(limits)


def _text_limits(schema: Schema) -> tuple[Limit, ...]:
    limits: list[Limit] = []
    if (least := count_of(schema, "minLength")) is not None:
        limits.append(lambda text: len(str(text)) >= least)
    if (most := count_of(schema, "maxLength")) is not None:
        limits.append(lambda text: len(str(text)) <= most)
    if (pattern := pattern_of(schema.get("pattern"))) is not None:
        limits.append(lambda text: pattern.search(str(text)) is not None)
    return tuple(limits)
