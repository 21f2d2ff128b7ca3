"""The form of the words in the catalogue.

Lowest layer of the language; imports nothing.
"""

from dataclasses import dataclass
from typing import Final

ENTRY: Final = '{{"tool":"…","args":{{…}}}} ;'
"""What an entry of `tools` looks like, for a format string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A message and a hint with placeholders; `otherwise` is the hint for no idea."""

    message: str
    hint: str
    otherwise: str = ""


def words(message: str, hint: str, otherwise: str = "") -> Words:
    """Return one row of the catalogue."""
    return Words(message=message, hint=hint, otherwise=otherwise)
