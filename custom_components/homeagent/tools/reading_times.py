"""The span of time that a call asks about: ISO 8601 times, or how long ago.

Pure but for the home's time zone, in which times without one are meant.

    moment   = time | duration [ "ago" ]
    duration = [ digits "w" ] [ digits "d" ] [ digits "h" ] [ digits "m" ] [ digits "s" ]
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
import re
from typing import Final

from homeassistant.util import dt as dt_util

from ..kernel.contract import Arguments
from ..kernel.errors import Reason, ToolError
from ..kernel.json_text import encode_json
from ..kernel.json_values import well_formed

_DURATION: Final = re.compile(
    r"(?=[0-9])(?:(?P<weeks>[0-9]{1,4})w)?(?:(?P<days>[0-9]{1,5})d)?"
    r"(?:(?P<hours>[0-9]{1,6})h)?(?:(?P<minutes>[0-9]{1,7})m)?"
    r"(?:(?P<seconds>[0-9]{1,8})s)?"
)
_EARLIEST: Final = datetime(1970, 1, 2, tzinfo=UTC)

START: Final = {
    "type": "string",
    "description": "Begin: an ISO 8601 time, or how long ago, such as 24h or 7d.",
}
END: Final = {
    "type": "string",
    "description": "End: an ISO 8601 time, or how long ago. Default: now.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """From `start` to `end`, in UTC."""

    start: datetime
    end: datetime

    @property
    def length(self) -> timedelta:
        """How long it is."""
        return self.end - self.start

    def told(self) -> dict[str, object]:
        """Return both ends as the answer tells them."""
        return {"start": local_time(self.start), "end": local_time(self.end)}


def read_span(
    arguments: Arguments,
    now: datetime,
    *,
    default: str,
    longest: timedelta,
    instead: str,
) -> Span | ToolError:
    """Read `start` and `end`; a span is never shortened, one too long is an error.

    `default` is the start where none is given; `instead` says what to do about a span
    that is longer than `longest`.
    """
    moments = {"start": now, "end": now}
    for name in moments:
        text = str(arguments.get(name, default if name == "start" else "0s"))
        moment = parse_moment(text, now)
        if moment is None:
            return _unreadable(name, text)
        moments[name] = moment
    span = Span(start=moments["start"], end=min(moments["end"], now))
    if span.start >= span.end:
        return ToolError(
            reason=Reason.VALUE,
            field="start",
            detail=f"{local_time(span.start)} is not before the end, "
            f"{local_time(span.end)}",
            hint="Give a start in the past and before the end.",
        )
    if span.length > longest:
        return ToolError(
            reason=Reason.VALUE,
            field="start",
            detail=f"the span is {_days(span.length)} days long, "
            f"{_days(longest)} are allowed",
            hint=f"Ask for a shorter span, or {instead}.",
        )
    return span


def parse_moment(text: str, now: datetime) -> datetime | None:
    """Return the moment in UTC that a text means; None for what means none."""
    plain = text.strip()
    ago = _DURATION.fullmatch(plain.casefold().removesuffix("ago").replace(" ", ""))
    try:
        if ago is not None:
            parts = {unit: int(count or 0) for unit, count in ago.groupdict().items()}
            moment = now - timedelta(**parts)
        elif (parsed := dt_util.parse_datetime(plain)) is not None:
            moment = dt_util.as_utc(parsed)
        else:
            return None
    except ValueError, OverflowError:
        return None
    return moment if moment >= _EARLIEST else None


def local_time(moment: datetime) -> str:
    """Return a time as ISO 8601 in the home's time zone, to the second."""
    return dt_util.as_local(moment).isoformat(timespec="seconds")


def exact_time(moment: datetime) -> str:
    """Return a time from which to go on: none that was told is lost or comes twice."""
    return dt_util.as_local(moment).isoformat()


def _days(length: timedelta) -> str:
    return f"{length / timedelta(days=1):.4g}"


def _unreadable(name: str, text: str) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field=name,
        detail=f"{encode_json(well_formed(text[:64]))} is no time",
        hint="Give an ISO 8601 time such as 2026-10-01T08:00:00, or how long ago, "
        "such as 30m, 24h or 7d.",
    )
