"""The closed vocabulary of what can go wrong with a tool call.

Low in the kernel, above `phrases`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from .phrases import Phrase


class Reason(StrEnum):
    """Why a call did not succeed; a wire vocabulary, closed on purpose (§4.1)."""

    REQUIRED = "required"
    TYPE = "type"
    VALUE = "value"
    ARGUMENTS = "arguments"
    UNAUTHORIZED = "unauthorized"
    UNCONFIRMED = "unconfirmed"
    NOT_FOUND = "not_found"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    BUSY = "busy"
    REFUSED = "refused"
    FAILED = "failed"
    INTERNAL = "internal"
    FORBIDDEN = "forbidden"
    CONDITION = "condition"
    DEPTH = "depth"
    CYCLE = "cycle"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolError:
    """One problem of one call: where, why, and what would be right (§4.1).

    `field` is the argument it concerns (a dotted path), `detail` says what was found,
    `hint` what to do about it. A `detail` of our own is a `Phrase`, which can be said to
    people in their language; any other is somebody else's words. `also` holds the further problems of the same call, so
    that one retry can mend them all. `still_running` tells that the door stopped
    waiting while the action goes on.

    `candidates` are there where something is named that was not found, or not for sure:
    what may be meant. The door tells a caller those that the caller may use.
    """

    reason: Reason
    field: str | None = None
    detail: str = ""
    hint: str = ""
    also: tuple[ToolError, ...] = ()
    still_running: bool = False
    candidates: tuple[str, ...] | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON object of the error, empty fields left out."""
        data: dict[str, object] = {}
        if self.field is not None:
            data["field"] = self.field
        data["reason"] = self.reason.value
        if self.detail:
            data["detail"] = str(self.detail)
        if self.hint:
            data["hint"] = str(self.hint)
        if self.still_running:
            data["still_running"] = True
        if self.also:
            data["also"] = [other.as_dict() for other in self.also]
        return data


def with_candidates(error: ToolError, candidates: Iterable[str]) -> ToolError:
    """Return the error with what may be meant in its words."""
    meant = ", ".join(candidates)
    if not meant:
        return replace(error, candidates=None)
    told = error.detail
    detail = f"{told}: {meant}"
    if isinstance(told, Phrase):
        detail = Phrase(detail, told.code, {**told.named, "near": meant})
    return replace(error, detail=detail, candidates=None)


def combine(problems: list[ToolError] | tuple[ToolError, ...]) -> ToolError:
    """Tell the first problem in full and list the others under `also` (§4.4)."""
    first, *others = problems
    return replace(first, also=(*first.also, *others))
