"""Texts that people chose, for places that Home Assistant reads as Markdown.

Lowest module of the editor; imports nothing of it. A name is data: it must never become
a heading, a link or a picture.
"""

from collections.abc import Iterable
import re
from typing import Final

from ..sequence.problems import printable

_PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
_BACKTICKS: Final = re.compile(r"`+")


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _PUNCTUATION.sub(r"\\\1", printable(" ".join(text.split())))


def code_block(text: str, language: str = "") -> str:
    """Return a text as a block of code; nothing in it can end the block."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def alert(kind: str, title: str, lines: list[str]) -> str:
    """Return a box: `caution`, `warning`, `note` or `tip`, all of it Markdown already."""
    rows = [">", *(f"> - {line}" for line in lines)] if lines else []
    return "\n".join([f"> [!{kind.upper()}]", f"> **{title}**", *rows])


def bullets(texts: Iterable[str]) -> str:
    """Return plain texts as a list."""
    return "\n".join(f"- {escaped(text)}" for text in texts)
