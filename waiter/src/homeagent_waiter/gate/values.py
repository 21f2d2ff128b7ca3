"""Gate, the words of grammars: what an option's value or an operand may be.

Pure: a ``Value`` judges a text. Those that name a file, a device or a host only say so,
by ``kind``, and so do patterns; ``places``, ``hosts`` and ``patterns`` judge them later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
import re

from .plan import Code
from .refused import RefusedError, shown


class Kind(StrEnum):
    """What a word names: judged after the grammar, with the host's files at hand."""

    READ = "read"
    LIST = "list"
    BLOCK = "block"
    HOST = "host"
    PATTERN = "pattern"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A word that names something, and whether it is read to its depth."""

    kind: Kind
    text: str
    tree: bool = False
    follow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What a word may be, in words; the test; what it names.

    ``number`` has the bounds of a value that is a number, so that one outside of them
    is refused as ``count`` and not as a wrong word.
    """

    what: str
    test: Callable[[str], bool]
    kind: Kind | None = None
    number: re.Pattern[str] | None = None

    def judge(self, text: str, code: Code, token: str) -> None:
        """Raise ``RefusedError`` unless the text is allowed."""
        if self.test(text):
            return
        if self.number is not None and self.number.fullmatch(text):
            code = Code.COUNT
        raise RefusedError(code, shown(token), f"allowed is {self.what}")


def _always(text: str) -> bool:
    return True


TEXT = Value(what="any text", test=_always)
READ = Value(what="a file", test=bool, kind=Kind.READ)
PATTERN = Value(what="a pattern", test=_always, kind=Kind.PATTERN)
LIST = Value(what="a file or folder", test=bool, kind=Kind.LIST)
HOST = Value(what="an address or an allowed name", test=bool, kind=Kind.HOST)
BLOCK = Value(
    what="a block device such as /dev/sda",
    test=lambda text: text.startswith("/dev/"),
    kind=Kind.BLOCK,
)


def matching(pattern: str, what: str, kind: Kind | None = None) -> Value:
    """Return a value that matches the whole of a regular expression."""
    compiled = re.compile(pattern)
    return Value(what=what, test=lambda text: bool(compiled.fullmatch(text)), kind=kind)


def choice(words: str | Iterable[str]) -> Value:
    """Return a value that is one of some words."""
    allowed = frozenset(words.split() if isinstance(words, str) else words)
    return Value(what="one of " + ", ".join(sorted(allowed)), test=allowed.__contains__)


def listed(words: str) -> Value:
    """Return a value that is a list of some words with commas."""
    allowed = frozenset(words.split())
    return Value(
        what="a list with commas of " + ", ".join(sorted(allowed)),
        test=lambda text: all(word in allowed for word in text.split(",")),
    )


def number(
    least: float, most: float, *, signs: str = "", decimal: bool = False
) -> Value:
    """Return a value that is a number in some bounds, maybe with one of some signs.

    The bounds hold for the number without its sign.
    """
    sign = f"[{re.escape(signs)}]?" if signs else ""
    digits = r"(?:\d{1,18}(?:\.\d{1,6})?|\.\d{1,6})" if decimal else r"\d{1,18}"
    pattern = re.compile(sign + digits, re.ASCII)

    def test(text: str) -> bool:
        return bool(pattern.fullmatch(text)) and (
            least <= float(text.lstrip("+-")) <= most
        )

    what = f"a number from {least:g} to {most:g}"
    loose = re.compile(r"[+-]?(\d{1,4000}(\.\d{0,4000})?|\.\d{1,4000})", re.ASCII)
    return Value(what=what, test=test, number=loose)


_FACTORS = {"": 1, "b": 512, "k": 1024, "K": 1024, "kB": 1000, "KiB": 1024}
_FACTORS |= {"m": 1024**2, "M": 1024**2, "MB": 1000**2, "MiB": 1024**2}
_FACTORS |= {"G": 1024**3, "GB": 1000**3, "GiB": 1024**3}


def size(most: int, *, signs: str = "+-") -> Value:
    """Return a value that is a number with a unit, at most ``most`` all in all."""
    pattern = re.compile(
        rf"[{re.escape(signs)}]?(\d{{1,15}})([A-Za-z]{{0,3}})", re.ASCII
    )

    def test(text: str) -> bool:
        match = pattern.fullmatch(text)
        return match is not None and (
            match[2] in _FACTORS and int(match[1]) * _FACTORS[match[2]] <= most
        )

    loose = re.compile(r"[+-]?\d{1,4000}([bkKmMGTPEZY](i?B)?)?", re.ASCII)
    return Value(what=f"a number up to {most}", test=test, number=loose)


# No ``TZ="/any/file" …``: that opens the file.
MOMENT = matching(r"[^\"'=]{0,200}", "a time such as '1 hour ago'")
WORD = matching(r"[A-Za-z0-9_][A-Za-z0-9_.:@+-]{0,127}", "a plain name")
BLOCK_SIZE = matching(
    r"'?\d{0,6}([KMGTPEZY](B|iB)?|human-readable|si)?", "a size like M"
)
TIME_STYLE = matching(r"(posix-)?(full-iso|long-iso|iso|locale)|\+.*", "a time style")
WHEN = choice("always never auto yes no none force tty if-tty")
