"""What of a text can be heard: how texts are compared that somebody said.

Below the sentences' slots and the words of numbers; pure, imports nothing of ours.
"""

from typing import Final
import unicodedata

ENDS: Final = " \t\r\n.!?,;:。！？，；、"  # noqa: RUF001  what people's words end with

_ACCENTS: Final = range(0x0300, 0x0370)
"""Marks above and below letters; those of other scripts make other letters."""


def spoken_form(text: str) -> str:
    """Return what texts share that sound alike: no case, accents, punctuation, spaces.

    Between digits and before a number they count: -5 is not 5, and 1.5 is not 15.
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in plain if ord(char) not in _ACCENTS)
    kept = (
        char
        for index, char in enumerate(plain)
        if not _is_silent(char) or _belongs_to_number(plain, index)
    )
    return unicodedata.normalize("NFC", "".join(kept))


def _is_silent(char: str) -> bool:
    return unicodedata.category(char)[0] in "PSZC"


def _belongs_to_number(text: str, index: int) -> bool:
    before = text[index - 1] if index else " "
    after = text[index + 1 : index + 2]
    if not after.isdigit():
        return False
    return before.isdigit() or (before.isspace() and not text[index].isspace())
