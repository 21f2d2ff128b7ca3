"""Gate, accept-lists: ps, which reads its words in three ways. Data and a small reader.

The letter ``e`` without a dash prints environments. And where ps cannot make sense of
words with dashes, it reads *all* of them once more without the dashes: ``ps -e -u xe``
with no user named ``xe`` becomes ``ps eu xe``. So a word that could show an environment
in that second reading is refused, and ``-e`` is accepted only with words that ps always
understands. Threads behind their processes (``m``) of what runs right now (``r``) make
the ps of procps 4.0 turn in a circle, so one of the two may not stand beside the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
import re

from ..grammar import Parsed, operand, option
from ..plan import Code
from ..values import Value, matching, number

# Letters without a value, and with one, of words without a dash.
_BSD_FLAGS = frozenset("aAcCfghHjlLmnrsSTuvwxXZ")
_BSD_VALUED = frozenset("oOpqtUkN")
_UNIX_FLAGS = frozenset("eAadFfjlLTmwyMZHNc")
# What never conflicts with another format.
_BESIDE_FORMAT = frozenset("eAwHN")
_ALWAYS_UNDERSTOOD = frozenset("eAfFjlLwHTMy")

_KEYWORDS = frozenset(
    """
    %cpu %mem addr args blocked bsdstart bsdtime c caught cgroup class cls cmd comm
    command cp cputime egid egroup eip esp etime etimes euid euser f fgid fgroup flag
    flags fname fuid fuser gid group ignored label lstart lwp maj_flt majflt min_flt
    minflt ni nice nlwp nwchan pcpu pending pgid pgrp pid pmem policy ppid pri psr rgid
    rgroup rss rssize rsz rtprio ruid ruser s sched sess sgi_p sgid sgroup sid sig size
    spid stackp start start_time stat state stime suid suser svgid svuid sz thcount tid
    time tname tpgid tt tty ucmd ucomm uid uname user vsize vsz wchan
    """.split()
)


def _is_format(text: str) -> bool:
    *most, last = re.split(r"[, ]", text)
    last, _, header = last.partition("=")
    plain = all(key.partition(":")[0] in _KEYWORDS for key in [*most, last])
    widths = all(re.fullmatch(r"[^:]+(:\d{1,3})?", key) for key in [*most, last])
    return plain and widths and (header == "" or header.isalnum())


_FORMAT = Value(
    what="a format of the usual keywords, such as pid,user,pcpu,args", test=_is_format
)
_SORT = Value(
    what="keys such as -pcpu,pid",
    test=lambda text: all(key.lstrip("+-") in _KEYWORDS for key in text.split(",")),
)
_PIDS = matching(r"[1-9]\d{0,6}([, ][1-9]\d{0,6}){0,50}", "process numbers")
_USERS = matching(
    r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}(,[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}){0,20}",
    "users",
)
_COMMANDS = matching(r"[A-Za-z0-9_.:+-]{1,15}(,[A-Za-z0-9_.:+-]{1,15}){0,20}", "names")
_TTYS = matching(r"[A-Za-z0-9/?]{1,16}(,[A-Za-z0-9/]{1,16}){0,20}", "terminals")
_WIDTH = number(1, 10_000)
_UNIX_VALUED = {
    **dict.fromkeys("oO", _FORMAT),
    **dict.fromkeys("pqs", _PIDS),
    **dict.fromkeys("uUgG", _USERS),
    "C": _COMMANDS,
    "t": _TTYS,
}
_LONG = frozenset(
    "--no-headers --no-heading --noheader --noheaders --noheading --headers --forest"
    " --deselect --version --help".split()
)
_LONG_VALUED = {
    "--sort": _SORT,
    "--format": _FORMAT,
    **dict.fromkeys(["--pid", "--ppid", "--quick-pid", "--sid"], _PIDS),
    **dict.fromkeys(["--user", "--User", "--group", "--Group"], _USERS),
    "--tty": _TTYS,
    **dict.fromkeys(["--cols", "--columns", "--width", "--rows", "--lines"], _WIDTH),
}
_ALLOWED = "allowed are words such as aux, -ef, -eo pid,args, --sort=-pcpu, -p 1"
_NO_ENVIRONMENT = "e without a dash prints environments; -e and aux do not"
_NO_CIRCLE = "m or r, not both: with both, ps may never end; H and -L go with r"


def shows_environment(word: str) -> bool:
    """Return whether a word, read without a dash, asks for environments."""
    for letter in word:
        if letter == "e":
            return True
        if letter not in _BSD_FLAGS:
            return False
    return False


@dataclass(slots=True)
class _Seen:
    """What words have been read; ``flags``: all letters, in whichever reading."""

    unix: set[str] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)
    valued: set[str] = field(default_factory=set)
    bare: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ps:
    """ps of procps."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        words, seen = list(args), _Seen()
        while words:
            word = words.pop(0)
            if word.startswith("--"):
                self._long(word, words)
            elif word.startswith("-"):
                self._dashed(word, words, seen)
            else:
                self._bare(word, words, seen)
        self._understood(seen)
        if {"m", "r"} <= seen.flags:
            raise option("m", _NO_CIRCLE)
        return Parsed(operands=list(args))

    def _long(self, word: str, words: list[str]) -> None:
        name, equals, given = word.partition("=")
        value = _LONG_VALUED.get(name)
        if value is None:
            if equals or name not in _LONG:
                raise option(word, _ALLOWED)
            return
        if not equals:
            given = words.pop(0) if words else ""
        value.judge(given, Code.OPTION, word)

    def _dashed(self, word: str, words: list[str], seen: _Seen) -> None:
        """Take letters such as ``-ef`` or ``-eo FORMAT``; ``-aux`` is an old habit."""
        if re.fullmatch(r"-aux(w{0,2}|f)", word):
            seen.bare.append(word)
            return
        for index, letter in enumerate(word[1:], start=2):
            value = _UNIX_VALUED.get(letter)
            if value is None and letter not in _UNIX_FLAGS:
                raise option(word, _ALLOWED)
            if value is None:
                seen.unix.add(letter)
                seen.flags.add(letter)
                continue
            given = word[index:] or (words.pop(0) if words else "")
            value.judge(given, Code.OPTION, word)
            if _BSD_FLAGS.issuperset(given):
                seen.flags.update(given)
            if letter not in "oO":
                again = word[1:] if word[index:] else given
                if any(shows_environment(each) for each in [again, *given.split(",")]):
                    raise option(given, "ps may take it for options; write the number")
            seen.valued.add(letter)
            return
        if len(word) == 1:
            raise option(word, _ALLOWED)

    def _bare(self, word: str, words: list[str], seen: _Seen) -> None:
        """Take letters such as ``aux`` or ``axo FORMAT``, or process numbers."""
        seen.bare.append(word)
        if word[:1].isdigit():
            _PIDS.judge(word, Code.OPERAND, word)
            return
        for index, letter in enumerate(word, start=1):
            if letter == "e":
                raise option(word, _NO_ENVIRONMENT)
            if letter in "okpU":
                value = {"o": _FORMAT, "k": _SORT, "p": _PIDS, "U": _USERS}[letter]
                given = word[index:] or (words.pop(0) if words else "")
                value.judge(given, Code.OPTION, word)
                return
            if letter not in _BSD_FLAGS:
                raise option(word, _ALLOWED)
            seen.flags.add(letter)
        if not word:
            raise operand(word, _ALLOWED)

    def _understood(self, seen: _Seen) -> None:
        """Refuse ``-e`` beside anything that ps might not understand."""
        if "e" not in seen.unix:
            return
        formats = seen.valued <= {"o", "O"}
        beside = _BESIDE_FORMAT if seen.valued else _ALWAYS_UNDERSTOOD
        if seen.bare or not formats or not seen.unix <= beside:
            raise option("-e", "beside -e only -f -F -j -l -w or one -o FORMAT")


PS = Ps()


@dataclass(frozen=True, slots=True, kw_only=True)
class PsBusybox:
    """ps of busybox, which knows few words and shows no environment."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        words = list(args)
        while words:
            word = words.pop(0)
            if word == "-o":
                _FORMAT.judge(words.pop(0) if words else "", Code.OPTION, word)
            elif word not in (
                "-T",
                "-l",
                "-w",
                "-ww",
                "w",
                "ww",
                "-ef",
                "-e",
                "aux",
                "-aux",
            ):
                raise option(word, "allowed are -T -l -w and -o with columns")
        return Parsed(operands=list(args))


PS_BUSYBOX = PsBusybox()
