"""The references of a condition.

Beside `condition_syntax`; pure.
"""

from collections.abc import Iterator

from .model import Both, Comparison, Condition, Constant, Either, Exists, Not, Reference


def references_of(condition: Condition) -> Iterator[Reference]:
    """Yield the references of a condition, in the order in which they stand."""
    match condition:
        case Reference():
            yield condition
        case Exists(reference=reference):
            yield reference
        case (
            Comparison(left=left, right=right)
            | Both(left=left, right=right)
            | Either(left=left, right=right)
        ):
            yield from references_of(left)
            yield from references_of(right)
        case Not(operand=operand):
            yield from references_of(operand)
        case Constant():
            return
