"""The words for what is wrong with arguments: one catalogue (§4.1, §4.4).

Low in the kernel, above `errors` and `schema_reading`. Every problem says where, what was
found, and what would be right.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
import re

from .errors import Reason, ToolError
from .json_text import encode_json
from .json_values import key_text, to_json_value, well_formed
from .names import nearest
from .phrases import Phrase
from .schema_reading import (
    Schema,
    allowed_of,
    conjuncts,
    count_of,
    items_of,
    kind_of,
    kinds_of,
    number_of,
    required_of,
    subschemas,
)
from .words import say

MOST_CHARACTERS = 80
"""Characters of a value that a problem repeats."""

MOST_CHOICES = 40
"""Allowed values or names that a hint lists; what is left out is counted."""

MOST_PROBLEMS = 50
"""Problems of one value after which the rest of it is not looked at; that is told."""

MAX_LEVELS = 64
"""Levels of nesting that arguments may have."""

_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*\Z")

_BOUNDS = (
    ("minimum", "limit_minimum"),
    ("exclusiveMinimum", "limit_above"),
    ("maximum", "limit_maximum"),
    ("exclusiveMaximum", "limit_below"),
)
_COUNTS = {
    "string": (("minLength", "limit_least"), ("maxLength", "limit_most")),
    "array": (("minItems", "limit_least"), ("maxItems", "limit_most")),
}
_LIMITED = {"string": "right_characters", "array": "right_elements"}
"""The sentence in which the limits of a type stand; others name no unit."""


class Mismatch(Exception):  # noqa: N818  never leaves the checks, so no error of ours
    """A value does not fit; holds what could be made of it, and all problems."""

    def __init__(self, value: object, problems: Sequence[ToolError]) -> None:
        super().__init__()
        self.value = value
        self.problems = problems

    def under(self, key: str | int) -> list[ToolError]:
        """Return the problems as those of a value that stands under a key or index."""
        return [
            replace(problem, field=join(key, problem.field))
            for problem in self.problems
        ]

    @property
    def wrong_type(self) -> bool:
        """Whether the value as a whole is of the wrong type."""
        first = self.problems[0]
        return first.reason is Reason.TYPE and first.field is None


def join(key: str | int, rest: str | None = None) -> str:
    """Return a dotted path: `data.items[2].name`, odd keys as `["a.b"]`."""
    if isinstance(key, int):
        step = f"[{key}]"
    else:
        step = key if _PLAIN_KEY.match(key) else f"[{encode_json(well_formed(key))}]"
    if not rest:
        return step
    return f"{step}{rest}" if rest.startswith("[") else f"{step}.{rest}"


def wrong_type(value: object, schema: Schema) -> Mismatch:
    """Return the problem of a value of another type."""
    return _problem(value, Reason.TYPE, found(value), schema)


def not_allowed(value: object, schema: Schema, detail: str = "") -> Mismatch:
    """Return the problem of a value of the right type that is not among the right."""
    return _problem(value, Reason.VALUE, detail or found(value), schema)


def too_deep(value: object) -> Mismatch:
    """Return the problem of a value that is nested too deeply, or without end."""
    error = ToolError(
        reason=Reason.VALUE,
        detail=say("too_deep", most=str(MAX_LEVELS)),
        hint="give a flatter value",
    )
    return Mismatch(value, [error])


def missing(key: str, detail: Phrase, schema: Schema | bool) -> ToolError:
    """Return the problem of a required key; `detail` says what stands in its place."""
    wanted = right(schema)
    return ToolError(
        reason=Reason.REQUIRED,
        field=join(key),
        detail=detail.naming(expected=wanted),
        hint=f"expected: {wanted}",
    )


def unknown(key: object, known: Iterable[str]) -> ToolError:
    """Return the problem of a key that the schema does not have."""
    names = list(known)
    near = nearest(key_text(key), names, n=1)
    meant = f"did you mean {encode_json(near[0])}? " if near else ""
    listed = _listed(names)
    have = f"known here: {listed}" if names else "nothing is expected here"
    return ToolError(
        reason=Reason.VALUE,
        field=join(key_text(key)),
        detail=say("unknown_key", key=_short(key), known=listed, near="".join(near)),
        hint=meant + have,
    )


def unchecked(count: int) -> ToolError:
    """Return the problem of so many members that were not looked at any more."""
    return ToolError(
        reason=Reason.VALUE,
        detail=say("unchecked", count=str(count)),
        hint="mend the others first",
    )


def nothing_fits(
    value: object, schema: Schema, failures: Sequence[Mismatch]
) -> Mismatch:
    """Return the problems of a value that no alternative takes.

    Where the type of one alternative was right, its problems are the ones to mend.
    """
    near = [failure for failure in failures if not failure.wrong_type]
    if not near:
        return wrong_type(value, schema)
    first, *others = near[0].problems
    firsts = [failure.problems[0] for failure in near]
    hints = dict.fromkeys(_placed(each, each.hint) for each in firsts)
    if len(hints) > 1:
        meant = dict.fromkeys(_placed(each, _expected(each)) for each in firsts)
        first = replace(
            first,
            hint="; or ".join(hints),
            detail=_named(first.detail).naming(expected=_join("or_else", meant)),
        )
    return Mismatch(near[0].value, [first, *others])


def _placed(problem: ToolError, text: str) -> str:
    return say("at_place", field=problem.field, text=text) if problem.field else text


def _expected(problem: ToolError) -> str:
    return _named(problem.detail).named.get("expected", problem.hint)


def _named(detail: str) -> Phrase:
    return detail if isinstance(detail, Phrase) else Phrase(detail)


def _problem(value: object, reason: Reason, detail: str, schema: Schema) -> Mismatch:
    """Return a problem with what would be right, the nearest allowed text first."""
    texts = [each for each in allowed_of(schema) or () if isinstance(each, str)]
    near = nearest(value, texts, n=1) if isinstance(value, str) else ()
    meant = f"did you mean {encode_json(near[0])}? " if near else ""
    wanted = right(schema)
    told = say("wrong_value", found=detail, expected=wanted, near="".join(near))
    error = ToolError(reason=reason, detail=told, hint=f"{meant}expected: {wanted}")
    return Mismatch(value, [error])


def found(value: object) -> Phrase:
    """Say what was found."""
    if isinstance(value, Mapping):
        keys = _listed(value)
        return say("found_object", keys=keys) if keys else say("found_empty_object")
    if isinstance(value, list | tuple):
        return say("found_list", count=str(len(value)))
    words = {"string": "found_text", "number": "found_number"}
    return say(words.get(kind_of(value), "found_value"), value=_short(value))


def _short(value: object) -> str:
    text = encode_json(to_json_value(value))
    if len(text) <= MOST_CHARACTERS:
        return text
    return say("long_value", start=text[:MOST_CHARACTERS], count=str(len(text)))


def _listed(values: Iterable[object]) -> str:
    each = [_short(value) for value in values]
    more = len(each) - MOST_CHOICES
    shown = ", ".join(each[:MOST_CHOICES])
    return say("listed_more", shown=shown, count=str(more)) if more > 0 else shown


def _join(code: str, texts: Iterable[str]) -> str:
    """Return texts put together in pairs; nothing for none."""
    each = list(texts)
    return reduce(lambda done, one: say(code, first=done, following=one), each or [""])


def right(schema: Schema | bool) -> str:
    """Say what a schema wants, in a few words."""
    if schema is False:
        return say("right_nothing")
    if schema is True:
        return say("right_anything")
    parts = dict.fromkeys(words for part in conjuncts(schema) if (words := _part(part)))
    return _join("right_and", parts) or say("right_anything")


def _part(part: Schema) -> str:
    if "anyOf" in part:
        options = dict.fromkeys(map(right, subschemas(part, "anyOf")))
        return _join("right_or", options)
    allowed = allowed_of(part)
    if allowed is not None:
        listed = _listed(allowed)
        return listed if len(allowed) == 1 else say("right_one_of", values=listed)
    kinds = kinds_of(part)
    if not kinds:
        return _bare(part)
    return _join("right_or", [_limited(part, kind) for kind in kinds])


def _bare(part: Schema) -> str:
    """Say what keywords want that stand without a type."""
    names = required_of(part)
    return say("right_object_with", keys=_listed(names)) if names else ""


def _limited(part: Schema, kind: str) -> str:
    """Say what a type wants, with the limits that stand in a schema."""
    if kind == "object" and (names := required_of(part)):
        return say("right_object_with", keys=_listed(names))
    text: str = say(f"right_{kind}")
    if limits := _join("right_and", _limits(part, kind)):
        text = say(_LIMITED.get(kind, "right_limited"), kind=text, limits=limits)
    if kind == "string" and isinstance(pattern := part.get("pattern"), str):
        return say("right_pattern", kind=text, pattern=pattern)
    items = items_of(part) if kind == "array" else True
    return text if items is True else say("right_each", kind=text, each=right(items))


def _limits(part: Schema, kind: str) -> list[str]:
    if kind in {"integer", "number"}:
        numbers = ((code, number_of(part, key)) for key, code in _BOUNDS)
        return [
            say(code, limit=str(each)) for code, each in numbers if each is not None
        ]
    counts = ((code, count_of(part, key)) for key, code in _COUNTS.get(kind, ()))
    return [say(code, limit=str(each)) for code, each in counts if each is not None]
