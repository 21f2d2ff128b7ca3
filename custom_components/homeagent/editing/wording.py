"""The words of the editor in the language of the person who edits.

Lowest module of the editor; pure: the texts come in, from Home Assistant's translations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Final

from ..sequence.problems import Problem
from .faults import Fault

_BEGINNINGS: Final = ("the ", "a ", "an ", "found ", "there ", "this ", "more ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Texts by their keys, and those of the language's problems by their codes.

    A code that is not among `problems` is told in the words of the core, in English.
    `fragments` are what the core puts in for placeholders, such as `a number`.
    """

    texts: Mapping[str, str]
    problems: Mapping[str, str] = field(default_factory=dict)
    fragments: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, key: str, /, **placeholders: str) -> str:
        """Return a text with what it names."""
        return self.texts[key].format_map(placeholders)

    def count(self, key: str, count: int) -> str:
        """Return a text that counts: `key` for one, `key_many` for more."""
        return self(key if count == 1 else f"{key}_many", count=str(count))

    def join(self, key: str, texts: Sequence[str]) -> str:
        """Return texts put together in pairs: `joined` with commas, `then` in order."""
        return reduce(lambda done, each: self(key, first=done, following=each), texts)

    def fault(self, fault: Fault) -> str:
        """Return what is wrong with a row, which is named by its number."""
        text = self(fault.word, **fault.placeholders)
        if fault.row is None:
            return text
        return self("row", number=str(fault.row + 1), text=text)

    def problem(self, problem: Problem) -> str:
        """Return what was found and what would be right."""
        message = self.problems.get(problem.code)
        if message is None:
            told = f"{problem.message}. {problem.hint}".strip()
            # Not where a text begins with a key, such as `as`.
            begins = told.startswith(_BEGINNINGS)
            return told[:1].upper() + told[1:] if begins else told
        guess = problem.placeholders.get("nearest", "-")
        end = "hint" if guess else "otherwise"
        hint = self.problems.get(f"{problem.code}_{end}", "")
        named = {
            key: self.fragments.get(value, value)
            for key, value in problem.placeholders.items()
        }
        return f"{message}{hint}".format_map(named)
