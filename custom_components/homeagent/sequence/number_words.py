"""Numbers as people say them: `twenty-one`, `minus three`, `一百零五`, `5 %`.

Below the sentences' slots; pure, imports hassil, whose engine for the words of numbers
(Unicode's rules, some hundred languages) Home Assistant uses, too. A number is never
guessed: its words are written by that engine and compared with what was said. The
first use of a language reads a file, so this is no work for the event loop.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
import re
from typing import Final
import unicodedata

from hassil.numbers import get_rbnf_engine
from unicode_rbnf.engine import RbnfError

from .spoken_form import ENDS, spoken_form

_ALWAYS: Final = ("en", "zh")
"""Tried after the speaker's own language."""

_LONGEST: Final = 100
"""Characters that a number may have."""

_NARROW: Final = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Chinese keyboards' digits and signs; not all of NFKC, which makes 52 of 5\u00b2."""

_PERCENT: Final = re.compile(
    r"(?P<after>.+?)\s*(?:%|per\s?cent)|百分之(?P<before>.+)", re.DOTALL
)
_MINUS: Final = re.compile(
    r"(?:[-\u2212\u2013]|negative\b|零下)\s*(?P<rest>.+)", re.DOTALL
)
_DIGITS: Final = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_AND_A_HALF: Final = re.compile(r"(?P<whole>.+?)(?:\s+and\s+a\s+half|个半)")
_ZERO: Final = "〇"  # noqa: RUF001  Unicode counts this one among the numbers
_LEFT_OUT: Final = re.compile(
    r"(?P<head>.*(?P<unit>[百千万萬]))(?P<digit>[一二三四五六七八九])"
)
_NEXT_UNIT: Final = {"百": "十", "千": "百", "万": "千", "萬": "千"}
_ENGLISH: Final = (
    (re.compile(r"\ban? (?=hundred|thousand)"), "one "),
    (re.compile(r"(?<=hundred|housand) and (?=\w)"), " "),
)
"""What people say and the engine does not write: `a hundred and five`."""


def read_number(text: str, language: str | None = None) -> int | float | None:
    """Return the one number that a text says, up to 99,999 in words; None for no number.

    Percent are their number. What can be read in two ways, such as `half`, is none.
    """
    said = text.translate(_NARROW).casefold().strip(ENDS)
    if not said or len(said) > _LONGEST:
        return None
    if match := _PERCENT.fullmatch(said):
        said = match["after"] or match["before"]
    languages = dict.fromkeys((language or "en", *_ALWAYS))
    for each in languages:
        rest = _after_minus(said, each)
        if rest is not None:
            number = _positive(rest, languages)
            return None if number is None else -number
    return _positive(said.removeprefix("+"), languages)


def _positive(said: str, languages: Iterable[str]) -> int | float | None:
    first, *_ = languages
    if first.startswith(_ALWAYS) and _THOUSANDS.fullmatch(said):
        said = said.replace(",", "")
    if _DIGITS.fullmatch(said):
        return float(said) if "." in said else int(said)
    if not all(char.isspace() or char in "-'" or _is_letter(char) for char in said):
        return None
    if match := _AND_A_HALF.fullmatch(said):
        whole = _positive(match["whole"], languages)
        return whole + 0.5 if isinstance(whole, int) else None
    for pattern, instead in _ENGLISH:
        said = pattern.sub(instead, said)
    if match := _LEFT_OUT.fullmatch(said):
        said += _NEXT_UNIT[match["unit"]]
    found = (_of_words(spoken_form(said), each) for each in languages)
    return next((number for number in found if number is not None), None)


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LM" or char in _ZERO


def _of_words(said: str, language: str) -> int | float | None:
    for point in _point_words(language):
        whole, found, digits = said.partition(point)
        if found:
            return _decimal(whole, digits, language)
    return _whole(said, language)


def _decimal(whole: str, said: str, language: str) -> float | None:
    """Return a number whose decimal places are said one by one: `three point one four`."""
    number = _whole(whole, language) if whole else 0
    digits = ""
    while said:
        heard = _first_digit(said, language)
        if heard is None:
            return None
        digit, words = heard
        digits += str(digit)
        said = said.removeprefix(words)
    return None if number is None or not digits else float(f"{number}.{digits}")


def _first_digit(said: str, language: str) -> tuple[int, str] | None:
    begun = [
        (digit, words)
        for digit in range(10)
        for words in _words(digit, language)
        if said.startswith(words)
    ]
    return max(begun, key=lambda each: len(each[1]), default=None)


def _whole(said: str, language: str) -> int | None:
    """Return the whole number with these words; None for none, or for several."""
    found = {
        number for number in _begun(said, language) if said in _words(number, language)
    }
    return found.pop() if len(found) == 1 else None


def _begun(said: str, language: str) -> Iterator[int]:
    """Yield numbers whose thousands, and then hundreds, are what the text begins with."""
    for thousands in _beginning(said, range(0, 100_000, 1000), language):
        hundreds = range(thousands, thousands + 1000, 100)
        for start in _beginning(said, hundreds, language):
            yield from range(start, start + 100)


def _beginning(said: str, numbers: range, language: str) -> Iterator[int]:
    yield numbers[0]  # Nothing is said of a part that is zero.
    for number in numbers[1:]:
        # Last letters change: `quatre cents`, but `quatre cent quatre`.
        heads = (
            words[:-1] if len(words) > 5 else words
            for words in _words(number, language)
        )
        if said.startswith(tuple(heads)):
            yield number


def _after_minus(said: str, language: str) -> str | None:
    """Return what is said after a word for minus; None if there is no such word."""
    if match := _MINUS.fullmatch(said):
        return match["rest"]
    for negative in _texts(-1, language):
        for one in _texts(1, language):
            word = negative.removesuffix(one).casefold().strip()
            if negative.endswith(one) and word and said.startswith(word):
                return said.removeprefix(word).strip() or None
    return None


@lru_cache(maxsize=32)
def _point_words(language: str) -> frozenset[str]:
    """Return what is said between a whole number and its decimal places."""
    return frozenset(
        point
        for text in _words(1.5, language)
        for one in _words(1, language)
        for five in _words(5, language)
        if text.startswith(one) and text.endswith(five)
        if (point := text[len(one) : -len(five)])
    )


@lru_cache(maxsize=2048)
def _words(number: float, language: str) -> frozenset[str]:
    return frozenset(filter(None, map(spoken_form, _texts(number, language))))


def _texts(number: float, language: str) -> frozenset[str]:
    """Return all ways to write a number in words; none in unknown languages."""
    try:
        engine = get_rbnf_engine(language)
        written = engine.format_number(number).text_by_ruleset
    except ValueError, RbnfError:  # There are no rules for it in this language.
        return frozenset()
    return frozenset(written.values())
