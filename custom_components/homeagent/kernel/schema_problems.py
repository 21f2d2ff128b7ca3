"""The words for what is wrong with arguments: one catalogue (§4.1, §4.4).

Low in the kernel, above `errors` and `schema_reading`. Every problem says where, what was
found, and what would be right.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
import re

from .errors import Reason, ToolError
from .json_text import encode_json
from .json_values import key_text, to_json_value, well_formed
from .names import nearest
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

MOST_CHARACTERS = 80
"""Characters of a value that a problem repeats."""

MOST_CHOICES = 40
"""Allowed values or names that a hint lists; what is left out is counted."""

MOST_PROBLEMS = 50
"""Problems of one value after which the rest of it is not looked at; that is told."""

MAX_LEVELS = 64
"""Levels of nesting that arguments may have."""

_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*\Z")

_KIND_WORDS = {
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


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
        detail=f"nested deeper than {MAX_LEVELS} levels",
        hint="give a flatter value",
    )
    return Mismatch(value, [error])


def missing(key: str, detail: str, schema: Schema | bool) -> ToolError:
    """Return the problem of a required key; `detail` says what stands in its place."""
    return ToolError(
        reason=Reason.REQUIRED,
        field=join(key),
        detail=detail,
        hint=f"expected: {right(schema)}",
    )


def unknown(key: object, known: Iterable[str]) -> ToolError:
    """Return the problem of a key that the schema does not have."""
    names = list(known)
    near = nearest(key_text(key), names, n=1)
    meant = f"did you mean {encode_json(near[0])}? " if near else ""
    have = f"known here: {_listed(names)}" if names else "nothing is expected here"
    return ToolError(
        reason=Reason.VALUE,
        field=join(key_text(key)),
        detail=f"there is no {_short(key)} here",
        hint=meant + have,
    )


def unchecked(count: int) -> ToolError:
    """Return the problem of so many members that were not looked at any more."""
    return ToolError(
        reason=Reason.VALUE,
        detail=f"{count} more were not looked at, as so many are wrong",
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
    hints = dict.fromkeys(_placed(failure.problems[0]) for failure in near)
    if len(hints) > 1:
        first = replace(first, hint="; or ".join(hints))
    return Mismatch(near[0].value, [first, *others])


def _placed(problem: ToolError) -> str:
    return f"{problem.field}: {problem.hint}" if problem.field else problem.hint


def _problem(value: object, reason: Reason, detail: str, schema: Schema) -> Mismatch:
    error = ToolError(reason=reason, detail=detail, hint=_meant(value, schema))
    return Mismatch(value, [error])


def _meant(value: object, schema: Schema) -> str:
    """Return what would be right, with the nearest of many allowed texts first."""
    texts = [each for each in allowed_of(schema) or () if isinstance(each, str)]
    near = nearest(value, texts, n=1) if isinstance(value, str) else ()
    meant = f"did you mean {encode_json(near[0])}? " if near else ""
    return f"{meant}expected: {right(schema)}"


def found(value: object) -> str:
    """Say what was found."""
    if isinstance(value, Mapping):
        return f"found an object with {_listed(value) or 'no keys'}"
    if isinstance(value, list | tuple):
        return f"found a list of {len(value)}"
    words = {"string": "the text ", "number": "the number "}
    return f"found {words.get(kind_of(value), '')}{_short(value)}"


def _short(value: object) -> str:
    text = encode_json(to_json_value(value))
    if len(text) <= MOST_CHARACTERS:
        return text
    return f"{text[:MOST_CHARACTERS]}… ({len(text)} characters)"


def _listed(values: Iterable[object]) -> str:
    each = [_short(value) for value in values]
    more = len(each) - MOST_CHOICES
    shown = ", ".join(each[:MOST_CHOICES])
    return f"{shown} and {more} more" if more > 0 else shown


def right(schema: Schema | bool) -> str:
    """Say what a schema wants, in a few words."""
    if schema is False:
        return "nothing"
    if schema is True:
        return "a value"
    parts = dict.fromkeys(words for part in conjuncts(schema) if (words := _part(part)))
    return " and ".join(parts) or "a value"


def _part(part: Schema) -> str:
    if "anyOf" in part:
        options = dict.fromkeys(map(right, subschemas(part, "anyOf")))
        return " or ".join(options)
    allowed = allowed_of(part)
    if allowed is not None:
        return f"one of {_listed(allowed)}" if len(allowed) != 1 else _listed(allowed)
    kinds = kinds_of(part)
    if not kinds:
        return _bare(part)
    return " or ".join(f"{_KIND_WORDS[kind]}{_limits(part, kind)}" for kind in kinds)


def _bare(part: Schema) -> str:
    """Say what keywords want that stand without a type."""
    names = required_of(part)
    return f"an object with {_listed(names)}" if names else ""


def _limits(part: Schema, kind: str) -> str:
    if kind in {"integer", "number"}:
        bounds = (
            ("minimum", "at least"),
            ("exclusiveMinimum", "above"),
            ("maximum", "at most"),
            ("exclusiveMaximum", "below"),
        )
        said = [(words, number_of(part, key)) for key, words in bounds]
    elif kind == "string":
        said = [
            ("of at least", count_of(part, "minLength")),
            ("of at most", count_of(part, "maxLength")),
        ]
    elif kind == "array":
        said = [
            ("of at least", count_of(part, "minItems")),
            ("of at most", count_of(part, "maxItems")),
        ]
    else:
        return f" with {_listed(required_of(part))}" if required_of(part) else ""
    limits = " and ".join(
        f"{words} {limit}" for words, limit in said if limit is not None
    )
    unit = {"string": " characters", "array": " elements"}.get(kind, "")
    text = f" {limits}{unit}" if limits else ""
    if kind == "string" and isinstance(pattern := part.get("pattern"), str):
        return f"{text} that matches the pattern {pattern}"
    items = items_of(part) if kind == "array" else True
    return text if items is True else f"{text}, each {right(items)}"
