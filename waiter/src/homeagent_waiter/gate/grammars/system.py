"""Gate, accept-lists: programs that show the system, its logs and units. Data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import re

from ..grammar import NONE, Operands, Options, Parsed, every, names, operand, option
from ..values import BLOCK, TEXT, WHEN, Claim, Kind, choice, listed, matching, number

HELP = "help version"
_COLUMN = r"[+-]?[A-Za-z][A-Za-z0-9%:_-]{0,31}"
_COLUMNS = matching(rf"\+?{_COLUMN}(,{_COLUMN}){{0,100}}", "columns with commas")
_MAJORS = matching(r"\d{1,4}(,\d{1,4}){0,50}", "numbers with commas")
# ``--sysroot`` is another root.
LSBLK = Options(
    flags="AabdDfiJlMmnNOPpSTrstvyzhV",
    valued={
        "e": _MAJORS,
        "I": _MAJORS,
        "o": _COLUMNS,
        "x": _COLUMNS,
        "E": _COLUMNS,
        "w": number(0, 10_000),
    },
    long=names(
        "noempty discard json merge output-all pairs scsi nvme virtio all bytes nodeps"
        " fs ascii list perms noheadings paths raw inverse topology shell zoned"
        f" {HELP}"
    ),
    long_valued={
        **every("exclude include", _MAJORS),
        **every("output sort dedup", _COLUMNS),
        "width": number(0, 10_000),
    },
    long_optional={"tree": _COLUMNS},
    operands=Operands(most=100, value=BLOCK),
)

# Whatever names a source or a place mounts it; so do ``-a`` and all the others.
_TYPES = matching(r"(no)?[a-z0-9._-]{1,32}(,(no)?[a-z0-9._-]{1,32}){0,20}", "types")
MOUNT = Options(
    flags="lvhV",
    valued={"t": _TYPES},
    long=names(f"show-labels verbose {HELP}"),
    long_valued={"types": _TYPES},
    operands=NONE,
)
MOUNT_BUSYBOX = Options(operands=NONE)

# ``-C -c -D -E -n`` change, ``-w -W`` follow, ``-H`` pages, ``-F`` reads a file, ``-s``
# sets a size.
_LEVELS = listed(
    "emerg alert crit err warn notice info debug"
    " emerg+ alert+ crit+ err+ warn+ notice+ info+ debug+"
    " +emerg +alert +crit +err +warn +notice +info +debug"
)
_FACILITIES = listed(
    "kern user mail daemon auth syslog lpr news uucp cron authpriv ftp"
)
_MOMENT = matching(r"[A-Za-z0-9:.+ @-]{1,40}", "a time such as '1 hour ago'")
DMESG = Options(
    flags="deJkPprSTtuxhV",
    valued={"f": _FACILITIES, "l": _LEVELS},
    attached={"L": WHEN},
    long=names(
        "show-delta reltime json kernel nopager force-prefix raw noescape syslog ctime"
        f" notime userspace decode {HELP}"
    ),
    long_valued={
        "facility": _FACILITIES,
        "level": _LEVELS,
        "time-format": choice("delta reltime ctime notime iso raw"),
        "since": _MOMENT,
        "until": _MOMENT,
    },
    long_optional={"color": WHEN},
    operands=NONE,
)
DMESG_BUSYBOX = Options(flags="r", operands=NONE)

_UNIT = matching(r"[A-Za-z0-9_@*?][A-Za-z0-9:_.\\@*?-]{0,254}", "a unit such as ssh")
_NAMES = matching(r"[A-Za-z0-9_.:@*?-]{1,100}", "a plain name")
_LOG_LINES = number(0, 100_000)
_FIELDS = matching(r"_{0,2}[A-Z0-9_]{1,64}(,_{0,2}[A-Z0-9_]{1,64}){0,50}", "fields")
_OUTPUTS = choice(
    "short short-full short-iso short-iso-precise short-precise short-monotonic"
    " short-delta short-unix verbose json json-pretty json-sse json-seq cat with-unit"
)
_LEVEL = r"(emerg|alert|crit|err|error|warning|notice|info|debug|[0-7])"
_PRIORITY = matching(rf"{_LEVEL}(\.\.{_LEVEL})?", "a level such as err or 0..3")
_BOOT = matching(r"all|[+-]?\d{1,4}|[0-9a-f]{32}([+-]\d{1,4})?", "a boot such as -1")
# Other places: ``-D --file --root --image -M --namespace``; changes: ``--vacuum-*
# --rotate --flush --sync --relinquish-var --setup-keys --cursor-file …``; ``-f`` follows
# and ``-g`` takes PCRE.
_JOURNAL_OPTIONS = Options(
    flags="aekmlqrxNh",
    valued={
        "u": _UNIT,
        "t": _NAMES,
        "p": _PRIORITY,
        "o": _OUTPUTS,
        "S": _MOMENT,
        "U": _MOMENT,
        "F": _FIELDS,
        "c": TEXT,
    },
    attached={"n": _LOG_LINES, "b": _BOOT},
    long=names(
        "all system user merge list-boots disk-usage header dmesg pager-end full no-full"
        " quiet no-hostname no-pager no-tail reverse catalog utc fields show-cursor"
        f" truncate-newline list-namespaces {HELP}"
    ),
    long_valued={
        **every("unit user-unit", _UNIT),
        **every("identifier exclude-identifier", _NAMES),
        "priority": _PRIORITY,
        "facility": matching(r"[a-z0-9]{1,10}(,[a-z0-9]{1,10}){0,20}", "facilities"),
        "output": _OUTPUTS,
        "output-fields": _FIELDS,
        **every("since until", _MOMENT),
        "field": _FIELDS,
        **every("cursor after-cursor", TEXT),
    },
    long_optional={"lines": _LOG_LINES, "boot": _BOOT},
    operands=Operands(
        most=50,
        value=matching(r"_{0,2}[A-Z0-9_]{1,64}=.*|\+|/.*", "FIELD=value or a program"),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Journalctl:
    """journalctl: values of ``-n`` and ``-b`` may be the next word."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        parsed = _JOURNAL_OPTIONS.parse(_attached(args))
        for word in parsed.operands:
            if word.startswith("/"):
                parsed.claims.append(Claim(kind=Kind.LIST, text=word))
        return parsed


