"""Gate, accept-lists: programs that show load, memory and who is there. Data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import re

from ..grammar import (
    NONE,
    Operands,
    Options,
    Parsed,
    count,
    every,
    names,
    operand,
    option,
)
from ..plan import Code
from ..values import LIST, TEXT, choice, matching, number

HELP = "help version"
MOST_SECONDS = 60
_TIMES = number(1, 60)
_SECONDS = number(0.1, MOST_SECONDS, decimal=True)
_USER = matching(r"[A-Za-z_][A-Za-z0-9_.@-]{0,63}\$?|\d{1,10}", "a user")
_PIDS = matching(r"\d{1,7}(,\d{1,7}){0,50}", "process numbers with commas")


def _repeats(parsed: Parsed, seconds: tuple[str, ...], times: tuple[str, ...]) -> None:
    """What repeats must have a count, and must end in time."""
    pause, how_often = parsed.last(*seconds), parsed.last(*times)
    if pause is not None and how_often is None:
        raise count(pause, f"a count ({times[0]}) with {seconds[0]}")
    _ends(pause or "1", how_often or "1")


def _ends(pause: str, how_often: str) -> None:
    """Refuse what would take longer than a minute."""
    if float(pause) * (int(how_often) - 1) > MOST_SECONDS:
        raise count(how_often, f"at most {MOST_SECONDS} seconds all in all")


def _free_ends(parsed: Parsed) -> None:
    _repeats(parsed, ("-s", "--seconds"), ("-c", "--count"))


FREE = Options(
    flags="bkmghltvwLV",
    valued={"s": _SECONDS, "c": _TIMES},
    long=names(
        "bytes kilo mega giga tera peta kibi mebi gibi tebi pebi human si lohi line"
        f" total committed wide {HELP}"
    ),
    long_valued={"seconds": _SECONDS, "count": _TIMES},
    operands=NONE,
    rule=_free_ends,
)
FREE_BUSYBOX = Options(flags="bkmgh", operands=NONE)

UPTIME = Options(flags="phsrV", long=names(f"pretty since raw {HELP}"), operands=NONE)


def _top_ends(parsed: Parsed) -> None:
    """Without ``-b`` it is interactive, without ``-n`` it has no end."""
    if parsed.has("-h", "-V", "--help", "--version"):
        return
    if not parsed.has("-b", "--batch-mode"):
        raise option("top", "-b and -n, such as: top -b -n 1")
    if not parsed.has("-n", "--iterations"):
        raise count("top", "a count of screens, such as: top -b -n 1")
    times = parsed.last("-n", "--iterations") or "1"
    _ends(parsed.last("-d", "--delay") or "3", times)


_FIELD = matching(r"[+-]?[A-Za-z%][A-Za-z0-9_%-]{0,15}", "a field such as %MEM")
TOP = Options(
    flags="bcHiS1hVs",
    valued={
        "n": _TIMES,
        "d": _SECONDS,
        "o": _FIELD,
        "p": _PIDS,
        "u": _USER,
        "U": _USER,
        "E": choice("k m g t p e"),
        "e": choice("k m g t p"),
        "w": number(3, 512),
    },
    long=names("batch-mode cmdline-toggle threads-show idle-toggle help version"),
    long_valued={
        "iterations": _TIMES,
        "delay": _SECONDS,
        "sort-override": _FIELD,
        "pid": _PIDS,
    },
    operands=NONE,
    rule=_top_ends,
)
TOP_BUSYBOX = Options(
    flags="bH", valued={"n": _TIMES, "d": number(1, 60)}, operands=NONE, rule=_top_ends
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Programs whose last operands are an interval and a count: vmstat, iostat, zpool.

    The words before them are judged by ``operands``; an interval must have a count.
    """

    options: Options
    operands: Operands

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        parsed = self.options.parse(args)
        words = list(parsed.operands)
        numbers: list[str] = []
        while (
            words and len(numbers) < 2 and re.fullmatch(r"[\d.]+", words[-1], re.ASCII)
        ):
            numbers.insert(0, words.pop())
        if len(numbers) == 1:
            raise count(numbers[0], "a count behind the interval, such as: 1 3")
        if numbers:
            _SECONDS.judge(numbers[0], Code.OPERAND, numbers[0])
            _TIMES.judge(numbers[1], Code.OPERAND, numbers[1])
            _ends(*numbers)
        self.operands.judge(parsed, words)
        return parsed


_DISK = matching(r"[A-Za-z][A-Za-z0-9_!-]{0,31}", "a disk such as sda")
VMSTAT = Interval(
    options=Options(
        flags="afmnsdDwtyhV",
        valued={"p": _DISK, "S": choice("k K m M")},
        long=names(
            "active forks slabs one-header stats disk disk-sum wide timestamp no-first"
            f" {HELP}"
        ),
        long_valued={"partition": _DISK, "unit": choice("k K m M")},
    ),
    operands=NONE,
)
# ``-f`` names another place of statistics, ``-g`` takes any names.
IOSTAT = Interval(
    options=Options(
        flags="cdhkmNstVxyz",
        valued={"j": choice("ID LABEL PATH UUID"), "o": choice("JSON"), "p": _DISK},
        long=names("human compact pretty"),
        long_valued={"dec": choice("0 1 2")},
    ),
    operands=Operands(most=50, value=_DISK),
)


