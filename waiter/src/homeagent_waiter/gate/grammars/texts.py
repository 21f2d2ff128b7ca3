"""Gate, accept-lists: programs that look through text. Data; imports no stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..grammar import Operands, Options, Parsed, every, names, option
from ..plan import Code
from ..sed_script import check_script
from ..values import (
    PATTERN,
    READ,
    TEXT,
    WHEN,
    Claim,
    Kind,
    Value,
    choice,
    matching,
    number,
)

HELP = "help version"
_CONTEXT = number(0, 10_000)
_MOST = number(0, 1_000_000)
_NUMBER = number(0, 1_000_000, signs="-")


def _grep_operands(parsed: Parsed) -> None:
    """The first operand is the pattern, unless ``-e`` gave it; the others are read."""
    given = parsed.has("-e", "--regexp")
    files = parsed.operands if given else parsed.operands[1:]
    if (
        not given
        and not parsed.operands
        and not parsed.has("--help", "--version", "-V")
    ):
        raise option("", "a pattern")
    if not given and parsed.operands:
        parsed.claim(PATTERN, parsed.operands[0])
    follow = parsed.has("-R", "--dereference-recursive")
    tree = (
        follow
        or parsed.has("-r", "--recursive")
        or "recurse"
        in (
            parsed.last("-d"),
            parsed.last("--directories"),
        )
    )
    for file in files or (["."] if tree else []):
        if file != "-":
            parsed.claims.append(
                Claim(kind=Kind.READ, text=file, tree=tree, follow=follow)
            )


# ``-P`` is another language, ``-f`` and ``--exclude-from`` take patterns from a file,
# ``-D read`` reads devices.
GREP = Options(
    flags="EFGiywxzsvbnHhoqaIrRLlcTZUV0123456789",
    valued={
        "e": PATTERN,
        "m": _MOST,
        "A": _CONTEXT,
        "B": _CONTEXT,
        "C": _CONTEXT,
        "d": choice("read recurse skip"),
        "D": choice("skip"),
    },
    long=names(
        "extended-regexp fixed-strings basic-regexp ignore-case no-ignore-case"
        " word-regexp line-regexp null-data no-messages invert-match byte-offset"
        " line-number line-buffered with-filename no-filename only-matching quiet"
        " silent text recursive dereference-recursive files-without-match"
        " files-with-matches count initial-tab null no-group-separator binary"
        f" {HELP}"
    ),
    long_valued={
        "regexp": PATTERN,
        "max-count": _MOST,
        "label": TEXT,
        "binary-files": choice("binary text without-match"),
        "directories": choice("read recurse skip"),
        "devices": choice("skip"),
        **every("include exclude exclude-dir group-separator", TEXT),
        **every("after-context before-context context", _CONTEXT),
    },
    long_optional=every("color colour", WHEN),
    number=_CONTEXT,
    operands=Operands(value=TEXT),
    rule=_grep_operands,
)
GREP_BUSYBOX = Options(
    flags="HhnlLoqvsrRiwxFEzc",
    valued={"e": PATTERN, "m": _MOST, **every("A B C", _CONTEXT)},
    operands=Operands(value=TEXT),
    rule=_grep_operands,
)

_KEY = matching(
    r"[1-9]\d{0,4}(\.\d{1,4})?[bdfgiMhnRrV]*(,\d{1,5}(\.\d{1,4})?[bdfgiMhnRrV]*)?",
    "a key such as 2,3n",
)
# ``-o`` writes, ``--compress-program`` runs, ``-T`` and ``--random-source`` name files,
# ``-S``, ``--parallel`` and ``--batch-size`` set sizes.
SORT = Options(
    flags="bdfghiMnrRsucCmVz",
    valued={"k": _KEY, "t": TEXT},
    long=names(
        "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort"
        " ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort"
        f" reverse version-sort stable unique zero-terminated merge debug {HELP}"
    ),
    long_valued={
        "key": _KEY,
        "field-separator": TEXT,
        "sort": choice("general-numeric human-numeric month numeric random version"),
    },
    long_optional={"check": choice("diagnose-first quiet silent")},
    operands=Operands(value=READ),
)
SORT_BUSYBOX = Options(
    flags="nrugMcszbdfihV",
    valued={"k": _KEY, "t": TEXT},
    operands=Operands(value=READ),
)

# A second operand is where uniq writes.
UNIQ = Options(
    flags="cdDiuz",
    valued=every("f s w", _MOST),
    long=names(f"count repeated ignore-case unique zero-terminated {HELP}"),
    long_valued=every("skip-fields skip-chars check-chars", _MOST),
    long_optional={
        "all-repeated": choice("none prepend separate"),
        "group": choice("separate prepend append both"),
    },
    operands=Operands(most=1, value=READ),
)
UNIQ_BUSYBOX = Options(
    flags="cduiz",
    valued=every("f s w", _MOST),
    operands=Operands(most=1, value=READ),
)

_RANGES = matching(
    r"[0-9]{0,9}(-[0-9]{0,9})?(,[0-9]{0,9}(-[0-9]{0,9})?){0,200}", "a list"
)
CUT = Options(
    flags="nsz",
    valued={**every("b c f", _RANGES), "d": TEXT},
    long=names(f"complement only-delimited zero-terminated {HELP}"),
    long_valued={
        **every("bytes characters fields", _RANGES),
        **every("delimiter output-delimiter", TEXT),
    },
    operands=Operands(value=READ),
)
CUT_BUSYBOX = Options(
    flags="ns",
    valued={**every("b c f", _RANGES), "d": TEXT},
    operands=Operands(value=READ),
)

TR = Options(
    flags="cCdst",
    long=names(f"complement delete squeeze-repeats truncate-set1 {HELP}"),
    operands=Operands(most=2, value=TEXT),
    permutes=False,
)
TR_BUSYBOX = Options(
    flags="cCdst", operands=Operands(least=1, most=2, value=TEXT), permutes=False
)

_STYLE = Value(
    what="a, t, n or p with a pattern",
    test=lambda text: text in ("a", "t", "n") or text.startswith("p"),
    kind=Kind.PATTERN,
)
NL = Options(
    flags="p",
    valued={
        **every("b f h", _STYLE),
        **every("d s", TEXT),
        **every("i v", _NUMBER),
        **every("l w", number(1, 1000)),
        "n": choice("ln rn rz"),
    },
    long=names(f"no-renumber {HELP}"),
    long_valued={
        **every("body-numbering footer-numbering header-numbering", _STYLE),
        **every("section-delimiter number-separator", TEXT),
        **every("line-increment starting-line-number", _NUMBER),
        **every("join-blank-lines number-width", number(1, 1000)),
        "number-format": choice("ln rn rz"),
    },
    operands=Operands(value=READ),
)
NL_BUSYBOX = Options(
    flags="p",
    valued={
        "b": choice("a t n"),
        "s": TEXT,
        **every("i v", _NUMBER),
        "w": number(1, 1000),
    },
    operands=Operands(value=READ),
)

TAC = Options(
    flags="br",
    valued={"s": PATTERN},
    long=names(f"before regex {HELP}"),
    long_valued={"separator": PATTERN},
    operands=Operands(value=READ),
)
TAC_BUSYBOX = Options(operands=Operands(value=READ))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sed:
    """sed: its options, and the little language of its scripts."""

    options: Options

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are, or raise ``RefusedError``."""
        parsed = self.options.parse(args)
        scripts = [
            value
            for name, value in parsed.options
            if name in ("-e", "--expression") and value is not None
        ]
        patterns = [
            pattern
            for script in scripts
            for pattern in check_script(script, Code.OPTION)
        ]
        files = parsed.operands
        if not scripts and not parsed.has("--help", "--version"):
            script, *files = files or [""]
            patterns = check_script(script, Code.OPERAND)
        for pattern in patterns:
            parsed.claim(PATTERN, pattern)
        Operands(value=READ).judge(parsed, files)
        return parsed


# ``-i`` writes, ``-f`` reads a script from a file.
SED = Sed(
    options=Options(
        flags="nErsuz",
        valued={"e": TEXT, "l": number(0, 10_000)},
        long=names(
            f"quiet silent regexp-extended separate unbuffered null-data sandbox {HELP}"
        ),
        long_valued={"expression": TEXT, "line-length": number(0, 10_000)},
    )
)
SED_BUSYBOX = Sed(options=Options(flags="nrE", valued={"e": TEXT}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """echo: prints its words, whatever they are."""

    def parse(self, args: Sequence[str]) -> Parsed:
        """Return what the words are; refuses none."""
        return Parsed(operands=list(args))


ECHO = Echo()
