"""The door's own errors: the words for calls that do not get through (page 1 §1.1).

Beside `errors`, below the door.
"""

from collections.abc import Iterable

from .errors import Reason, ToolError
from .time_text import seconds_text
from .words import say


def unauthorized(detail: str) -> ToolError:
    """Return the error of a call that is not allowed; `detail` names the grant."""
    return ToolError(
        reason=Reason.UNAUTHORIZED,
        detail=say("not_granted", why=detail) if detail else say("not_allowed"),
        hint="Ask an administrator of this home for access.",
    )


def too_many_wait(tool: str) -> ToolError:
    """Return the error of a call that cannot even wait for a yes."""
    return ToolError(
        reason=Reason.UNCONFIRMED,
        detail=say("too_many_wait", tool=tool),
        hint="Wait until the person has answered, or two minutes, then try again.",
    )


def unconfirmed(tool: str) -> ToolError:
    """Return the error of a call that a person must agree to first."""
    return ToolError(
        reason=Reason.UNCONFIRMED,
        detail=say("unconfirmed", tool=tool),
        hint="Ask the person; only their own yes can release the call.",
    )


def held(keys: Iterable[str]) -> ToolError:
    """Return the error of a call whose turn did not come in time."""
    return ToolError(
        reason=Reason.BUSY,
        detail=say("still_busy", keys=", ".join(sorted(keys))),
        hint="Try again when it has ended.",
    )


def changed(tool: str) -> ToolError:
    """Return the error of a call that is another one than the hooks let pass."""
    return ToolError(
        reason=Reason.BUSY,
        detail=say("changed_meanwhile", tool=tool),
        hint="Look at the present state, then try again.",
    )


def late(limit: float | None) -> ToolError:
    """Return the error of a call that did not answer within its limit, in seconds."""
    return ToolError(
        reason=Reason.TIMEOUT,
        detail=say("late", seconds=seconds_text(limit or 0.0)),
        hint="Check the state before trying again: it may have had an effect.",
    )
