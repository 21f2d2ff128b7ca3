"""Names of sequences and groups, and keys of inputs and outputs (page 2 §2.1).

Low layer of the language; imports its limits only.
"""

import json
import re
from typing import Final
import unicodedata

from .limits import MAX_NAME
from .run_words import say

FORBIDDEN_IN_NAMES: Final = "/\\\"'*?[]"

_ASCII_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ASCII_REST: Final = re.compile(r"[A-Za-z0-9_-]*")


def normal_name(text: str) -> str:
    """Return a name in the form in which it is compared and stored: NFC, trimmed."""
    return unicodedata.normalize("NFC", text).strip()


def folded(name: str) -> str:
    """Return what two names share that differ in case only: one of them is too many."""
    return unicodedata.normalize("NFC", normal_name(name).casefold())


def name_fault(name: str) -> str | None:
    """Return what is wrong with a normal name, as words for a message."""
    if not name:
        return say("name_empty")
    if len(name) > MAX_NAME:
        return say("name_long", count=str(len(name)))
    if name[0] in ".#":
        return say("name_starts", char=name[0])
    if ".." in name:
        return say("name_contains", char="..")
    for char in name:
        if char in FORBIDDEN_IN_NAMES:
            return say("name_contains", char=char)
        if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
            return say("name_invisible", char=json.dumps(char)[1:-1])
    return None


def normal_key(text: str) -> str:
    """Return a key of a signature in the form in which it is compared and stored."""
    return unicodedata.normalize("NFC", text)


def is_key(text: str) -> bool:
    """Whether a text is a key: letters of any script, digits, `_` and `-`."""
    return bool(text) and key_end(text, 0) == len(text)


def key_end(text: str, start: int) -> int:
    """Return the offset behind the key at `start`, or `start` where none begins."""
    match = _ASCII_KEY.match(text, start)
    if match is not None:
        at = match.end()
    elif unicodedata.category(text[start : start + 1] or " ").startswith("L"):
        at = start + 1
    else:
        return start
    while at < len(text) and continues_key(text[at]):
        rest = _ASCII_REST.match(text, at + 1)
        assert rest is not None
        at = rest.end()
    return at


def continues_key(char: str) -> bool:
    """Whether a character may stand in a key behind its first one."""
    category = unicodedata.category(char)
    return category[0] in "LM" or category == "Nd" or char in "_-"
