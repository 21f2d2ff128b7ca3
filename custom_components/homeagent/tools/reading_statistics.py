"""`get_statistics`: long-term statistics, by the hour to the year.

Above `recorder_access`; reached through the door like every tool.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..kernel.contract import Arguments, Invocation, Tool, ToolDefinition, ToolOutput
from ..kernel.errors import Reason, ToolError, combine
from .entity_lookup import missing_entities
from .reading import ReadingTool
from .reading_ports import ReadingPorts
from .reading_times import END, START, Span, exact_time, local_time, read_span
from .recorder_access import ask_recorder
from .said_words import say
from .targets import ids_in

if TYPE_CHECKING:
    from typing import Literal

    from homeassistant.components.recorder.statistics import StatisticsRow

    type Period = Literal["5minute", "hour", "day", "week", "month", "year"]
    type Kind = Literal["change", "last_reset", "max", "mean", "min", "state", "sum"]

MOST_STATISTICS: Final = 10
"""Statistics in one answer."""

MOST_ROWS: Final = 500
DEFAULT_ROWS: Final = 100

MOST_SCANNED: Final = 100_000
"""Rows that one call reads from the database."""

_PERIODS: Final[Mapping[str, tuple[timedelta, str]]] = {
    "5minute": (timedelta(minutes=5), "6h"),
    "hour": (timedelta(hours=1), "24h"),
    "day": (timedelta(hours=1), "30d"),
    "week": (timedelta(hours=1), "12w"),
    "month": (timedelta(hours=1), "52w"),
    "year": (timedelta(hours=1), "260w"),
}
"""Per period: what one row of the database covers, and the default span."""

_KINDS: Final = ("mean", "min", "max", "change", "state", "sum")
_DEFAULT_KINDS: Final = frozenset({"mean", "min", "max", "change"})

GET_STATISTICS: Final = ToolDefinition(
    name="get_statistics",
    title="Get statistics",
    description=(
        "Tell long-term statistics of sensors that measure or count, by period: mean, "
        "min and max of measurements, change of counters such as energy."
    ),
    parameters={
        "type": "object",
        "properties": {
            "statistic_id": {
                "type": ["string", "array"],
                "items": {"type": "string"},
                "description": "One entity id or id of a statistic, or several.",
            },
            "period": {
                "type": "string",
                "enum": list(_PERIODS),
                "description": "What one row covers; default hour.",
            },
            "start": START,
            "end": END,
            "types": {
                "type": "array",
                "items": {"type": "string", "enum": list(_KINDS)},
                "description": "What is wanted; default mean, min, max and change.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_ROWS,
                "description": f"How many rows of each; default {DEFAULT_ROWS}.",
            },
        },
        "required": ["statistic_id"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
)


class StatisticsReading:
    """Reads the recorder's statistics."""

    def __init__(self, ports: ReadingPorts) -> None:
        """Take the ports."""
        self._ports = ports

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [
            ReadingTool(
                self._ports.hass,
                definition=GET_STATISTICS,
                work=self.get,
                named="statistic_id",
            )
        ]

    async def get(self, invocation: Invocation) -> object:
        """Tell the rows of each statistic."""
        arguments = invocation.arguments
        ids = ids_in(arguments["statistic_id"]) or []
        span = self._span(arguments, len(ids))
        if isinstance(span, ToolError):
            return span
        answer = await ask_recorder(
            self._ports.hass, lambda: _read(self._ports.hass, set(ids), span, arguments)
        )
        if isinstance(answer, ToolError):
            return answer
        units, rows = answer
        problems = self._problems(invocation, [one for one in ids if one not in units])
        if problems and len(problems) == len(ids):
            return combine(problems)
        told = [
            _told(one, units[one], rows.get(one, []), arguments)
            for one in ids
            if one in units
        ]
        return ToolOutput(
            value={**span.told(), "period": _period(arguments), "statistics": told},
            warnings=tuple(
                say("looked_up", detail=one.detail, hint=one.hint) for one in problems
            ),
        )

    def _span(self, arguments: Arguments, count: int) -> Span | ToolError:
        if count > MOST_STATISTICS:
            return ToolError(
                reason=Reason.VALUE,
                field="statistic_id",
                detail=f"{count} are named, {MOST_STATISTICS} are allowed",
                hint="Make several calls.",
            )
        row, default = _PERIODS[_period(arguments)]
        longest = row * (MOST_SCANNED // max(count, 1))
        span = read_span(
            arguments,
            self._ports.now(),
            default=default,
            longest=longest,
            instead="name fewer at once",
        )
        return span if isinstance(span, ToolError) else _aligned(span, row)

    def _problems(self, invocation: Invocation, ids: Sequence[str]) -> list[ToolError]:
        """Tell of what has no statistics: unknown things, and entities without."""
        hass = self._ports.hass
        unknown = [one for one in ids if hass.states.get(one) is None]
        problems = missing_entities(
            self._ports, invocation.caller, unknown, "statistic_id"
        )
        return [
            *problems,
            *(_without_statistics(one) for one in ids if one not in unknown),
        ]


def _aligned(span: Span, row: timedelta) -> Span:
    """Begin with the row that the start lies in; rows begin at full hours."""
    into = timedelta(minutes=span.start.minute, seconds=span.start.second) % row
    start = (span.start - into).replace(microsecond=0)
    return replace(span, start=start)


def _period(arguments: Arguments) -> str:
    return str(arguments.get("period", "hour"))


def _read(
    hass: HomeAssistant, ids: set[str], span: Span, arguments: Arguments
) -> tuple[dict[str, str | None], dict[str, list[StatisticsRow]]]:
    """Read units and rows from the database."""
    from homeassistant.components.recorder.statistics import (
        list_statistic_ids,
        statistics_during_period,
    )

    units = {
        one["statistic_id"]: one["display_unit_of_measurement"]
        for one in list_statistic_ids(hass, ids)
    }
    kinds = set(ids_in(arguments.get("types")) or _DEFAULT_KINDS)
    rows = statistics_during_period(
        hass,
        span.start,
        span.end,
        ids,
        cast("Period", _period(arguments)),
        None,
        cast("set[Kind]", kinds),
    )
    return units, rows


def _told(
    statistic_id: str,
    unit: str | None,
    rows: Sequence[StatisticsRow],
    arguments: Arguments,
) -> dict[str, object]:
    limit = arguments.get("limit", DEFAULT_ROWS)
    shown = rows[-limit:] if isinstance(limit, int) else rows
    told: dict[str, object] = {"statistic_id": statistic_id}
    if unit:
        told["unit"] = unit
    told["rows"] = [_row(row) for row in shown]
    if len(shown) < len(rows):
        # A second before: an end within a day, week … takes in the whole of it.
        before = exact_time(dt_util.utc_from_timestamp(shown[0]["start"] - 1))
        told["left_out"] = (
            f"{len(rows) - len(shown)} earlier ones; give end: {before}, a greater limit "
            "or a longer period to get them."
        )
    return told


def _row(row: StatisticsRow) -> dict[str, object]:
    told: dict[str, object] = {
        "start": local_time(dt_util.utc_from_timestamp(row["start"])),
        "end": local_time(dt_util.utc_from_timestamp(row["end"])),
    }
    for kind in _KINDS:
        if (value := row.get(kind)) is not None:
            told[kind] = value
    return told


def _without_statistics(statistic_id: str) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="statistic_id",
        detail=f"{statistic_id} has no statistics",
        hint="Only sensors with a state class have; use get_history.",
    )
