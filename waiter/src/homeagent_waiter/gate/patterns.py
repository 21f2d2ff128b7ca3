r"""Gate, fourth stage: how large regular expressions may grow. Pure.

Programs write repetitions out: ``((a{200}){200}){200}`` takes all memory before the
first line is read. And those that know UTF-8 have several states for each ``.``, and
compare them with each other: ``.{0,1000}`` takes them many seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import re

from .plan import Code
from .refused import RefusedError, shown

MOST = 2_000
# What these count for, where another character counts for its bytes.
_WEIGHTS = {".": 5, "^": 5, "$": 5}
# What a range of characters that are not ASCII counts for.
_RANGE = 100
_BRACKETS = r"\[\^?\]?(?:\[[:.=].*?[:.=]\]|[^\]])*\]"
_PLAIN = re.compile(rf"{_BRACKETS}|\\.|.", re.DOTALL)
_TOKEN = re.compile(rf"{_BRACKETS}|\\.|\{{[0-9]*(?:,[0-9]*)?\}}|.", re.DOTALL)
_INTERVAL = re.compile(r"\{([0-9]*)(,?)([0-9]*)\}", re.ASCII)
_OPERATORS = frozenset("(){}+?|")


def cost(pattern: str) -> int:
    """Return by how much a pattern grows when its repetitions are written out.

    In the dialect, basic or extended, in which it grows more.
    """
    return max(_grown(pattern), _grown("".join(_swapped(pattern))))


def check_patterns(patterns: Iterable[str]) -> None:
    """Refuse the patterns of one command that together grow too large."""
    together = 0
    for pattern in patterns:
        together += cost(pattern)
        if together > MOST:
            hint = f"patterns whose repetitions come to at most {MOST}, a . counted 5"
            raise RefusedError(Code.COUNT, shown(pattern), hint)


def _swapped(pattern: str) -> Iterator[str]:
    r"""Give a basic pattern as an extended one: ``\(`` there is ``(`` here."""
    for token in _PLAIN.findall(pattern):
        if token in _OPERATORS:
            yield "\\" + token
        elif token[0] == "\\" and token[1:] in _OPERATORS:
            yield token[1:]
        else:
            yield token


def _grown(pattern: str) -> int:
    """Return how much larger an extended pattern is than it is written."""
    # The sizes of the groups that are open, and of what an operator would repeat.
    groups, last, written = [0], 0, 0
    for token in _TOKEN.findall(pattern):
        times = _times(token)
        if token == "(":
            groups.append(0)
            last = 0
        elif token == ")":
            last = groups.pop()
            # One that closes nothing is taken to close all that is before it.
            groups = [*groups[:-1], groups[-1] + last] if groups else [last]
        elif times:
            groups[-1] += last * (times - 1)
            last *= times
        elif token == "|":
            last = 0
        elif token not in ("*", "?"):
            last = _weight(token)
            groups[-1] += last
            written += 1
    return sum(groups) - written


def _times(token: str) -> int:
    """Return how often an operator has what is before it written; 0: it is none."""
    if token == "+":
        return 2
    match = _INTERVAL.fullmatch(token)
    if match is None:
        return 0
    least, more, most = match.groups()
    # ``{9,}`` is nine of them and then any number, which is one more.
    return max(1, _number(most), _number(least) + bool(more and not most))


def _number(digits: str) -> int:
    """Return a number of any length, of a very long one its beginning: too much."""
    return int(digits.lstrip("0")[:9] or 0)


def _weight(token: str) -> int:
    """Return what a character counts for; brackets of ASCII and escapes are one."""
    if len(token) > 1:
        # Programs write other characters of brackets out as alternatives.
        others = sum(
            len(char.encode("utf-8", "replace")) for char in token if not char.isascii()
        )
        return max(1, others + (_RANGE if others and "-" in token else 0))
    return _WEIGHTS.get(token) or len(token.encode("utf-8", "replace"))
