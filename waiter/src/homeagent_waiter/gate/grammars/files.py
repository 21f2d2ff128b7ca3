"""Gate, accept-lists: programs that show files and folders. Data; imports no stage."""

from __future__ import annotations

from dataclasses import replace
import re

from ..grammar import NONE, Operands, Options, Parsed, every, names, option
from ..values import (
    BLOCK_SIZE,
    LIST,
    MOMENT,
    READ,
    TEXT,
    TIME_STYLE,
    WHEN,
    WORD,
    choice,
    listed,
    matching,
    number,
    size,
)

HELP = "help version"
_WIDTH = number(0, 10_000)
_LINES = size(1_000_000)
_BYTES = size(64 * 1024**2)
_FS_TYPE = matching(r"(no)?[A-Za-z0-9_.-]{1,32}(,[A-Za-z0-9_.-]{1,32}){0,20}", "a type")

LS = Options(
    flags="aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
    valued={"I": TEXT, "T": _WIDTH, "w": _WIDTH},
    long=names(
        "all almost-all author escape ignore-backups directory file-type full-time"
        " group-directories-first no-group human-readable si dereference-command-line"
        " dereference-command-line-symlink-to-dir inode kibibytes dereference"
        " numeric-uid-gid literal hide-control-chars show-control-chars quote-name"
        f" reverse recursive size context zero {HELP}"
    ),
    long_valued={
        "block-size": BLOCK_SIZE,
        "format": choice(
            "across commas horizontal long single-column verbose vertical"
        ),
        "hide": TEXT,
        "ignore": TEXT,
        "indicator-style": choice("none slash file-type classify"),
        "quoting-style": choice(
            "literal locale shell shell-always shell-escape shell-escape-always c escape"
        ),
        "sort": choice("none size time version extension width name"),
        "time": choice(
            "atime access use ctime status birth creation mtime modification"
        ),
        "time-style": TIME_STYLE,
        "tabsize": _WIDTH,
        "width": _WIDTH,
    },
    long_optional=every("color classify hyperlink", WHEN),
    operands=Operands(value=LIST),
)
LS_BUSYBOX = Options(
    flags="1AaCxdLHRFplinshrSXvctuk",
    valued={"w": _WIDTH, "T": _WIDTH},
    long=names("full-time group-directories-first"),
    long_optional={"color": WHEN},
    operands=Operands(value=LIST),
)

PWD = Options(flags="LP", long=names(f"logical physical {HELP}"), operands=NONE)

CAT = Options(
    flags="AbeEnstTuv",
    long=names(
        "show-all number-nonblank show-ends number squeeze-blank show-tabs"
        f" show-nonprinting {HELP}"
    ),
    operands=Operands(value=READ),
)
CAT_BUSYBOX = Options(flags="nbvteAu", operands=Operands(value=READ))

# ``-f`` of tail follows for ever, and so do ``-F``, ``--follow`` and ``--retry``.
HEAD = Options(
    flags="qvz",
    valued={"c": _BYTES, "n": _LINES},
    long=names(f"quiet silent verbose zero-terminated {HELP}"),
    long_valued={"bytes": _BYTES, "lines": _LINES},
    number=number(0, 1_000_000),
    operands=Operands(value=READ),
)
HEAD_BUSYBOX = Options(
    flags="qv",
    valued={"c": _BYTES, "n": _LINES},
    number=number(0, 1_000_000),
    operands=Operands(value=READ),
)


def _tail_ends(parsed: Parsed) -> None:
    """Old tails read ``+5f`` as an option that follows for ever, also behind ``--``."""
    for word in parsed.operands:
        if word.startswith("+") and not re.fullmatch(r"\+[0-9]{1,9}[clb]?", word):
            raise option(word, "allowed is +5 or -n +5; a file is named as ./+…")


TAIL = replace(HEAD, rule=_tail_ends)
TAIL_BUSYBOX = replace(HEAD_BUSYBOX, rule=_tail_ends)

WC = Options(
    flags="cmlwL",
    long=names(f"bytes chars lines words max-line-length {HELP}"),
    long_valued={"total": choice("auto always only never")},
    operands=Operands(value=READ),
)
WC_BUSYBOX = Options(flags="cmlwL", operands=Operands(value=READ))

STAT = Options(
    flags="Lft",
    valued={"c": TEXT},
    long=names(f"dereference file-system terse {HELP}"),
    long_valued={
        "format": TEXT,
        "printf": TEXT,
        "cached": choice("always never default"),
    },
    operands=Operands(value=LIST),
)
STAT_BUSYBOX = Options(flags="Lft", valued={"c": TEXT}, operands=Operands(value=LIST))

