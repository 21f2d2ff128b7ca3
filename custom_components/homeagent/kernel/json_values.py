"""The JSON form of whatever a tool returns (§5.2): total, and never Python's `repr`.

Low in the kernel, above `json_text`; knows no class of Home Assistant, only the
`as_dict()` that its objects have.

| Python | JSON |
|---|---|
| mapping | object; a key that is no text becomes the text of its JSON form |
| list, tuple, other sequences and views | array |
| set | array, sorted |
| date, time, datetime | ISO 8601 text |
| timedelta | ISO 8601 duration: `PT1M30S` |
| bytes | their text where it is plain text, otherwise a base64 `data:` URL |
| NaN, infinities | the texts `NaN`, `Infinity`, `-Infinity` |
| integer beyond 64 bits | its digits as text, in hexadecimal where they are very many |
| Decimal | the number where a float holds it exactly, otherwise its text |
| enum member | its value |
| object with `as_dict()`, dataclass, numpy value | what that gives |
| object with a text of its own (UUID, path, address) | that text |
| any other object, also an exception | `{"object": "<class name>"}` |
| cycle; more than 100 levels | the texts `(cycle)`, `(nested too deeply)` |
"""

from base64 import b64encode
from collections.abc import Callable, Collection, Mapping, Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from math import isfinite, isnan

from .json_text import encode_json

type Json = bool | int | float | str | list[Json] | dict[str, Json] | None

MAX_DEPTH = 100
"""Levels of nesting that are kept; Home Assistant's own encoder ends at 254."""

CYCLE = "(cycle)"
TOO_DEEP = "(nested too deeply)"

_PLAIN_CONTROLS = frozenset("\t\n\r")
_MOST_DIGITS = 4300
"""Digits of an integer that Python writes and reads as decimals."""

_LEAST_INTEGER = -(2**63)
_MOST_INTEGER = 2**64 - 1
"""Integers that Home Assistant's own encoder writes; one more, and it writes nothing."""


def to_json_value(value: object) -> Json:
    """Return the JSON form of any value; no container in it is shared with `value`."""
    return _convert(value, set())


def well_formed(text: str) -> str:
    """Return the bare text without half surrogate pairs, which UTF-8 cannot carry."""
    if type(text) is not str:
        text = str.__str__(text)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def key_text(key: object) -> str:
    """Return the text that stands for a key in a JSON object."""
    if isinstance(key, str) and not isinstance(key, Enum):
        return well_formed(key)
    return _key(key, set())


def _convert(value: object, inside: set[int]) -> Json:
    """Convert one value; `inside` are the containers that it stands in.

    What is JSON already comes first: that is nearly everything.
    """
    if type(value) is str:
        return well_formed(value)
    if type(value) is int:
        return _integer(value)
    if value is None or isinstance(value, bool):
        return value
    if type(value) is float:
        return _float(value)
    plain = type(value) is dict or type(value) is list
    if not plain and not isinstance(value, Enum):
        # The base classes' own methods: what a subclass says instead may be anything.
        if isinstance(value, str):
            return well_formed(str.__str__(value))
        if isinstance(value, int):
            return _integer(int.__index__(value))
        if isinstance(value, float):
            return _float(float.__float__(value))
    if id(value) in inside:
        return CYCLE
    if len(inside) >= MAX_DEPTH:
        return TOO_DEEP
    inside.add(id(value))
    try:
        return _container(value if plain else _ask(_simpler, value), inside)
    finally:
        inside.discard(id(value))


def _container(value: object, inside: set[int]) -> Json:
    if isinstance(value, dict):
        return _object(value, inside)
    if isinstance(value, list):
        items = [_convert(item, inside) for item in value]
        return sorted(items, key=encode_json) if type(value) is _Unordered else items
    return _convert(value, inside)


def _object(value: Mapping[object, object], inside: set[int]) -> dict[str, Json]:
    result: dict[str, Json] = {}
    numbers: dict[str, int] = {}
    for key, item in value.items():
        name = well_formed(key) if type(key) is str else _key(key, inside)
        if name in result:  # 1 and "1" are two keys in Python
            name = _numbered(name, result, numbers)
        result[name] = _convert(item, inside)
    return result


