"""Values in text fields of forms: what a person types for a type, and what is shown.

Beside `rows`; pure. A text is a text as it is typed, a number may have a comma, yes and no
have many words, lists and objects are written with commas. JSON is read, too: whatever
the plain way cannot express is shown as that.
"""

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
import re
from typing import Final
import unicodedata

from ..kernel.json_text import NotJsonError, decode_json, encode_json
from .faults import FormFault

YES: Final = frozenset({"yes", "on", "true", "是", "开", "開"})
NO: Final = frozenset({"no", "off", "false", "否", "关", "關"})

type YesNo = tuple[str, str]
"""The words that stand for true and false in a form."""

_DECIMAL: Final = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?", re.IGNORECASE)
_UNCLEAR: Final = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_ITEM: Final = re.compile(rf"(\s*{_QUOTED}\s*|[^,，、]*)(?:[,，、]|$)")
_PAIR: Final = re.compile(rf'({_QUOTED}|[^:："]+)[:：](.*)', re.DOTALL)
_MOST_DIGITS: Final = 300


def value_of(text: str, kind: str, field: str) -> object:
    """Return the value of what was typed in a field for a value of a type.

    `field` is the key of the field's name, for the text of a fault.

    Raises:
        FormFault: it cannot be of that type; the text says what is expected.
    """
    text = text.strip()
    try:
        return _READERS.get(kind, _anything)(text)
    except _Unlike as unlike:
        raise FormFault(unlike.word, field=field, text=text, **unlike.more) from None


def text_of(value: object, kind: str, yes_no: YesNo = ("yes", "no")) -> str:
    """Return what stands in the field for a value: `value_of` gives it back."""
    text = _plain_text(value, yes_no)
    try:
        same = encode_json(value_of(text, kind, "")) == encode_json(value)
    except FormFault:
        same = False
    return text if text and same else encode_json(value)


def loose_value_of(text: str, kind: str, field: str) -> object:
    """Return the value of what was typed where another type is taken as well.

    Raises:
        FormFault: it is neither of that type nor JSON.
    """
    try:
        return value_of(text, "any" if text.strip().startswith('"') else kind, field)
    except FormFault:
        value = _json(text)
        if value is _NOT_JSON:
            raise
        return value


def loose_text_of(value: object, kind: str, yes_no: YesNo = ("yes", "no")) -> str:
    """Return what stands in such a field: `loose_value_of` gives the value back."""
    text = text_of(value, kind, yes_no)
    same = encode_json(loose_value_of(text, kind, "")) == encode_json(value)
    return text if same else encode_json(value)


class _Unlike(Exception):  # noqa: N818  never leaves this module
    """What was typed is unlike what is expected: the key of the words."""

    def __init__(self, word: str, /, **more: str) -> None:
        super().__init__(word)
        self.word = word
        self.more = more


def _string(text: str) -> object:
    """Quotes keep spaces at the ends, and are no part of the text."""
    if not text.startswith('"'):
        return text
    value = _json(text)
    return value if isinstance(value, str) else text


def _number(text: str) -> object:
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    value = _json(plain)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if _UNCLEAR.fullmatch(plain):
        whole, point = plain.replace(",", ""), plain.replace(",", ".", 1)
        raise _Unlike("row_number_unclear", whole=whole, point=point)
    if not _DECIMAL.fullmatch(plain) or len(plain) > _MOST_DIGITS:
        raise _Unlike("row_no_number")
    plain = plain.replace(",", ".")
    if plain.removeprefix("-").removeprefix("+").isdecimal():
        return int(plain)
    number = float(plain)
    if not isfinite(number):
        raise _Unlike("row_no_number")
    return number


def _flag(text: str) -> object:
    word = unicodedata.normalize("NFKC", text).casefold()
    if word in YES or word in NO:
        return word in YES
    raise _Unlike("row_no_flag")


def _list(text: str) -> object:
    value = _json(text)
    if isinstance(value, list):
        return value
    return [_scalar(item, "row_no_list") for item in _items(text, "[]", "row_no_list")]


def _object(text: str) -> object:
    value = _json(text)
    if isinstance(value, dict):
        return value
    members: dict[str, object] = {}
    for item in _items(text, "{}", "row_no_object"):
        pair = _PAIR.fullmatch(item)
        key = None if pair is None else _string(pair[1].strip())
        if pair is None or not isinstance(key, str) or key in members:
            raise _Unlike("row_no_object")
        members[key] = _scalar(pair[2].strip(), "row_no_object")
    return members


def _anything(text: str) -> object:
    """JSON, or a text as it is; what only looks like JSON is a slip."""
    value = _json(text)
    if value is _NOT_JSON and text[:1] in {"[", "{"}:
        raise _Unlike("row_no_value")
    return text if value is _NOT_JSON else value


_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": _flag,
    "array": _list,
    "object": _object,
}

_NOT_JSON: Final = object()


def _json(text: str) -> object:
    try:
        return decode_json(text)
    except NotJsonError:
        return _NOT_JSON


def _items(text: str, ends: str, word: str) -> Iterable[str]:
    """Yield what stands between commas; the brackets around it may be there."""
    if len(text) > 1 and text[0] == ends[0] and text[-1] == ends[1]:
        text = text[1:-1].strip()
    at = 0
    while at < len(text):
        match = _ITEM.match(text, at)
        if match is None or not match[1].strip():
            raise _Unlike(word)
        yield match[1].strip()
        at = match.end()
    if not text or text[-1] in ",，、":
        raise _Unlike(word)


def _scalar(text: str, word: str) -> object:
    value = _json(text)
    if isinstance(value, list | dict) or (
        value is _NOT_JSON and (not text or text[0] in '[{"')
    ):
        raise _Unlike(word)
    return text if value is _NOT_JSON else value


def _plain_text(value: object, yes_no: YesNo) -> str:
    match value:
        case bool():
            return yes_no[0] if value else yes_no[1]
        case str():
            return value
        case list() | tuple() if value:
            return ", ".join(map(_plain_item, value))
        case Mapping() if value:
            pairs = value.items()
            return ", ".join(f"{key}: {_plain_item(each)}" for key, each in pairs)
        case _:
            return encode_json(value)


def _plain_item(value: object) -> str:
    return value if isinstance(value, str) else encode_json(value)
