"""A condition's AST as text, with no more parentheses than its meaning needs.

Beside `condition_syntax`, which reads what this writes into the same AST.
"""

import json

from .model import Both, Comparison, Condition, Constant, Either, Exists, Not, Reference
from .reference_syntax import format_reference


def format_condition(condition: Condition) -> str:
    """Return a condition as it is written."""
    match condition:
        case Reference() | Constant():
            return _operand(condition)
        case Exists(reference=reference):
            return f"exists({format_reference(reference)})"
        case Comparison(operator=operator, left=left, right=right):
            return f"{_operand(left)} {operator} {_operand(right)}"
        case Not(operand=operand):
            return "!" + _within(operand, (Comparison, Both, Either))
        case Both(left=left, right=right):
            return f"{_within(left, (Either,))} && {_within(right, (Either, Both))}"
        case Either(left=left, right=right):
            return f"{format_condition(left)} || {_within(right, (Either,))}"


def _within(condition: Condition, in_parentheses: tuple[type, ...]) -> str:
    text = format_condition(condition)
    return f"({text})" if isinstance(condition, in_parentheses) else text


def _operand(operand: Reference | Constant) -> str:
    if isinstance(operand, Reference):
        return format_reference(operand)
    return json.dumps(operand.value, ensure_ascii=False)
