"""Gate, accept-lists: programs that show disks, arrays, pools and containers. Data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
from ..values import BLOCK, TEXT, choice, listed, matching, number
from .processes import Interval

# ``-t -X`` test, ``-s -S -o --set --smart`` change, ``-B`` and ``-F`` name other
# tables, ``-l scterc,…`` and ``-l sataphy,reset`` change.
_LOGS = matching(
    r"(x?error|xselftest|devstat)(,\d{1,4})?|selftest|selective|directory(,[gs])?"
    r"|scttemp(sts|hist)?|scterc|ssd|background|sasphy|sataphy|genstats|defects|envrep"
    r"|tapealert|tapedevstat|zdevstat|farm|smartlog",
    "a log such as error, xerror,10 or selftest",
)
_DEVICE_TYPE = matching(r"[a-z0-9]{1,16}([,/+][a-z0-9]{1,12}){0,5}", "a device type")
_NO_CHECK = matching(
    r"(never|sleep|standby|idle)(,\d{1,3}){0,2}", "standby and the like"
)
_SMART_FORMAT = choice("old brief hex hex,id hex,val")
_GET = choice("all aam apm dsn lookahead security wcache wcreorder rcache wcache-sct")
SMARTCTL = Options(
    flags="iaxHcAhVj",
    valued={
        "l": _LOGS,
        "d": _DEVICE_TYPE,
        "n": _NO_CHECK,
        "f": _SMART_FORMAT,
        "g": _GET,
        "q": choice("errorsonly silent noserial"),
        "T": choice("normal conservative permissive"),
    },
    long=names(
        "all xall info health capabilities attributes scan scan-open help version"
    ),
    long_valued={
        "log": _LOGS,
        "device": _DEVICE_TYPE,
        "nocheck": _NO_CHECK,
        "format": _SMART_FORMAT,
        "get": _GET,
        "quietmode": choice("errorsonly silent noserial"),
        "tolerance": choice("normal conservative permissive"),
    },
    long_optional={
        "json": matching(r"[cgiosuvy]{1,8}", "letters"),
        "identify": choice("n wn w v wv"),
    },
    operands=Operands(most=1, value=BLOCK),
)

_MDADM_MODES = names("-D --detail -E --examine -Q --query -X --examine-bitmap")
_MDADM_OPTIONS = Options(
    flags="sbvYt",
    long=names("scan brief verbose export test no-devices prefer"),
    operands=Operands(most=50, value=BLOCK),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mdadm:
    """mdadm: one mode that shows, first, and what changes how it is shown."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        first, *rest = args or [""]
        if first in ("--version", "-V", "--help", "-h", "--detail-platform"):
            NONE.judge(Parsed(), rest)
            return Parsed()
        if first in _MDADM_MODES:
            return _MDADM_OPTIONS.parse(rest)
        if re.fullmatch(r"-[DEQX][sbvYt]{1,5}", first):
            return _MDADM_OPTIONS.parse(["-" + first[2:], *rest])
        raise option(first, "first one of " + " ".join(sorted(_MDADM_MODES)))


MDADM = Mdadm()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbs:
    """Programs with sub-commands, by full name only; nothing stands before them."""

    verbs: Mapping[str, Options | Interval | Verbs]
    bare: bool = False
    alone: frozenset[str] = field(default_factory=frozenset)

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        if not args:
            if self.bare:
                return Parsed()
            raise operand("", self._allowed())
        verb, *rest = args
        if verb in self.alone and not rest:
            return Parsed()
        if verb.startswith("-"):
            raise option(verb, self._allowed())
        found = self.verbs.get(verb)
        if found is None:
            raise operand(verb, self._allowed())
        return found.parse(rest)

    def _allowed(self) -> str:
        return "allowed are " + " ".join(sorted([*self.verbs, *self.alone]))


