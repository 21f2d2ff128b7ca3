"""Where a reference leads in the values of a run.

Above the grammar in `reference_syntax`, whose public names it offers too. Pure and total.
"""

from .failures import Unresolved, UnresolvedReference
from .model import Reference
from .reference_syntax import format_path, format_reference, parse_path, parse_text
from .values import Scope, look_up

__all__ = [
    "Scope",
    "format_path",
    "format_reference",
    "parse_path",
    "parse_text",
    "resolve",
]


def resolve(reference: Reference, scope: Scope) -> object:
    """Return the value that a reference leads to, as it is.

    Raises:
        UnresolvedReference: `required` for what is absent, `type` for a step into a
            value that has no such steps.
    """
    value = look_up(reference, scope)
    if isinstance(value, Unresolved):
        raise UnresolvedReference(value)
    return value
