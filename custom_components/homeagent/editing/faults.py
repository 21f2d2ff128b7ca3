"""What is wrong with what stands in a form, before the language itself can judge it.

Lowest module of the editor; imports nothing. The words stand in the translations, under
`selector.editor`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault: the key of its words, and what they name; `row` counts from 0."""

    word: str
    placeholders: Mapping[str, str] = field(default_factory=dict)
    row: int | None = None


class FormFault(Exception):  # noqa: N818  carries a fault, as the language's errors do
    """What is read cannot be what is meant; caught where a row or a field is read."""

    def __init__(self, word: str, /, **placeholders: str) -> None:
        """Take the key of the words, and what they name."""
        super().__init__(word)
        self.fault = Fault(word=word, placeholders=placeholders)