_POOL = matching(r"[A-Za-z][A-Za-z0-9_.: -]{0,254}", "a pool")
_VDEV = matching(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,254}", "a pool or vdev")
_DATASET = matching(r"[A-Za-z][A-Za-z0-9_.:/@# -]{0,254}", "a dataset")
_PROPS = matching(r"[a-z0-9_:.@-]{1,64}(,[a-z0-9_:.@-]{1,64}){0,50}", "properties")
_GET_WORD = matching(r"[A-Za-z][A-Za-z0-9_.:/@#, -]{0,254}", "properties or a name")
_UD = choice("u d")
_JSON = "json json-int json-flat-vdevs json-pool-key-guid"
_POOL_COLUMNS = listed("name property value source all")
# ``-c`` of status and iostat runs scripts.
ZPOOL = Verbs(
    alone=names("--version -V version"),
    verbs={
        "status": Interval(
            options=Options(
                flags="DdegiLpPstvxj", valued={"T": _UD}, long=names(f"power {_JSON}")
            ),
            operands=Operands(most=50, value=_VDEV),
        ),
        "list": Interval(
            options=Options(
                flags="HgLpPvj", valued={"o": _PROPS, "T": _UD}, long=names(_JSON)
            ),
            operands=Operands(most=50, value=_POOL),
        ),
        "iostat": Interval(
            options=Options(flags="gHLpPvynwlqr", valued={"T": _UD}),
            operands=Operands(most=50, value=_VDEV),
        ),
        "get": Options(
            flags="Hpj",
            valued={"o": _POOL_COLUMNS},
            long=names(_JSON),
            operands=Operands(least=1, most=50, value=_GET_WORD),
        ),
        "history": Options(flags="il", operands=Operands(most=10, value=_POOL)),
        "events": Options(flags="vH", operands=Operands(most=1, value=_POOL)),
    },
)
_ZFS_TYPES = listed("filesystem snapshot volume bookmark all fs snap vol")
_ZFS_SPACE = Options(
    flags="Hinp",
    valued={**every("o s S", _PROPS), "t": _PROPS},
    operands=Operands(least=1, most=1, value=_DATASET),
)
ZFS = Verbs(
    alone=names("--version -V version"),
    verbs={
        "list": Options(
            flags="Hprj",
            valued={
                "d": number(0, 100),
                **every("o s S", _PROPS),
                "t": _ZFS_TYPES,
            },
            long=names("json json-int"),
            operands=Operands(most=50, value=_DATASET),
        ),
        "get": Options(
            flags="Hprj",
            valued={
                "d": number(0, 100),
                "o": listed("name property value received source all"),
                "s": listed("local default inherited temporary received none"),
                "t": _ZFS_TYPES,
            },
            long=names("json json-int"),
            operands=Operands(least=1, most=50, value=_GET_WORD),
        ),
        "userspace": _ZFS_SPACE,
        "groupspace": _ZFS_SPACE,
        "projectspace": _ZFS_SPACE,
        "holds": Options(
            flags="Hpr", operands=Operands(least=1, most=20, value=_DATASET)
        ),
    },
)

_CONTAINER = matching(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}", "a container")
_IMAGE = matching(r"[A-Za-z0-9][A-Za-z0-9_./:@-]{0,254}", "an image")
_LOG_TIME = matching(r"[0-9A-Za-z:.+-]{1,40}", "a time such as 10m")
_TAIL = number(0, 100_000)
_FORMATTED = every("format filter", TEXT)
_DOCKER_PS = Options(
    flags="aqsl",
    valued={"f": TEXT, "n": number(1, 1000)},
    long=names("all quiet size latest no-trunc"),
    long_valued={**_FORMATTED, "last": number(1, 1000)},
    operands=NONE,
)
_DOCKER_IMAGES = Options(
    flags="aq",
    valued={"f": TEXT},
    long=names("all quiet digests no-trunc tree"),
    long_valued=_FORMATTED,
    operands=Operands(most=1, value=_IMAGE),
)
_DOCKER_LS = Options(
    flags="q",
    valued={"f": TEXT},
    long=names("quiet no-trunc"),
    long_valued=_FORMATTED,
    operands=NONE,
)
_DOCKER_FORMAT = Options(
    valued={"f": TEXT}, long_valued={"format": TEXT}, operands=NONE
)


def _stats_end(parsed: Parsed) -> None:
    if not parsed.has("--no-stream"):
        raise count("stats", "--no-stream; without it stats never ends")


_DOCKER_STATS = Options(
    flags="a",
    long=names("all no-stream no-trunc"),
    long_valued={"format": TEXT},
    operands=Operands(most=50, value=_CONTAINER),
    rule=_stats_end,
)
_DOCKER_LOGS = Options(
    flags="t",
    valued={"n": _TAIL},
    long=names("timestamps"),
    long_valued={"tail": _TAIL, "since": _LOG_TIME, "until": _LOG_TIME},
    operands=Operands(least=1, most=1, value=_CONTAINER),
)
_DOCKER_ONE = Options(operands=Operands(least=1, most=1, value=_CONTAINER))
_DOCKER_CONTAINER = {
    "logs": _DOCKER_LOGS,
    "port": _DOCKER_ONE,
    "stats": _DOCKER_STATS,
    "top": _DOCKER_ONE,
    "diff": _DOCKER_ONE,
}
# Options before the sub-command name another host, context or configuration; inspect
# and history show environments.
DOCKER = Verbs(
    alone=names("--version -v"),
    verbs={
        "ps": _DOCKER_PS,
        "images": _DOCKER_IMAGES,
        "version": _DOCKER_FORMAT,
        "info": _DOCKER_FORMAT,
        **_DOCKER_CONTAINER,
        "container": Verbs(
            verbs={
                **dict.fromkeys(("ls", "list", "ps"), _DOCKER_PS),
                **_DOCKER_CONTAINER,
            }
        ),
        "image": Verbs(verbs=dict.fromkeys(("ls", "list"), _DOCKER_IMAGES)),
        "volume": Verbs(verbs=dict.fromkeys(("ls", "list"), _DOCKER_LS)),
        "network": Verbs(verbs=dict.fromkeys(("ls", "list"), _DOCKER_LS)),
        "system": Verbs(
            verbs={
                "df": Options(
                    flags="v",
                    long=names("verbose"),
                    long_valued={"format": TEXT},
                    operands=NONE,
                ),
                "info": _DOCKER_FORMAT,
            }
        ),
    },
)
