"""Whether a JSON text ends too early, as one does that was not copied as a whole.

Pure; imports nothing. Looks at brackets and quotes only: what is wrong with the values in
between is for the language.
"""

from dataclasses import dataclass
import re
from typing import Final

_MARK: Final = re.compile(r'"(?:[^"\\\n]|\\.)*("|\n|\\?\Z)|[\[\]{}]', re.DOTALL)
_ENDS: Final = {"[": "]", "{": "}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOff:
    """Where a text ends too early, from 1, and the marks that are missing there."""

    line: int
    column: int
    missing: str


def cut_off(text: str) -> CutOff | None:
    """Return where a text ends too early; None where all that is open is closed.

    A text whose brackets do not belong together is wrong in its middle, not at its end.
    """
    if not text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return None
    open_ends: list[str] = []
    read = text.rstrip()
    for match in _MARK.finditer(read):
        mark = match[0]
        if mark in _ENDS:
            open_ends.append(_ENDS[mark])
        elif mark[0] == '"':
            if match[1] == "\n":
                return None
            if match[1] != '"':
                open_ends.append('"')
        elif not open_ends or open_ends.pop() != mark:
            return None
    if not open_ends:
        return None
    line = read.count("\n") + 1
    column = len(read) - (read.rfind("\n") + 1)
    return CutOff(line=line, column=column, missing="".join(reversed(open_ends)))
