"""A problem of a sequence's text: what, where, and what would be right.

Low layer of the language; imports the catalogue of words only.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import islice
import json
import re
import unicodedata

from .run_words import say
from .words import CATALOGUE

type Path = tuple[str | int, ...]
"""Where something stands: keys of objects and indexes of arrays from the outside in."""

SHOWN = 60
"""Characters of a value that a message shows; a longer one ends in `…`."""

LISTED = 12
"""Names that a message lists; it says how many more there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place in a source: line and column from 1, position in `tools` from 0."""

    line: int | None = None
    column: int | None = None
    position: int | None = None
    caret: str = ""


NOWHERE = Spot()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem, told for models and people (page 2 §2.1).

    `path` is a JSON path, `position` the character inside `tools`, `caret` an excerpt
    of the source with a line that points. `placeholders` are for translations.
    """

    code: str
    path: str
    line: int | None = None
    column: int | None = None
    position: int | None = None
    message: str
    hint: str
    caret: str = ""
    placeholders: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """Return the wire form."""
        return {
            "code": self.code,
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "position": self.position,
            "message": self.message,
            "hint": self.hint,
        }


def make_problem(
    code: str, path: Path, spot: Spot, placeholders: Mapping[str, str]
) -> Problem:
    """Put a problem into words; a hint that needs a `nearest` has one without it."""
    words = CATALOGUE[code]
    hint = words.hint if placeholders.get("nearest", "-") else words.otherwise
    return Problem(
        code=code,
        path=format_path(path),
        line=spot.line,
        column=spot.column,
        position=spot.position,
        message=words.message.format_map(placeholders),
        hint=hint.format_map(placeholders),
        caret=spot.caret,
        placeholders=placeholders,
    )


def format_path(path: Path) -> str:
    """Return a path as text: `groups[0].tools[1].args.host`; the root is empty."""
    steps = []
    for step in path:
        if isinstance(step, int):
            steps.append(f"[{step}]")
        elif re.fullmatch(r"[\w-]{1,64}", step):
            steps.append(f".{step}" if steps else step)
        else:
            steps.append(f"[{show(step)}]")
    return "".join(steps)


def printable(text: str) -> str:
    """Return a text with control characters, formats and surrogates as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if not unicodedata.category(char).startswith("C") else escaped(char)
        for char in text
    )


def escaped(char: str) -> str:
    """Return the JSON escape of one character."""
    return json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"


def show(value: object) -> str:
    """Return a value as JSON for a message, shortened with a marker."""
    match value:
        case str():
            short = value if len(value) <= SHOWN else value[:SHOWN] + "…"
            return printable(json.dumps(short, ensure_ascii=False))
        case None | bool() | int() | float():
            text = say("big_number") if _is_long(value) else json.dumps(value)
            return text if len(text) <= SHOWN else text[:SHOWN] + "…"
        case Mapping():
            return say("an_object")
        case list() | tuple():
            return say("an_array")
        case _:
            return say("of_type", type=type(value).__name__[:SHOWN])


def _is_long(value: object) -> bool:
    """Whether a number is one that Python refuses to write out."""
    return isinstance(value, int) and value.bit_length() > 1000


def list_names(names: Collection[str]) -> str:
    """Return names as a list for a message, `none` when there are none."""
    shown = ", ".join(printable(name[:SHOWN]) for name in islice(names, LISTED))
    more = len(names) - LISTED
    if more > 0:
        return say("names_more", shown=shown, count=str(more))
    return shown or say("no_names")
