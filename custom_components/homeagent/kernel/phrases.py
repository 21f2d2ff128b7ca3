"""Sentences that know which sentence they are, so that they can be said in any language.

Lowest layer of the kernel; imports nothing of this integration. A phrase is its English
text and nothing else wherever text is wanted: in JSON, for models, in the log.
"""

from collections.abc import Mapping
from typing import Final, Self

_NOTHING: Final[Mapping[str, str]] = {}


class Phrase(str):
    """A text out of a catalogue: `code` says which, `named` what stands in its places.

    What is named may be phrases again. `named` may hold more than the English text has
    places for: another language, or a text for people, may need it.
    """

    __slots__ = ("code", "named")

    code: str
    named: Mapping[str, str]

    def __new__(
        cls, text: str, code: str = "", named: Mapping[str, str] = _NOTHING
    ) -> Self:
        """Make the phrase of a text that is put together already."""
        phrase = super().__new__(cls, text)
        phrase.code = code
        phrase.named = named
        return phrase

    def naming(self, **named: str) -> Phrase:
        """Return the same text, with more that other texts may name."""
        return Phrase(str.__str__(self), self.code, {**self.named, **named})


class Catalogue:
    """English texts by their codes; called, it puts one together."""

    def __init__(self, words: Mapping[str, str]) -> None:
        """Take the texts, with places such as `{name}`."""
        self.words = words

    def __call__(self, code: str, /, **named: str) -> Phrase:
        """Return a phrase. An unknown code, or a place without a text, is a bug."""
        return Phrase(self.words[code].format_map(named), code, named)
