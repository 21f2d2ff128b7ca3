r"""JSON's text literals, wherever they stand: documents, paths, conditions.

    text   = quote { char | escape } quote
    escape = "\" ( quote | "\" | "/" | "b" | "f" | "n" | "r" | "t" | "u" 4*hex )

Low layer of the language; imports nothing of it.
"""

from dataclasses import dataclass
import re
from typing import Final

_ESCAPES: Final = {
    '"': '"',
    "'": "'",
    "\\": "\\",
    "/": "/",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}
_HEX = re.compile(r"[0-9A-Fa-f]{4}")
_PLAIN = {
    '"': re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]*'),
    "'": re.compile(r"[^'\\\x00-\x1f\ud800-\udfff]*"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StringFault:
    """What is wrong within a text literal, by a code of the catalogue."""

    code: str
    at: int
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """A text literal: its value, the offset behind it, and all its faults.

    `end` is -1 when no closing quote was found.
    """

    value: str
    end: int
    faults: tuple[StringFault, ...] = ()


def scan_string(text: str, start: int) -> Scanned:
    """Read the literal whose opening quote, `"` or `'`, is at `start`."""
    quote = text[start]
    plain = _PLAIN[quote]
    parts: list[str] = []
    faults: list[StringFault] = []
    at = start + 1
    while True:
        run = plain.match(text, at)
        assert run is not None
        parts.append(run.group())
        at = run.end()
        char = text[at : at + 1]
        if char == quote:
            return Scanned(value="".join(parts), end=at + 1, faults=tuple(faults))
        if char == "\\":
            part, at, code = _escape(text, at, quote)
        else:
            part, at, code = char, at + 1, _bare_fault(char)
        if code == "string_open":
            return Scanned(value="".join(parts), end=-1, faults=tuple(faults))
        parts.append(part)
        if code:
            faults.append(StringFault(code=code, at=at - len(part), found=part))


def _bare_fault(char: str) -> str:
    """Name the fault of a character that may not stand in a literal as it is."""
    if not char:
        return "string_open"
    return "surrogate" if char >= "\ud800" else "control_character"


def _escape(text: str, at: int, quote: str) -> tuple[str, int, str]:
    r"""Read the escape at `at`: its value, the offset behind, a fault's code or none.

    The value of a faulty escape is the escape as written, so that its length tells
    where it began.
    """
    char = text[at + 1 : at + 2]
    if not char:
        return "", at, "string_open"
    if char == "u":
        return _unicode_escape(text, at)
    if char in _ESCAPES and (char != "'" or quote == "'"):
        return _ESCAPES[char], at + 2, ""
    return text[at : at + 2], at + 2, "bad_escape"


def _unicode_escape(text: str, at: int) -> tuple[str, int, str]:
    """Read a numbered escape, or two of them that make one character."""
    if not _HEX.match(text, at + 2):
        return text[at : at + 2], at + 2, "bad_escape"
    unit = int(text[at + 2 : at + 6], 16)
    if not 0xD800 <= unit < 0xE000:
        return chr(unit), at + 6, ""
    if unit < 0xDC00 and text.startswith("\\u", at + 6) and _HEX.match(text, at + 8):
        low = int(text[at + 8 : at + 12], 16)
        if 0xDC00 <= low < 0xE000:
            return chr(0x10000 + ((unit - 0xD800) << 10) + low - 0xDC00), at + 12, ""
    return text[at : at + 6], at + 6, "surrogate"


def raw_offsets(text: str, start: int, end: int) -> list[int]:
    """Return for each character of a literal's value where it was written.

    The last offset is that of the closing quote. The literal has no faults, or those
    for which `scan_string` keeps the text as written.
    """
    offsets: list[int] = []
    at = start + 1
    while at < end - 1:
        part, behind, code = text[at], at + 1, ""
        if part == "\\":
            part, behind, code = _escape(text, at, text[start])
        # A faulty escape stands in the value as written, character by character.
        step = 1 if code else 0
        offsets.extend(at + step * index for index in range(len(part)))
        at = behind
    return [*offsets, end - 1]