# ``-z`` starts other programs, ``-p`` sets times, ``-s`` reads devices, ``-m``, ``-f``
# and ``-C`` read and write named files, ``-P`` sets sizes.
_TESTS = choice(
    "apptype ascii cdf compress csv elf encoding soft tar json text tokens simh"
)
FILE = Options(
    flags="bikLhnN0rlv",
    valued={"F": TEXT, "e": _TESTS},
    long=names(
        "brief mime mime-type mime-encoding apple extension keep-going dereference"
        f" no-dereference no-buffer no-pad print0 raw list {HELP}"
    ),
    long_valued={"separator": TEXT, "exclude": _TESTS, "exclude-quiet": _TESTS},
    operands=Operands(value=READ),
)

DF = Options(
    flags="ahHiklPTv",
    valued={"B": BLOCK_SIZE, "t": _FS_TYPE, "x": _FS_TYPE},
    long=names(
        "all human-readable si inodes local no-sync portability total print-type"
        f" {HELP}"
    ),
    long_valued={"block-size": BLOCK_SIZE, "type": _FS_TYPE, "exclude-type": _FS_TYPE},
    long_optional={
        "output": listed(
            "source fstype itotal iused iavail ipcent size used avail pcent file target"
        )
    },
    operands=Operands(value=LIST),
)
DF_BUSYBOX = Options(
    flags="PkmhTai",
    valued={"B": BLOCK_SIZE, "t": _FS_TYPE},
    operands=Operands(value=LIST),
)

# ``-X`` and ``--files0-from`` take names from a file.
DU = Options(
    flags="0abcDHhklLmPSsx",
    valued={"B": BLOCK_SIZE, "d": number(0, 1000), "t": size(10**15)},
    long=names(
        "null all apparent-size bytes total dereference-args human-readable inodes"
        " dereference count-links no-dereference separate-dirs si summarize"
        f" one-file-system {HELP}"
    ),
    long_valued={
        "block-size": BLOCK_SIZE,
        "max-depth": number(0, 1000),
        "threshold": size(10**15),
        "time-style": TIME_STYLE,
        "exclude": TEXT,
    },
    long_optional={"time": choice("atime access use ctime status mtime modification")},
    operands=Operands(value=LIST),
)
DU_BUSYBOX = Options(
    flags="abcLHlsxhmk",
    valued={"d": number(0, 1000)},
    operands=Operands(value=LIST),
)

# A word that is no format sets the clock.
_DATE_FORMAT = Operands(most=1, value=matching(r"\+.*", "a format such as +%F"))
_ISO = choice("date hours minutes seconds ns")
# ``-f`` reads a named file, ``-s`` sets the clock; ``-r`` reads only a time.
DATE = Options(
    flags="uR",
    valued={"d": MOMENT, "r": LIST},
    attached={"I": _ISO},
    long=names(f"utc universal rfc-email debug resolution {HELP}"),
    long_valued={
        "date": MOMENT,
        "reference": LIST,
        "rfc-3339": choice("date seconds ns"),
    },
    long_optional={"iso-8601": _ISO},
    operands=_DATE_FORMAT,
)
DATE_BUSYBOX = Options(
    flags="uR",
    valued={"d": MOMENT, "D": TEXT, "r": LIST},
    attached={"I": _ISO},
    operands=_DATE_FORMAT,
)

ID = Options(
    flags="agGnruzZ",
    long=names(f"context group groups name real user zero {HELP}"),
    operands=Operands(most=20, value=WORD),
)
ID_BUSYBOX = Options(flags="ugGnr", operands=Operands(most=1, value=WORD))
WHOAMI = Options(long=names(HELP), operands=NONE)
UNAME = Options(
    flags="asnrvmpio",
    long=names(
        "all kernel-name nodename kernel-release kernel-version machine processor"
        f" hardware-platform operating-system {HELP}"
    ),
    operands=NONE,
)
UNAME_BUSYBOX = Options(flags="amnrspvio", operands=NONE)

# An operand, ``-b`` and ``-F`` set the name.
HOSTNAME = Options(
    flags="aAdfiIsyV",
    long=names(
        "alias all-fqdns all-ip-addresses domain fqdn long ip-address short yp nis"
        f" {HELP}"
    ),
    operands=NONE,
)
HOSTNAME_BUSYBOX = Options(flags="sidf", operands=NONE)
# What busybox knows no word of.
NO_WORDS = Options(operands=NONE)
