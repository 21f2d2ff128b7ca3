"""Gate, beside ``values``: how large a regular expression may grow. Pure.

``{m,n}`` in ``{m,n}`` multiplies: ``((a{200}){200}){200}`` takes all memory before the
first line is read.
"""

from __future__ import annotations

import re

MOST_REPEATED = 5_000
_INTERVAL = re.compile(r"\{([0-9]*)(?:,([0-9]*))?\}", re.ASCII)
# Behind these an interval repeats more than one character.
_MULTIPLIES = (")", "}", "*", "+", "?")


def modest(pattern: str) -> bool:
    """Return whether a pattern stays small, in whichever dialect it is read.

    Never too low a guess: backslashes are ignored, so that basic and extended dialects
    are alike, and all intervals behind groups count as if nested.
    """
    plain = pattern.replace("\\", "")
    repeated, nested = 0, 1
    for match in _INTERVAL.finditer(plain):
        most = max(1, *(int(each[:9] or 0) for each in match.groups("")))
        if plain[: match.start()].endswith(_MULTIPLIES):
            nested *= most
        else:
            repeated += most
    return nested * (len(plain) + repeated) <= MOST_REPEATED