def _numbered(name: str, taken: Collection[str], numbers: dict[str, int]) -> str:
    """Return a free name; `numbers` are those last given, so that many take no time."""
    number = numbers.get(name, 1) + 1
    while (free := f"{name} ({number})") in taken:
        number += 1
    numbers[name] = number
    return free


def _key(key: object, inside: set[int]) -> str:
    form = _convert(key, inside)
    return form if isinstance(form, str) else encode_json(form)


def _integer(value: int) -> Json:
    if _LEAST_INTEGER <= value <= _MOST_INTEGER:
        return value
    few_bits = value.bit_length() < 3 * _MOST_DIGITS
    return str(value) if few_bits else hex(value)


def _float(value: float) -> Json:
    if isfinite(value):
        return value
    if isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"


def _ask(step: Callable[[object], object], value: object) -> object:
    """Run code of foreign classes, which may raise anything."""
    try:
        return step(value)
    except Exception:  # noqa: BLE001  a value that cannot be read is still a value
        return _nameless(value)


def _nameless(value: object) -> object:
    return {"object": type(value).__name__}


def _simpler(value: object) -> object:
    """Return the value one step nearer to JSON: a dict, list, text or number."""
    match value:
        case Enum():
            return value.value
        case date() | time():
            return value.isoformat()
        case timedelta():
            return _duration(value)
        case bytes() | bytearray() | memoryview():
            return _bytes(bytes(value))
        case Decimal():
            return _decimal(value)
        case range():
            return {"start": value.start, "stop": value.stop, "step": value.step}
        case type() | BaseException():
            return _nameless(value)
        case Mapping():
            return dict(value.items())
        case AbstractSet():
            return _Unordered(value)
        case Collection():
            return list(value)
        case _:
            return _told_by_itself(value)


class _Unordered(list[object]):
    """The elements of a set."""


def _duration(value: timedelta) -> str:
    microseconds = value // timedelta(microseconds=1)
    seconds, fraction = divmod(abs(microseconds), 10**6)
    days, seconds = divmod(seconds, 86_400)
    hours, seconds = divmod(seconds, 3_600)
    minutes, seconds = divmod(seconds, 60)
    rest = f"{seconds}.{fraction:06}".rstrip("0").rstrip(".") if fraction else seconds
    parts = ((hours, "H"), (minutes, "M"), (rest, "S"))
    clock = "".join(f"{number}{unit}" for number, unit in parts if number)
    date_part = f"{days}D" if days else ""
    time_part = f"T{clock}" if clock else ""
    sign = "-" if microseconds < 0 else ""
    return f"{sign}P{date_part}{time_part or ('' if days else 'T0S')}"


def _bytes(value: bytes) -> str:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = ""
    plain = all(each.isprintable() or each in _PLAIN_CONTROLS for each in text)
    if plain and bool(text) == bool(value):
        return text
    return f"data:application/octet-stream;base64,{b64encode(value).decode()}"


def _decimal(value: Decimal) -> object:
    if not value.is_finite():
        return float("nan") if value.is_nan() else float(value)
    if value == value.to_integral_value() and value.adjusted() < _MOST_DIGITS:
        return int(value)
    number = float(value)
    return number if Decimal(repr(number)) == value else str(value)


def _told_by_itself(value: object) -> object:
    """Return what an object of an unknown class says of itself."""
    if isinstance(as_dict := _given(value, "as_dict"), Mapping):
        return dict(as_dict)
    if is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(listed := _given(value, "tolist"), list | bool | int | float | str):
        return listed
    return _own_text(value)


def _given(value: object, method: str) -> object:
    """Call a method without arguments where the class has it."""
    if not callable(getattr(type(value), method, None)):
        return None
    result: object = getattr(value, method)()
    return result


def _own_text(value: object) -> object:
    """Return what `str` gives where that is more than `repr` under another name."""
    if type(value).__str__ is object.__str__:
        return _nameless(value)
    text = str(value)
    if not text.strip() or text.startswith("<") or text == repr(value):
        return _nameless(value)
    return text
