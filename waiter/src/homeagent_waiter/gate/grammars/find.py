"""Gate, accept-lists: find. Tests and actions that list; data and a small reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..grammar import Parsed, operand, option
from ..plan import Code
from ..values import LIST, MOMENT, TEXT, Value, matching, number

_AMOUNT = matching(r"[+-]?\d{1,12}(\.\d{1,6})?", "a number such as -1 or +30")
_SIZE = matching(r"[+-]?\d{1,15}[bcwkMGTP]?", "a size such as +100M")
_TYPE = matching(r"[bcdpflsD](,[bcdpflsD]){0,8}", "a type such as f")
_PERM = matching(
    r"[-/+]?([0-7]{1,5}|[ugoarwxXst+=,-]{1,60})", "permissions such as -644"
)
_DEPTH = number(0, 1000)
_OWNER = matching(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}", "a name or number")

_GLOBAL = frozenset("-H -L -P".split())
_PLAIN = frozenset(
    "-empty -executable -readable -writable -nouser -nogroup -true -false -depth -d"
    " -xdev -mount -daystart -noleaf -ignore_readdir_race -noignore_readdir_race"
    " -follow -nowarn -warn -prune -quit -print -print0 -ls"
    " ! -not -a -and -o -or , ( )".split()
)
_VALUED: dict[str, Value] = {
    **dict.fromkeys(
        "-name -iname -path -ipath -wholename -iwholename -lname -ilname -printf".split(),
        TEXT,
    ),
    **dict.fromkeys(
        "-mtime -atime -ctime -mmin -amin -cmin -used -uid -gid -inum -links".split(),
        _AMOUNT,
    ),
    **dict.fromkeys(["-maxdepth", "-mindepth"], _DEPTH),
    **dict.fromkeys(["-type", "-xtype"], _TYPE),
    **dict.fromkeys(["-user", "-group"], _OWNER),
    "-fstype": matching(r"[A-Za-z0-9_.-]{1,32}", "a type of file system"),
    "-perm": _PERM,
    "-size": _SIZE,
    # These read only a time or a number of the file.
    **dict.fromkeys(["-newer", "-anewer", "-cnewer", "-samefile"], LIST),
    **{f"-newer{x}{y}": LIST for x in "aBcm" for y in "aBcm"},
    **{f"-newer{x}t": MOMENT for x in "aBcm"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """find: start points, then an expression of listed tests and actions.

    What runs (``-exec -ok``), deletes, writes (``-fprint``), takes names from a file or
    a regular expression is not listed.
    """

    plain: frozenset[str] = _PLAIN
    valued: dict[str, Value] = field(default_factory=lambda: _VALUED)
    most_starts: int = 1000

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        words, parsed = list(args), Parsed()
        while words and words[0] in _GLOBAL:
            parsed.options.append((words.pop(0), None))
        if words[:1] == ["--"]:
            words.pop(0)
        while words and not _begins_expression(words[0]):
            start = words.pop(0)
            LIST.judge(start, Code.OPERAND, start)
            parsed.operands.append(start)
            parsed.claim(LIST, start)
        while words:
            self._expression(parsed, words)
        if not parsed.operands:
            parsed.claim(LIST, ".")
        return parsed

    def _expression(self, parsed: Parsed, words: list[str]) -> None:
        word = words.pop(0)
        if word in ("--help", "-help", "--version", "-version"):
            return
        if word in self.plain:
            parsed.options.append((word, None))
            return
        value = self.valued.get(word)
        if value is None:
            if not _begins_expression(word):
                raise operand(word, "start points stand before the expression")
            raise option(
                word,
                "allowed are tests such as -name -type -size -mtime, "
                "-maxdepth, -print -printf -ls -prune",
            )
        if not words:
            raise option(word, f"a value after it: {value.what}")
        given = words.pop(0)
        value.judge(given, Code.OPTION, given)
        parsed.options.append((word, given))
        parsed.claim(value, given)


def _begins_expression(word: str) -> bool:
    return word.startswith("-") or word in ("(", ")", "!", ",")


FIND = Find()
FIND_BUSYBOX = FIND
