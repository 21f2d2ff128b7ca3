"""Checks made of several: allowed values, alternatives, and parts that must all hold.

In the kernel, above `schema_problems`; `validation` puts the checks together.
"""

from collections.abc import Sequence

from .errors import ToolError
from .json_text import same_json
from .schema_problems import Mismatch, not_allowed, nothing_fits, wrong_type
from .schema_reading import Schema
from .schema_scalars import Check


def one_of(check: Check, allowed: Sequence[object], part: Schema) -> Check:
    """Return the check of a type of which only some values are allowed."""
    texts = frozenset(each for each in allowed if isinstance(each, str))

    def limited(value: object) -> object:
        result = check(value)
        if type(result) is str:
            if result in texts:
                return result
        elif any(same_json(result, each) for each in allowed):
            return result
        raise not_allowed(result, part)

    return limited


def first_of(checks: Sequence[Check], schema: Schema) -> Check:
    """Return the check of alternatives: one that fits exactly, else the first that can.

    So 5 stays 5 for `["string", "integer"]`.
    """
    if len(checks) == 1:
        return checks[0]

    def check(value: object) -> object:
        lenient: list[object] = []
        failures: list[Mismatch] = []
        for alternative in checks:
            try:
                result = alternative(value)
            except Mismatch as mismatch:
                failures.append(mismatch)
                continue
            if same_json(result, value):
                return result
            lenient.append(result)
        if lenient:
            return lenient[0]
        raise nothing_fits(value, schema, failures)

    return check


def all_of(checks: Sequence[Check], schema: Schema) -> Check:
    """Return the check of parts that must all be satisfied by one and the same value."""
    if len(checks) == 1:
        return checks[0]

    def check(value: object) -> object:
        result, problems = value, dict[ToolError, None]()
        for part in checks:
            try:
                result = part(result)
            except Mismatch as mismatch:
                result = mismatch.value
                problems.update(dict.fromkeys(mismatch.problems))
        if problems:
            raise Mismatch(result, tuple(problems))
        # What one part made of the value must suit the parts before it.
        if not all(same_json(part(result), result) for part in checks):
            raise wrong_type(value, schema)
        return result

    return check
