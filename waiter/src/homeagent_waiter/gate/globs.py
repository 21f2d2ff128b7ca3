"""Gate, between lexer and grammar: expands glob patterns by reading folders, bounded.

As a shell does: names in order, none with a leading dot unless asked for, and the word
as it stands when nothing matches. Relative names get ``./`` in front, so that a file
named ``-delete`` cannot become an option (design page 4, §4.3).
"""

from __future__ import annotations

from collections.abc import Iterator
import fnmatch
import os
from pathlib import Path
import re

from .lexer import Word
from .plan import Code
from .refused import RefusedError, shown

MOST_NAMES = 1_000
MOST_SEEN = 10_000
_TOKEN = re.compile(r"\\.|[^\\]", re.DOTALL)
_CLASS = re.compile(r"[A-Za-z0-9_.,+=@%:-]{1,64}")


def expand(word: Word, folder: str = "/") -> list[str]:
    """Return the words that a word becomes; ``folder`` is where relative names are.

    Raises ``RefusedError`` with ``count`` when there is too much to look at, and with
    ``line`` for brackets that are more than a plain list of characters.
    """
    if word.glob is None:
        return [word.text]
    parts = _parts(word.glob)
    absolute = parts[0] == []
    budget = _Budget(word.written)
    root = "/" if absolute else folder
    steps = [part for part in parts if part and part != ["\\."]]
    found = sorted(_walk(root, "", steps, budget))
    if not parts[-1]:
        found = [f"{name}/" for name in found if Path(root, name).is_dir()]
    if not found:
        return [word.text]
    return [("/" if absolute else "./") + name for name in found]


class _Budget:
    """How much may still be looked at for one word."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.seen = 0
        self.names = 0

    def look(self) -> None:
        self.seen += 1
        if self.seen > MOST_SEEN:
            raise self._over(f"folders with more than {MOST_SEEN} entries are too many")

    def name(self) -> None:
        self.names += 1
        if self.names > MOST_NAMES:
            raise self._over(f"a pattern may match at most {MOST_NAMES} names")

    def _over(self, hint: str) -> RefusedError:
        return RefusedError(Code.COUNT, shown(self.token), hint)


def _parts(glob: str) -> list[list[str]]:
    r"""Return the tokens of each path component; ``\x`` is a literal x."""
    parts: list[list[str]] = [[]]
    for token in _TOKEN.findall(glob):
        if token == "\\/":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _walk(
    root: str, name: str, parts: list[list[str]], budget: _Budget
) -> Iterator[str]:
    """Give the names below ``root`` that the components match."""
    if not parts:
        if name:
            budget.name()
            yield name
        return
    first, *rest = parts
    here = Path(root, name)
    if not any(token in "*?[" for token in first):
        literal = "".join(token.removeprefix("\\") or token for token in first)
        if os.path.lexists(here / literal):
            yield from _walk(root, _joined(name, literal), rest, budget)
        return
    matches = _matcher(first, budget.token)
    dotted = first[0] == "\\."
    for entry in _names(here, budget):
        if (dotted or not entry.startswith(".")) and matches.match(entry):
            yield from _walk(root, _joined(name, entry), rest, budget)


def _joined(name: str, more: str) -> str:
    return f"{name}/{more}" if name else more


def _names(folder: Path, budget: _Budget) -> list[str]:
    """Return what is in a folder; nothing for what is none or cannot be read."""
    names = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                budget.look()
                names.append(entry.name)
    except OSError:
        return []
    return [name for name in names if name.isprintable()]


def _matcher(tokens: list[str], written: str) -> re.Pattern[str]:
    """Return what a component matches; takes time linear in the name."""
    pattern: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token == "[":
            end = _closing(tokens, at)
            if end is not None:
                pattern.append(_class(tokens[at:end], written))
                at = end + 1
                continue
        if token in "*?":
            pattern.append(token)
        else:
            literal = token[-1]
            pattern.append(f"[{literal}]" if literal in "*?[" else literal)
    return re.compile(fnmatch.translate("".join(pattern)))


def _closing(tokens: list[str], at: int) -> int | None:
    """Return where the bracket that was opened ends."""
    for index in range(at + 1, len(tokens)):
        if tokens[index] == "]":
            return index
    return None


def _class(tokens: list[str], written: str) -> str:
    negated = tokens[0] == "^"
    said = "".join(token[-1] for token in tokens[negated:])
    if not _CLASS.fullmatch(said) or "[" in said:
        hint = "in brackets only letters, digits, ranges and _ . , + = @ % :"
        raise RefusedError(Code.LINE, shown(written), hint)
    return f"[{'!' if negated else ''}{said}]"
