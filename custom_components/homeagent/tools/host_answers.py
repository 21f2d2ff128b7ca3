"""What a host answered, as the kernel understands it (page 4 §4.4).

Pure: a `result` message in, a value or a `ToolError` out. A host that refuses and a host
that is not there are never mistaken for each other.
"""

from collections.abc import Mapping
from typing import Final

from ..kernel.contract import ToolOutput
from ..kernel.errors import Reason, ToolError

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
        detail="the host answered with nothing that is understood",
        hint="Update the waiter on the host, or HomeAgent.",
    )


def offline(name: str, last_seen: str | None) -> ToolError:
    """Return the error for a host that is not connected."""
    seen = "was not seen since Home Assistant started"
    return ToolError(
        reason=Reason.UNAVAILABLE,
        field="host",
        detail=f"{name} is not connected; it "
        + (seen if last_seen is None else f"was last seen at {last_seen}"),
        hint="See whether the host is on and its waiter runs: waiter doctor.",
    )


def lost(name: str) -> ToolError:
    """Return the error for a command whose result went down with the connection."""
    return ToolError(
        reason=Reason.UNAVAILABLE,
        field="host",
        detail=f"the connection to {name} broke; what came of the command is not known",
        hint="Ask again once the host is connected.",
    )


def not_text() -> ToolError:
    """Return the error for a command that holds half a character."""
    return ToolError(
        reason=Reason.VALUE,
        field="command",
        detail="the command holds text that is no Unicode",
        hint="Leave out what is no character, such as half a surrogate pair.",
    )


def too_late(name: str, seconds: float) -> ToolError:
    """Return the error for a host that is there and does not answer."""
    return ToolError(
        reason=Reason.TIMEOUT,
        detail=f"{name} gave no answer within {seconds:.0f} s",
        hint="The command was cancelled. Try a smaller one.",
    )


def _refused(refusal: Mapping[str, object]) -> ToolError:
    code, token = _text(refusal, "code"), _text(refusal, "token")
    stage = _text(refusal, "stage")
    return ToolError(
        reason=Reason.REFUSED,
        field="command",
        detail=f"{code}: refused by the host"
        + (f" at the stage {stage}" if stage else "")
        + (f", because of {token!r}" if token else ""),
        hint=_text(refusal, "hint") or "host_info tells what the host allows.",
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
        detail="the host ended the command: it took too long",
        hint="The value has what it wrote until then. Try a smaller command.",
    )
    return ToolOutput(value=value, error=error, warnings=warnings)


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    return value[:_LONGEST] if isinstance(value, str) else ""
