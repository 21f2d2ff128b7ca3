"""Checks of arrays and objects, and the copies that are passed on (§4.4).

In the kernel, above `schema_problems`; `validation` puts the checks together. Every
container that comes out is a new one: between the gates and the tool a call may wait, and
what was judged must not change in that time.

An array is also taken from a JSON text and, where its elements are scalars, from one
scalar alone; an object from a JSON text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
import re

from .errors import ToolError
from .json_text import NotJsonError, decode_json
from .json_values import key_text
from .phrases import Phrase
from .schema_choices import all_of
from .schema_problems import (
    MAX_LEVELS,
    MOST_PROBLEMS,
    Mismatch,
    missing,
    not_allowed,
    too_deep,
    unchecked,
    unknown,
    wrong_type,
)
from .schema_reading import Schema, count_of, holds_scalars, items_of
from .schema_scalars import Check
from .words import say

_ATOMS = frozenset({str, int, float, bool, type(None)})


def anything(value: object) -> object:
    """Take any value; containers are copied."""
    if type(value) in _ATOMS:
        return value
    try:
        return _copy(value, MAX_LEVELS)
    except RecursionError:
        raise too_deep(value) from None


def _copy(value: object, levels: int) -> object:
    if isinstance(value, Mapping | list | tuple):
        if not levels:
            raise RecursionError
        if isinstance(value, Mapping):
            return {key: _copy(item, levels - 1) for key, item in value.items()}
        return [_copy(item, levels - 1) for item in value]
    return value


def nothing(schema: Schema) -> Check:
    """Return the check that takes nothing (the schema `false`)."""

    def check(value: object) -> object:
        raise not_allowed(value, schema)

    return check


def array(schema: Schema, element: Check) -> Check:
    """Return the check of an array whose elements `element` checks."""
    alone = holds_scalars(items_of(schema))
    least, most = count_of(schema, "minItems"), count_of(schema, "maxItems")

    def check(value: object) -> object:
        result: list[object] = []
        problems: list[ToolError] = []
        elements = _elements(value, schema, alone)
        for index, item in enumerate(elements):
            if len(problems) >= MOST_PROBLEMS:
                result += elements[index:]
                problems.append(unchecked(len(elements) - index))
                break
            try:
                result.append(element(item))
            except Mismatch as mismatch:
                result.append(mismatch.value)
                problems += mismatch.under(index)
        count = len(result)
        if (least is not None and count < least) or (most is not None and count > most):
            problems[:0] = not_allowed(result, schema).problems
        if problems:
            raise Mismatch(result, problems)
        return result

    return check


def _elements(
    value: object, schema: Schema, alone: bool
) -> list[object] | tuple[object, ...]:
    if isinstance(value, list | tuple):
        return value
    if isinstance(value, str):
        text = value.strip()
        # What begins like a list and is none is rather a broken list than one text.
        if text.startswith("["):
            listed = _parsed(text)
            if isinstance(listed, list):
                return listed
            raise wrong_type(value, schema)
        if alone and text:
            return [value]
    elif alone and isinstance(value, int | float | date | time):
        return [value]
    raise wrong_type(value, schema)


def _parsed(text: str) -> object:
    try:
        return decode_json(text)
    except NotJsonError:
        return None


def _fields(value: object, schema: Schema) -> Mapping[object, object]:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, str) and value.lstrip().startswith("{"):
        parsed = _parsed(value)
        if isinstance(parsed, dict):
            return parsed
    raise wrong_type(value, schema)


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """The checks of an object's members.

    `extra` checks what is in neither `known` nor `patterns`; None: nothing may be.
    """

    known: Mapping[object, Check]
    required: tuple[str, ...] = ()
    patterns: tuple[tuple[re.Pattern[str], Check], ...] = ()
    extra: Check | None = anything

    def find(self, key: object) -> Check | None:
        """Return the check of a key that is not among the known ones."""
        name = key if isinstance(key, str) else ""
        checks = [check for pattern, check in self.patterns if pattern.search(name)]
        return all_of(checks, {}) if checks else self.extra


def object_(
    schema: Schema, members: Members, wanted: Mapping[str, Schema | bool]
) -> Check:
    """Return the check of an object; `wanted` are the schemas of its known keys."""
    known, required = members.known, members.required
    must = frozenset(required)

    def check(value: object) -> object:
        given = value if type(value) is dict else _fields(value, schema)
        result: dict[object, object] = {}
        problems: list[ToolError] = []
        for index, (key, item) in enumerate(given.items()):
            if len(problems) >= MOST_PROBLEMS:
                result.update(list(given.items())[index:])
                problems.append(unchecked(len(given) - index))
                break
            member = known.get(key)
            if member is None:
                member = members.find(key)
            if member is None:
                result[key] = item
                problems.append(unknown(key, wanted))
                continue
            try:
                result[key] = member(item)
            except Mismatch as mismatch:
                if item is None or (key in must and _blank(item)):
                    continue
                result[key] = mismatch.value
                problems += mismatch.under(key_text(key))
        absent = [key for key in required if key not in result]
        if absent or problems:
            told = [
                missing(key, _instead(key, given), wanted.get(key, True))
                for key in absent
            ]
            raise Mismatch(result, told + problems)
        return result

    return check


def _instead(key: str, given: Mapping[object, object]) -> Phrase:
    if key not in given:
        return say("not_given")
    return say("null_given" if given[key] is None else "blank_given")


def _blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip()
