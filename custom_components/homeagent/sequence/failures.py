"""The errors that the language raises: one family, told apart by class.

Low layer of the language; imports the catalogue of words and the kernel's phrases.
"""

from dataclasses import dataclass
from typing import Literal, override

from ..kernel.phrases import Phrase
from .problems import Problem


class SequenceError(Exception):
    """Whatever the language raises on purpose."""


class LanguageError(SequenceError):
    """A text is not what the language allows; `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """Why a reference leads nowhere.

    `reason` is `required` for what is absent (key, index, slot) and `type` for a step
    into a value that has no such steps.
    """

    reason: Literal["required", "type"]
    reference: str
    detail: Phrase


class UnresolvedReference(SequenceError):  # noqa: N818  named for what happened
    """A reference leads nowhere at run time."""

    def __init__(self, unresolved: Unresolved) -> None:
        super().__init__(f"{unresolved.reference}: {unresolved.detail}")
        self.unresolved = unresolved


class ConditionFailed(SequenceError):  # noqa: N818  named for what happened
    """A condition cannot be judged; it is an error, never "false" (§8.4)."""

    def __init__(self, said: Phrase) -> None:
        super().__init__(said)
        self.said = said


class DamagedSequence(SequenceError):  # noqa: N818  named for what happened
    """A stored sequence is not what `codec.dump` writes; `path` says where."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    @override
    def __str__(self) -> str:
        return f"{self.path or 'the stored sequence'}: {self.reason}"