def _attached(args: Sequence[str]) -> list[str]:
    """Write a number or a boot behind ``-n``, ``-b`` and their like into that word."""
    joined: list[str] = []
    for word in args:
        last = joined[-1] if joined and "--" not in joined else ""
        short = re.fullmatch(r"-[aekmlqrxN]*([nb])", last)
        letter = short[1] if short else {"--lines": "n", "--boot": "b"}.get(last, "")
        wanted = {"n": r"\d+", "b": r"[+-]?\d+|[0-9a-f]{32}([+-]\d+)?|all"}
        if letter and re.fullmatch(wanted[letter], word, re.ASCII):
            joined[-1] = last + ("" if short else "=") + word
        else:
            joined.append(word)
    return joined


JOURNALCTL = Journalctl()

# What ``show`` may print: no environment, no command lines.
_PROPERTIES = listed(
    "Id Names Description Documentation LoadState LoadError ActiveState SubState"
    " FreezerState UnitFileState UnitFilePreset FragmentPath SourcePath DropInPaths"
    " Following Requires Requisite Wants BindsTo PartOf Upholds RequiredBy WantedBy"
    " BoundBy ConsistsOf Conflicts ConflictedBy Before After OnFailure OnSuccess"
    " Triggers TriggeredBy StateChangeTimestamp StateChangeTimestampMonotonic"
    " InactiveExitTimestamp ActiveEnterTimestamp ActiveExitTimestamp"
    " InactiveEnterTimestamp ActiveEnterTimestampMonotonic CanStart CanStop CanReload"
    " NeedDaemonReload Job ConditionResult AssertResult ConditionTimestamp"
    " InvocationID Type Restart RestartUSec TimeoutStartUSec TimeoutStopUSec"
    " WatchdogUSec WatchdogTimestamp RemainAfterExit MainPID ControlPID ExecMainPID"
    " ExecMainCode ExecMainStatus ExecMainStartTimestamp ExecMainExitTimestamp Result"
    " NRestarts StatusText StatusErrno Slice ControlGroup MemoryCurrent MemoryPeak"
    " MemorySwapCurrent MemorySwapPeak MemoryAvailable MemoryMax MemoryHigh"
    " CPUUsageNSec TasksCurrent TasksMax IOReadBytes IOWriteBytes IOReadOperations"
    " IOWriteOperations IPIngressBytes IPEgressBytes User Group Where What Options"
    " TimersCalendar TimersMonotonic NextElapseUSecRealtime NextElapseUSecMonotonic"
    " LastTriggerUSec Listen NConnections NAccepted Version Virtualization Architecture"
    " SystemState NNames NFailedUnits NJobs NInstalledJobs NFailedJobs Progress"
    " UserspaceTimestamp FinishTimestamp KernelTimestamp"
)
_STATES = matching(r"[a-z-]{1,20}(,[a-z-]{1,20}){0,20}", "states with commas")
_SYSTEMCTL_OPTIONS = Options(
    flags="alqh",
    valued={
        "t": _STATES,
        "p": _PROPERTIES,
        "P": _PROPERTIES,
        "n": number(0, 10_000),
        "o": _OUTPUTS,
    },
    long=names(
        "all full quiet failed no-pager no-legend plain value reverse after before"
        f" with-dependencies show-types system user {HELP}"
    ),
    long_valued={
        "type": _STATES,
        "state": _STATES,
        "property": _PROPERTIES,
        "lines": number(0, 10_000),
        "output": _OUTPUTS,
        "legend": choice("yes no true false 0 1"),
        "timestamp": choice("pretty unix us utc us+utc"),
    },
    operands=Operands(most=50, value=_UNIT),
)
_VERBS = names(
    "status show list-units list-unit-files list-timers list-sockets list-paths"
    " list-automounts list-jobs list-dependencies is-active is-enabled is-failed"
    " is-system-running get-default"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Systemctl:
    """systemctl: verbs that show, and of ``show`` only named properties."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        parsed = _SYSTEMCTL_OPTIONS.parse(args)
        verb = parsed.operands[0] if parsed.operands else "list-units"
        if verb not in _VERBS:
            raise operand(verb, "allowed are " + " ".join(sorted(_VERBS)))
        named = parsed.has("-p", "-P", "--property")
        if verb == "show" and not named:
            raise option("show", "the properties by name, such as: -p ActiveState")
        return parsed


SYSTEMCTL = Systemctl()