def _who_reads_the_usual(parsed: Parsed) -> None:
    """One operand is a file to read; two are only a way to say -m."""
    if parsed.operands and [w.lower() for w in parsed.operands] != ["am", "i"]:
        raise operand(parsed.operands[0], "no file; only the words: am i")


WHO = Options(
    flags="abdHlmpqrstTwu",
    long=names(
        "all boot dead heading ips login message process count runlevel short time"
        f" mesg users writable {HELP}"
    ),
    operands=Operands(most=2, value=TEXT),
    rule=_who_reads_the_usual,
)
WHO_BUSYBOX = Options(flags="aH", operands=NONE)

_WHEN = matching(r"[A-Za-z0-9:+ -]{1,32}", "a time such as yesterday")
_LAST_LINES = number(1, 100_000)
# ``-f`` reads another file, ``-d`` looks up names.
LAST = Options(
    flags="aFiRwxhV",
    valued={"n": _LAST_LINES, **every("s t p", _WHEN)},
    long=names(f"hostlast ip nohostname fullnames fulltimes system {HELP}"),
    long_valued={
        "limit": _LAST_LINES,
        **every("since until present", _WHEN),
        "time-format": choice("notime short full iso"),
    },
    number=_LAST_LINES,
    operands=Operands(most=20, value=matching(r"[A-Za-z0-9_.:/-]{1,32}", "a user")),
)

# lsof: ``+r`` and ``-r`` repeat, ``+D`` reads to any depth, ``-D``, ``-k``, ``-m`` and
# ``-A`` name files, ``-e`` and ``-O`` may hang. Hosts of ``-i`` must be addresses.
_NET = matching(
    r"[46]?(TCP|UDP|tcp|udp)?(@(\[[0-9A-Fa-f:.]{2,45}\]|\d{1,3}(\.\d{1,3}){3}))?"
    r"(:[a-z0-9-]{1,20}(,[a-z0-9-]{1,20}){0,20})?",
    "an address and ports such as TCP:22",
)
_LSOF_VALUED = {
    "p": matching(r"\^?\d{1,7}(,\^?\d{1,7}){0,50}", "process numbers with commas"),
    "g": matching(r"\^?\d{1,7}(,\^?\d{1,7}){0,50}", "group numbers with commas"),
    "c": matching(r"\^?[A-Za-z0-9_.:-]{1,64}", "the beginning of a command"),
    "u": matching(r"\^?[A-Za-z0-9_.-]{1,32}(,\^?[A-Za-z0-9_.-]{1,32}){0,20}", "users"),
    "d": matching(
        r"\^?[A-Za-z0-9-]{1,16}(,\^?[A-Za-z0-9-]{1,16}){0,20}", "descriptors"
    ),
}
_LSOF_ATTACHED = {
    "s": matching(
        r"(TCP|UDP|tcp|udp):\^?[A-Za-z0-9_,^]{1,80}", "states such as TCP:LISTEN"
    ),
    "F": matching(r"[A-Za-z0]{0,32}", "letters of fields"),
    "T": matching(r"[fqs]{0,3}", "letters of states"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lsof:
    """lsof: its own way with options, whose values may be left out."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        parsed = Parsed()
        words = list(args)
        while words:
            word = words.pop(0)
            if word == "--":
                self._names(parsed, words)
                break
            if word.startswith("-"):
                self._bundle(parsed, word, words)
            elif word.startswith("+"):
                raise option(word, "no option with +")
            else:
                self._names(parsed, [word])
        return parsed

    def _names(self, parsed: Parsed, words: list[str]) -> None:
        Operands(value=LIST).judge(parsed, words)
        parsed.operands += words

    def _bundle(self, parsed: Parsed, word: str, words: list[str]) -> None:
        rest = word[1:]
        while rest:
            letter, rest = rest[0], rest[1:]
            parsed.options.append(("-" + letter, None))
            if letter == "i":
                # The value may be the next word, if that begins no option.
                if not rest and words and not words[0].startswith(("-", "+", "/")):
                    rest = words.pop(0)
                _NET.judge(rest, Code.OPTION, rest or word)
                return
            if letter in _LSOF_VALUED:
                if not rest and not words:
                    raise option(word, "a value after the option")
                value = rest or words.pop(0)
                _LSOF_VALUED[letter].judge(value, Code.OPTION, word)
                return
            if letter in _LSOF_ATTACHED:
                if rest:
                    _LSOF_ATTACHED[letter].judge(rest, Code.OPTION, word)
                elif words and not words[0].startswith(("-", "/")):
                    _LSOF_ATTACHED[letter].judge(words.pop(0), Code.OPTION, word)
                return
            if letter not in "abhlnNPRtUvwX":
                raise option(
                    word,
                    "allowed are -a -b -c -d -F -g -h -i -l -n -N -p -P -R -s -t -T"
                    " -u -U -v -w -X",
                )


LSOF = Lsof()
