"""What a host answered, as the kernel understands it (page 4 §4.4).

Pure: a `result` message in, a value or a `ToolError` out. A host that refuses and a host
that is not there are never mistaken for each other.
"""

from collections.abc import Mapping
from typing import Final

from ..kernel.contract import ToolOutput
from ..kernel.errors import Reason, ToolError
from .said_words import say

_LONGEST: Final = 500
"""Characters of a host's own words in an error."""

_OUTCOME: Final = (
    "stdout",
    "stderr",
    "exit_code",
    "exit_codes",
    "truncated",
    "duration",
)

_REASONS: Final[Mapping[str, Reason]] = {
    "busy": Reason.BUSY,
    "timeout": Reason.VALUE,
    "not_installed": Reason.FAILED,
    "no_source": Reason.FAILED,
    "unkillable": Reason.FAILED,
}
_FIELDS: Final = {
    "timeout": "timeout",
    "not_installed": "command",
    "no_source": "kind",
}
_HINTS: Final = {
    "busy": "Try again a little later, with fewer commands at once.",
    "timeout": "Give a smaller timeout, or none.",
    "not_installed": "Use another program; host_info tells which are there.",
}


def host_answer(message: Mapping[str, object]) -> object:
    """Return a value, a `ToolOutput` or a `ToolError` for a `result` message."""
    if isinstance(refusal := message.get("refusal"), Mapping):
        return _refused(refusal)
    if isinstance(error := message.get("error"), Mapping):
        return _failed(error)
    if isinstance(outcome := message.get("outcome"), Mapping):
        return _ran(outcome)
    if isinstance(report := message.get("report"), Mapping):
        return dict(report)
    return ToolError(
        reason=Reason.FAILED,
        detail=say("host_unread"),
        hint="Update the waiter on the host, or HomeAgent.",
    )


def offline(name: str, last_seen: str | None) -> ToolError:
    """Return the error for a host that is not connected."""
    never = say("host_never_seen", host=name)
    return ToolError(
        reason=Reason.UNAVAILABLE,
        field="host",
        detail=never
        if last_seen is None
        else say("host_offline", host=name, seen=last_seen),
        hint="See whether the host is on and its waiter runs: waiter doctor.",
    )


def lost(name: str) -> ToolError:
    """Return the error for a command whose result went down with the connection."""
    return ToolError(
        reason=Reason.UNAVAILABLE,
        field="host",
        detail=say("host_broke_off", host=name),
        hint="Ask again once the host is connected.",
    )


def not_text() -> ToolError:
    """Return the error for a command that holds half a character."""
    return ToolError(
        reason=Reason.VALUE,
        field="command",
        detail=say("host_no_text"),
        hint="Leave out what is no character, such as half a surrogate pair.",
    )


def too_late(name: str, seconds: float) -> ToolError:
    """Return the error for a host that is there and does not answer."""
    return ToolError(
        reason=Reason.TIMEOUT,
        detail=say("host_late", host=name, seconds=f"{seconds:.0f}"),
        hint="The command was cancelled. Try a smaller one.",
    )


def _refused(refusal: Mapping[str, object]) -> ToolError:
    code, token = _text(refusal, "code"), _text(refusal, "token")
    stage, hint = _text(refusal, "stage"), _text(refusal, "hint")
    return ToolError(
        reason=Reason.REFUSED,
        field="command",
        detail=say(
            "host_refused",
            code=code,
            stage=f" at the stage {stage}" if stage else "",
            token=f", because of {token!r}" if token else "",
            says=hint,
        ),
        hint=hint or "host_info tells what the host allows.",
    )


def _failed(error: Mapping[str, object]) -> ToolError:
    code = _text(error, "code")
    return ToolError(
        reason=_REASONS.get(code, Reason.FAILED),
        field=_FIELDS.get(code),
        detail=_text(error, "detail") or f"the host answered {code!r}",
        hint=_text(error, "hint")
        or _HINTS.get(code, "See the waiter's log on the host."),
    )


def _ran(outcome: Mapping[str, object]) -> object:
    value = {key: outcome.get(key) for key in _OUTCOME}
    notes = outcome.get("notes")
    warnings = tuple(map(str, notes)) if isinstance(notes, list) else ()
    if not outcome.get("timed_out"):
        return ToolOutput(value=value, warnings=warnings) if warnings else value
    error = ToolError(
        reason=Reason.TIMEOUT,
        detail=say("host_too_long"),
        hint="The value has what it wrote until then. Try a smaller command.",
    )
    return ToolOutput(value=value, error=error, warnings=warnings)


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    return value[:_LONGEST] if isinstance(value, str) else ""
