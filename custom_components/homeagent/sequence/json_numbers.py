"""Numbers that every JSON reader, and Home Assistant's storage, can keep.

Low layer of the language; imports its limits only.
"""

from math import isfinite
from typing import Final

from .limits import MAX_INTEGER, MIN_INTEGER

LONGEST_NUMBER: Final = 400
"""Characters of a written number; a longer one only costs time."""


def can_be_kept(value: int | float) -> bool:  # noqa: PYI041  they are not alike here
    """Whether a number is finite, and a whole one not too large."""
    if isinstance(value, int):
        return MIN_INTEGER <= value <= MAX_INTEGER
    return isfinite(value)


def read_number(text: str, *, real: bool) -> int | float | None:
    """Return the number that a JSON literal is, None for one that cannot be kept."""
    if len(text) > LONGEST_NUMBER:
        return None
    value = float(text) if real else int(text)
    return value if can_be_kept(value) else None
