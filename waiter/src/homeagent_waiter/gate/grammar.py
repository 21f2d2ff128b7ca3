"""Gate, third stage: judges the words of a command by accept-lists as data. Pure.

``Options`` reads words as getopt does; what is not listed is refused. Long options must
be written in full, bundles may hold only listed letters (design page 4, §4.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
import re
from typing import Protocol

from .plan import Code
from .refused import RefusedError, shown
from .values import TEXT, Claim, Value


@dataclass(slots=True, kw_only=True)
class Parsed:
    """What the words of a command are: options with their values, operands, claims."""

    options: list[tuple[str, str | None]] = field(default_factory=list)
    operands: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    def has(self, *names: str) -> bool:
        """Return whether one of these options is there."""
        return any(name in names for name, _ in self.options)

    def last(self, *names: str) -> str | None:
        """Return the value of the last of these options, or ``None``."""
        values = [value for name, value in self.options if name in names]
        return values[-1] if values else None

    def claim(self, value: Value, text: str) -> None:
        """Note that a word names something, where its value says so."""
        if value.kind is not None:
            self.claims.append(Claim(kind=value.kind, text=text))


class Grammar(Protocol):
    """Judges the words behind a command's name."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operands:
    """How many words without a dash there may be, and what each is."""

    least: int = 0
    most: int = 1000
    value: Value = TEXT

    def judge(self, parsed: Parsed, words: Sequence[str]) -> None:
        """Raise ``RefusedError`` unless the operands are allowed."""
        if len(words) > self.most:
            hint = f"at most {self.most} operands" if self.most else "no operand"
            raise operand(words[self.most], f"allowed is {hint}")
        if len(words) < self.least:
            raise operand("", f"at least {self.least}: {self.value.what}")
        for word in words:
            if word != "-":
                self.value.judge(word, Code.OPERAND, word)
                parsed.claim(self.value, word)


NONE = Operands(most=0)


def option(token: str, hint: str) -> RefusedError:
    """Return the refusal of an option."""
    return RefusedError(Code.OPTION, shown(token), hint)


def operand(token: str, hint: str) -> RefusedError:
    """Return the refusal of an operand."""
    return RefusedError(Code.OPERAND, shown(token), hint)


def count(token: str, hint: str) -> RefusedError:
    """Return the refusal of a number that is missing or too large."""
    return RefusedError(Code.COUNT, shown(token), hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a program that reads them with getopt.

    ``flags``: letters without a value. ``valued``: letters with one, attached or the
    next word. ``attached``: letters whose value, if any, is attached. ``long``: names
    in full, without a value. ``long_valued``: with one behind ``=`` or as the next
    word. ``long_optional``: with one behind ``=`` or none. ``number``: ``-5`` as a
    whole word. ``permutes``: options may follow operands. ``rule`` looks at it all.
    """

    flags: str = ""
    valued: Mapping[str, Value] = field(default_factory=dict)
    attached: Mapping[str, Value] = field(default_factory=dict)
    long: frozenset[str] = frozenset()
    long_valued: Mapping[str, Value] = field(default_factory=dict)
    long_optional: Mapping[str, Value] = field(default_factory=dict)
    number: Value | None = None
    operands: Operands = field(default_factory=Operands)
    permutes: bool = True
    rule: Callable[[Parsed], None] | None = None

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        parsed = Parsed()
        words = list(args)
        while words:
            word = words.pop(0)
            if word == "--":
                parsed.operands += words
                break
            if not word.startswith("-") or word == "-":
                parsed.operands.append(word)
                if not self.permutes:
                    parsed.operands += words
                    break
            elif word.startswith("--"):
                self._long(parsed, word, words)
            elif self.number is not None and re.fullmatch(r"-[0-9]+", word):
                self.number.judge(word[1:], Code.OPTION, word)
                parsed.options.append(("-N", word[1:]))
            else:
                self._bundle(parsed, word, words)
        if self.rule is not None:
            self.rule(parsed)
        self.operands.judge(parsed, parsed.operands)
        return parsed

    def _long(self, parsed: Parsed, word: str, words: list[str]) -> None:
        """Take an option such as ``--name`` or ``--name=value``."""
        name, equals, given = word.partition("=")
        plain = name[2:]
        value = self.long_valued.get(plain)
        if value is not None:
            if not equals:
                given = self._next(word, words)
            self._valued(parsed, name, value, given, word)
        elif equals and plain in self.long_optional:
            self._valued(parsed, name, self.long_optional[plain], given, word)
        elif not equals and (plain in self.long or plain in self.long_optional):
            parsed.options.append((name, None))
        else:
            raise option(word, self._allowed())

    def _bundle(self, parsed: Parsed, word: str, words: list[str]) -> None:
        """Take letters such as ``-la`` or ``-n5``; each must be listed."""
        rest = word[1:]
        while rest:
            letter, rest = rest[0], rest[1:]
            name = "-" + letter
            if letter in self.valued:
                given = rest or self._next(word, words)
                self._valued(parsed, name, self.valued[letter], given, word)
                return
            if letter in self.attached:
                if rest:
                    self._valued(parsed, name, self.attached[letter], rest, word)
                else:
                    parsed.options.append((name, None))
                return
            if letter not in self.flags:
                raise option(word, self._allowed())
            parsed.options.append((name, None))

    def _valued(
        self, parsed: Parsed, name: str, value: Value, given: str, token: str
    ) -> None:
        value.judge(given, Code.OPTION, token)
        parsed.options.append((name, given))
        parsed.claim(value, given)

    def _next(self, word: str, words: list[str]) -> str:
        if not words:
            raise option(word, "a value after the option")
        return words.pop(0)

    def _allowed(self) -> str:
        """Say which options there are."""
        letters = sorted({*self.flags, *self.valued, *self.attached})
        names = sorted({*self.long, *self.long_valued, *self.long_optional})
        said = " ".join([*(f"-{each}" for each in letters), *(f"--{n}" for n in names)])
        return (
            f"allowed are, written in full: {said}" if said else "allowed is no option"
        )


def names(words: str) -> frozenset[str]:
    """Return the set of some words."""
    return frozenset(words.split())


def every(words: str, value: Value) -> dict[str, Value]:
    """Return a table that gives each word (or each letter with blanks) one value."""
    return dict.fromkeys(words.split(), value)
