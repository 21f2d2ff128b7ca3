"""What a condition says of the values of a run (§5.1, §8.4; page 2 §2.1).

Above the grammar in `condition_syntax`. Comparison is typed, and what cannot be judged is
an error, never "false". Pure and total: a boolean, or `ConditionFailed`.
"""

from collections.abc import Mapping

from ..kernel.json_text import same_json
from ..kernel.phrases import Phrase
from .condition_syntax import parse_condition
from .condition_text import format_condition
from .failures import ConditionFailed, Unresolved
from .model import Both, Comparison, Condition, Constant, Either, Exists, Not, Reference
from .run_words import say, typed
from .values import Scope, is_true, kind_of, look_up

__all__ = ["evaluate", "parse_condition"]

_COMPARABLE = frozenset({"null", "boolean", "number", "string", "array", "object"})


def evaluate(condition: Condition, scope: Scope) -> bool:
    """Return whether a condition holds.

    Raises:
        ConditionFailed: a reference leads nowhere (only `exists` may ask), or two
            values do not compare.
    """
    match condition:
        case Constant() | Reference():
            return is_true(_value(condition, scope))
        case Exists(reference=reference):
            return not isinstance(look_up(reference, scope), Unresolved)
        case Comparison():
            return _compare(condition, scope)
        case Not(operand=operand):
            return not evaluate(operand, scope)
        case Both(left=left, right=right):
            return evaluate(left, scope) and evaluate(right, scope)
        case Either(left=left, right=right):
            return evaluate(left, scope) or evaluate(right, scope)


def _value(operand: Reference | Constant, scope: Scope) -> object:
    if isinstance(operand, Constant):
        return operand.value
    value = look_up(operand, scope)
    if isinstance(value, Unresolved):
        raise ConditionFailed(
            say("condition_lost", reference=value.reference, why=value.detail)
        )
    return value


def _compare(comparison: Comparison, scope: Scope) -> bool:
    left, right = _value(comparison.left, scope), _value(comparison.right, scope)
    try:
        match comparison.operator:
            case "==":
                return _equal(comparison, left, right)
            case "!=":
                return not _equal(comparison, left, right)
            case "contains":
                return _contains(comparison, left, right)
            case _:
                return _ordered(comparison, left, right)
    except RecursionError as error:
        raise _failed(comparison, say("values_too_deep")) from error


def _equal(comparison: Comparison, left: object, right: object) -> bool:
    kinds = {kind_of(left), kind_of(right)}
    if not kinds <= _COMPARABLE or (len(kinds) > 1 and "null" not in kinds):
        raise _types_differ(comparison, left, right)
    return same_json(left, right)


def _ordered(comparison: Comparison, left: object, right: object) -> bool:
    """Numbers with numbers, texts with texts; nothing else has an order."""
    match left, right:
        case (bool(), _) | (_, bool()):
            raise _types_differ(comparison, left, right)
        case int() | float(), int() | float():
            lower, higher = left < right, left > right
        case str(), str():
            lower, higher = left < right, left > right
        case _:
            raise _types_differ(comparison, left, right)
    match comparison.operator:
        case "<":
            return lower
        case ">":
            return higher
        case "<=":
            return lower or left == right
        case _:
            return higher or left == right


def _contains(comparison: Comparison, left: object, right: object) -> bool:
    """A part of a text, a member of an array, a key of an object."""
    match left, right:
        case str(), str():
            return right in left
        case list() | tuple(), _:
            return any(same_json(member, right) for member in left)
        case Mapping(), str():
            return right in left
        case _:
            raise _types_differ(comparison, left, right)


def _types_differ(
    comparison: Comparison, left: object, right: object
) -> ConditionFailed:
    return _failed(
        comparison,
        say(
            "types_differ",
            left=typed(kind_of(left)),
            right=typed(kind_of(right)),
            operator=comparison.operator,
        ),
    )


def _failed(comparison: Comparison, why: Phrase) -> ConditionFailed:
    written = format_condition(comparison)
    return ConditionFailed(say("condition_judged", condition=written, why=why))
