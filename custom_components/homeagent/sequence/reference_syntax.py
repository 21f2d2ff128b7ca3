r"""References (page 2 §2.1): the grammar, and the text of an AST.

    reference = "$" path | "${" path "}"
    path      = "args" [ first { step } ] | "out" first { step }
    first     = "." key | "[" text "]"
    step      = first | "[" index "]"
    index     = [ "-" ] digits
    escape    = "$$" before "args", "out" or "{"

In a longer text, whatever is no reference is text, but what only looks like one is a
flaw: nothing is taken for text silently that was meant as a reference. `select` is a
path of its own: `key { step }` or `step { step }`. Pure; `references` follows them.
"""

from collections.abc import Sequence as Many
from dataclasses import dataclass
import json
import re
from typing import Final, Literal

from .flaws import Flaw, flaw_error
from .model import Reference, Step, Template
from .names import continues_key, is_key, key_end, normal_key
from .problems import show
from .strings import scan_string

type Root = Literal["args", "out"]

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NEAR_ROOTS: Final = frozenset({"arg", "args", "out", "outs", "output"})
_INDEX: Final = re.compile(r"\[(-?(?:0|[1-9][0-9]{0,14}))\]")
_NUMBERED: Final = re.compile(r"\$[0-9]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scanned:
    """What begins at a `$`: a reference, or text; `end` is the offset behind it."""

    value: str | Reference
    end: int
    flaw: Flaw | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextScan:
    """A text taken apart: its value, all its flaws, and where its references stood."""

    value: str | Reference | Template
    flaws: tuple[Flaw, ...] = ()
    references: tuple[tuple[int, Reference], ...] = ()


def scan_dollar(text: str, at: int) -> Scanned:
    """Read what begins at the `$` at `at`; never raises."""
    if text.startswith("$$", at) and _is_special(text, at + 1):
        return Scanned(value="$", end=at + 2)
    braced = text.startswith("{", at + 1)
    word = _WORD.match(text, at + 1 + braced)
    if word is None:
        return Scanned(value="$", end=at + 1)
    after = text[word.end() : word.end() + 1]
    match word.group():
        case "args" | "out" as root:
            return _scan_path(text, at, root, word.end(), braced=braced)
        case near if _is_near_miss(near, after):
            return _flawed("near_miss", at, word.end(), nearest=_nearest(near))
        case _:
            return Scanned(value="$", end=at + 1)


def _is_special(text: str, at: int) -> bool:
    """Whether the `$` at `at` would begin more than plain text."""
    if text.startswith(("args", "out", "{"), at + 1):
        return True
    word = _WORD.match(text, at + 1)
    return word is not None and _is_near_miss(
        word.group(), text[word.end() : word.end() + 1]
    )


def _is_near_miss(word: str, after: str) -> bool:
    return word.lower() in _NEAR_ROOTS and after in {".", "["}


def _nearest(word: str) -> str:
    return "$args" if word[0] in "aA" else "$out"


def _flawed(code: str, at: int, end: int, **placeholders: str) -> Scanned:
    return Scanned(
        value="", end=end, flaw=Flaw(code=code, at=at, placeholders=placeholders)
    )


def _scan_path(text: str, at: int, root: Root, begin: int, *, braced: bool) -> Scanned:
    """Read the steps behind a root, and the `}` of the form in braces."""
    steps, end = scan_steps(text, begin)
    written = text[at:end]
    after = text[end : end + 1]
    if braced and after != "}":
        found = show(after) if after else "the end of the text"
        return _flawed("reference_brace", at, end, written=show(written), found=found)
    if not steps and after in {".", "["}:
        return _flawed("reference_step", at, end + 1, root=root)
    if not steps and root == "out":
        return _flawed("out_without_key", at, end)
    if steps and isinstance(steps[0], int):
        return _flawed("reference_index", at, end, root=root, written=show(written))
    named = (normal_key(str(steps[0])), *steps[1:]) if steps else ()
    return Scanned(value=Reference(root=root, steps=named), end=end + braced)


def scan_steps(text: str, at: int) -> tuple[tuple[Step, ...], int]:
    """Read as many steps as there are; return them and the offset behind."""
    steps: list[Step] = []
    while (step := _scan_step(text, at)) is not None:
        value, at = step
        steps.append(value)
    return tuple(steps), at


def _scan_step(text: str, at: int) -> tuple[Step, int] | None:
    """Read one step, None where none begins."""
    if text.startswith(".", at):
        end = key_end(text, at + 1)
        return (text[at + 1 : end], end) if end > at + 1 else None
    if text.startswith('["', at):
        scanned = scan_string(text, at + 1)
        closed = scanned.end > 0 and text.startswith("]", scanned.end)
        return (
            (scanned.value, scanned.end + 1) if closed and not scanned.faults else None
        )
    index = _INDEX.match(text, at)
    return (int(index[1]), index.end()) if index else None


def scan_text(text: str) -> TextScan:
    """Take a text of the arguments apart; never raises."""
    if "$" not in text:
        return TextScan(value=text)
    if _NUMBERED.fullmatch(text):
        return TextScan(value=text, flaws=(Flaw(code="numbered_slot"),))
    parts: list[str | Reference] = []
    flaws: list[Flaw] = []
    references: list[tuple[int, Reference]] = []
    done = 0
    while (at := text.find("$", done)) >= 0:
        parts.append(text[done:at])
        scanned = scan_dollar(text, at)
        parts.append(scanned.value)
        done = scanned.end
        if scanned.flaw:
            flaws.append(scanned.flaw)
        elif isinstance(scanned.value, Reference):
            references.append((at, scanned.value))
    parts.append(text[done:])
    return TextScan(
        value=_joined(parts), flaws=tuple(flaws), references=tuple(references)
    )


def _joined(parts: list[str | Reference]) -> str | Reference | Template:
    """Return parts in their normal form: no empty text, no two texts in a row."""
    joined: list[str | Reference] = []
    run: list[str] = []
    for part in parts:
        if isinstance(part, str):
            run.append(part)
            continue
        joined += [*filter(None, ["".join(run)]), part]
        run.clear()
    joined += filter(None, ["".join(run)])
    match joined:
        case []:
            return ""
        case [single]:
            return single
        case _:
            return Template(parts=tuple(joined))


def parse_text(text: str) -> str | Reference | Template:
    """Return what a text of the arguments means.

    Raises:
        LanguageError: for the first of its flaws.
    """
    scan = scan_text(text)
    if scan.flaws:
        raise flaw_error(scan.flaws[0], text)
    return scan.value


def scan_select(text: str) -> tuple[tuple[Step, ...], Flaw | None]:
    """Read a path of `select`: its steps, and what is wrong with it."""
    begin = key_end(text, 0)
    steps, end = ((), 0) if text.startswith(".") else scan_steps(text, begin)
    if begin:
        steps = (text[:begin], *steps)
    if steps and end == len(text):
        return steps, None
    code = "select_empty" if not text.strip() else "select_step"
    found = show(text[end:]) if text[end:] else "the end of the text"
    return steps, Flaw(code=code, at=end, placeholders={"found": found})


def parse_path(text: str) -> tuple[Step, ...]:
    """Return the steps of a `select`.

    Raises:
        LanguageError: when the text is not a path, to its end.
    """
    steps, flaw = scan_select(text)
    if flaw is not None:
        raise flaw_error(flaw, text)
    return steps


def format_steps(steps: Many[Step]) -> str:
    """Return steps as they are written behind a root."""
    return "".join(
        f"[{step}]"
        if isinstance(step, int)
        else f".{step}"
        if is_key(step)
        else f"[{json.dumps(step, ensure_ascii=False)}]"
        for step in steps
    )


def format_reference(reference: Reference, *, braced: bool = False) -> str:
    """Return a reference as it is written."""
    path = reference.root + format_steps(reference.steps)
    return f"${{{path}}}" if braced else f"${path}"


def format_path(steps: Many[Step]) -> str:
    """Return a `select` as it is written."""
    return format_steps(steps).removeprefix(".")


def escape_text(text: str) -> str:
    """Return plain text so that none of it reads as a reference.

    What may stand behind it is the end or a reference, whose `$` changes nothing.
    """
    parts: list[str] = []
    done = 0
    while (at := text.find("$", done)) >= 0:
        parts += (text[done:at], "$$" if _is_special(text, at) else "$")
        done = at + 1
    return "".join((*parts, text[done:]))


def needs_braces(behind: str) -> bool:
    """Whether the text behind a reference would be read as a part of it."""
    return bool(behind) and (behind[0] in ".[" or continues_key(behind[0]))
