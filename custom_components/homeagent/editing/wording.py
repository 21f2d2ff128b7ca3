"""The words of the editor in the language of the person who edits.

Lowest module of the editor; pure: the texts come in, from Home Assistant's translations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
import re
from typing import Final

from ..kernel.phrases import Phrase
from ..sequence.problems import Problem

_CALL: Final = re.compile(r"tools\[(\d+)\]")
_ORDERING_KEY: Final = re.compile(r'"?(?:entity|output):([^"]+)"?')
_TARGET_KEY: Final = re.compile(r"\b(area|device|floor|label|entity)_id(?= )")
_BEGINNINGS: Final = ("the ", "a ", "an ", "found ", "there ", "this ", "more ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Texts by their keys, and those of the language's problems by their codes.

    A code that is not among `problems` is told in the words of the core, in English.
    `fragments` are what the core puts in for placeholders, such as `a number`; `said` are
    the texts of its phrases, and of hints that people get in the place of those that
    models get. `forms` has problems in the words of the forms, for those that the core
    tells in those of JSON.
    """

    texts: Mapping[str, str]
    problems: Mapping[str, str] = field(default_factory=dict)
    fragments: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, key: str, /, **placeholders: str) -> str:
        """Return a text with what it names."""
        return self.texts[key].format_map(placeholders)

    def count(self, key: str, count: int) -> str:
        """Return a text that counts: `key` for one, `key_many` for more."""
        return self(key if count == 1 else f"{key}_many", count=str(count))

    def join(self, key: str, texts: Sequence[str]) -> str:
        """Return texts put together in pairs: `joined` with commas, `then` in order."""
        return reduce(lambda done, each: self(key, first=done, following=each), texts)

    def say(self, text: str) -> str:
        """Return a text of the core in the person's language, where that is known.

        A phrase is put together anew, with what it names; any other text is data.
        """
        if isinstance(text, Phrase) and text.code in self.said:
            return self.filled(text.code, text.named)
        return self.fragments.get(text, text)

    def filled(self, code: str, named: Mapping[str, str]) -> str:
        """Return the words of a code, with all that they name said, too."""
        told = {key: self._named(key, value) for key, value in named.items()}
        return self.said[code].format_map(told)

    def _named(self, key: str, value: str) -> str:
        """Return what a phrase names: no ordering key, and no key of a target."""
        if key == "key" and (ordered := _ORDERING_KEY.fullmatch(value)):
            return ordered[1]
        if key == "entities":
            return _TARGET_KEY.sub(lambda found: self._kind(found[1]), value)
        return self.say(value)

    def _kind(self, key: str) -> str:
        return self.texts.get(f"kind_{key}", f"{key}_id")

    def problem(self, problem: Problem) -> str:
        """Return what was found and what would be right."""
        message = self.problems.get(problem.code)
        instead = self.said.get(f"hint_{problem.code}")
        if message is None:
            told = f"{problem.message}. {instead or problem.hint}".strip()
            # Not where a text begins with a key, such as `as`.
            begins = told.startswith(_BEGINNINGS)
            return told[:1].upper() + told[1:] if begins else told
        guess = problem.placeholders.get("nearest", "-")
        end = "hint" if guess else "otherwise"
        hint = instead or self.problems.get(f"{problem.code}_{end}", "")
        named = {key: self.say(value) for key, value in problem.placeholders.items()}
        return f"{message}{hint}".format_map(named)

    def problem_in_form(self, problem: Problem) -> str:
        """Return a problem for somebody who sees forms: fields, rows and calls."""
        code, named = problem.code, problem.placeholders
        guessed = self.forms.get(f"{code}_nearest") if named.get("nearest") else None
        text = guessed or self.forms.get(code)
        if text is None:
            return self.problem(problem)
        shown = {key: self._in_form(key, value) for key, value in named.items()}
        told = text.format_map(shown)
        return told[:1].upper() + told[1:]

    def _in_form(self, key: str, value: str) -> str:
        """Return what a problem names: `tools[0]` is the first call there."""
        if call := _CALL.fullmatch(value):
            return self("place_call", number=str(int(call[1]) + 1))
        if key == "type" and (kind := self.texts.get(f"type_{value}")):
            return kind
        return self._named(key, value)
