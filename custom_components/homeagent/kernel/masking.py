"""What an answer may tell those who do not see everything.

A tool that exists and one that does not must answer alike (page 1 §1.1). The door keeps
the true reason for the engine behind it; it is masked where the answer leaves the kernel.
"""

from dataclasses import replace

from .errors import Reason, ToolError
from .words import say

_HIDING = frozenset({Reason.NOT_FOUND, Reason.UNAUTHORIZED})

NOT_ALLOWED = ToolError(
    reason=Reason.UNAUTHORIZED,
    detail=say("not_allowed"),
    hint="Use one of the tools you were given, or ask an administrator for access.",
)


def mask_error(error: ToolError) -> ToolError:
    """Return the error as those see it who do not see everything."""
    if error.reason in _HIDING:
        return NOT_ALLOWED
    if error.also:
        return replace(error, also=tuple(mask_error(other) for other in error.also))
    return error
