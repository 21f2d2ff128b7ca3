"""Texts that are read, and where a character of them stands for a person.

Low layer of the language; knows lines, columns and carets, and no grammar.
"""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
import unicodedata

from .problems import Spot, printable

BEFORE = 40
AFTER = 40
"""Characters of the line that an excerpt shows around its caret."""


class Source:
    """A text with its lines.

    `outside` is for the text of `tools`: it maps a character of it to the place in the
    document around it, which gives line and column; the character itself is the
    position. `outside` answers nowhere where there is no document.
    """

    def __init__(
        self, text: str, *, outside: Callable[[int], Spot] | None = None
    ) -> None:
        self.text = text
        self._outside = outside
        self._starts: list[int] | None = None

    def spot(self, offset: int) -> Spot:
        """Return the place of a character; one past the end is a place too."""
        starts = self._line_starts()
        index = bisect_right(starts, offset) - 1
        caret = self._excerpt(starts[index], offset)
        if self._outside is None:
            column = offset - starts[index] + 1
            return Spot(line=index + 1, column=column, caret=caret)
        around = self._outside(offset)
        return Spot(
            line=around.line, column=around.column, position=offset, caret=caret
        )

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            lines = self.text.split("\n")
            self._starts = [0, *accumulate(len(line) + 1 for line in lines[:-1])]
        return self._starts

    def _excerpt(self, line_start: int, offset: int) -> str:
        """Return the line around a character and below it a line with the caret."""
        start = max(line_start, offset - BEFORE)
        end = self.text.find("\n", offset, offset + AFTER)
        if end < 0:
            end = min(len(self.text), offset + AFTER)
        before = _plain(self.text[start:offset])
        line = before + _plain(self.text[offset:end])
        left = "…" if start > line_start else ""
        right = "…" if self.text[end : end + 1] not in {"", "\n"} else ""
        indent = " " * (_width(left) + _width(before))
        return f"{left}{line}{right}\n{indent}^"


def _plain(text: str) -> str:
    """Return a piece of a line without tabs and invisible characters."""
    return printable(text.replace("\t", " ").replace("\r", " "))


def _width(text: str) -> int:
    """Return how many columns a text takes where wide characters take two."""
    return sum(
        0 if unicodedata.combining(char) else 1 + (_east_asian(char) in {"W", "F"})
        for char in text
    )


def _east_asian(char: str) -> str:
    return unicodedata.east_asian_width(char)
