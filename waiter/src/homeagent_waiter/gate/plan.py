"""Gate, at the bottom: what a command line may become. Imports nothing of its own.

``decide`` makes a ``Plan`` or a ``Refusal`` of a line, and the executor takes nothing
but a ``Plan`` (design page 4, §4.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Stderr(StrEnum):
    """Where the standard error of one command goes."""

    KEEP = "keep"
    DROP = "drop"
    STDOUT = "stdout"


class Step(StrEnum):
    """The stage of the gate that refused."""

    LEXER = "lexer"
    FIRST_WORD = "first_word"
    GRAMMAR = "grammar"
    VALUES = "values"


class Code(StrEnum):
    """Why a line is refused."""

    LINE = "line"
    NOT_ALLOWED = "not_allowed"
    OPTION = "option"
    OPERAND = "operand"
    NO_GRAMMAR = "no_grammar"
    NO_GRAMMAR_HERE = "no_grammar_here"
    SECRET = "secret"
    DEVICE = "device"
    COUNT = "count"
    NETWORK = "network"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One command of a pipeline, with its words as the program gets them.

    ``program`` is the file that runs, or ``None`` where it is not installed;
    ``unchecked``: judged by its name alone.
    """

    argv: tuple[str, ...]
    program: str | None
    stderr: Stderr = Stderr.KEEP
    unchecked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A line that passed the gate. ``notes``: what it leaves out, in words."""

    line: str
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()

    @property
    def unchecked(self) -> bool:
        """Return whether a command of it was judged by its name alone."""
        return any(stage.unchecked for stage in self.stages)

    @property
    def installed(self) -> bool:
        """Return whether every program of the line is there."""
        return all(stage.program is not None for stage in self.stages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A line that did not pass: where, why, by which word, and what would be right."""

    stage: Step
    code: Code
    token: str
    hint: str
