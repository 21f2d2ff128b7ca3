"""`get_history`: how the states of entities changed.

Above `recorder_access`; reached through the door like every tool.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from homeassistant.core import HomeAssistant

from ..kernel.contract import Arguments, Invocation, Tool, ToolDefinition, ToolOutput
from ..kernel.errors import Reason, ToolError, combine
from .entity_lookup import missing_entities
from .history_summary import Change, summarize
from .reading import ReadingTool
from .reading_ports import ReadingPorts
from .reading_states import ENTITY_IDS
from .reading_times import END, START, Span, exact_time, local_time, read_span
from .recorder_access import ask_recorder
from .said_words import say
from .targets import ids_in

MOST_HISTORIES: Final = 10
"""Entities in one answer."""

MOST_CHANGES: Final = 500
DEFAULT_CHANGES: Final = 50

MOST_SCANNED: Final = 10_000
"""Changes of one entity that are read from the database."""

LONGEST_HISTORY: Final = timedelta(days=31)

GET_HISTORY: Final = ToolDefinition(
    name="get_history",
    title="Get history",
    description=(
        "Tell how the states of entities changed in a span of time: the last changes, "
        "and of the whole span how often it changed and minimum, maximum and mean of "
        "numbers, or the seconds in each state. Changes of attributes are not told."
    ),
    parameters={
        "type": "object",
        "properties": {
            "entity_id": ENTITY_IDS,
            "start": START | {"description": f"{START['description']} Default: 24h."},
            "end": END,
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_CHANGES,
                "description": (
                    f"How many changes of each to tell; default {DEFAULT_CHANGES}."
                ),
            },
        },
        "required": ["entity_id"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
)


class HistoryReading:
    """Reads the recorder's states."""

    def __init__(self, ports: ReadingPorts) -> None:
        """Take the ports."""
        self._ports = ports

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [
            ReadingTool(
                self._ports.hass,
                definition=GET_HISTORY,
                work=self.get,
                named="entity_id",
            )
        ]

    async def get(self, invocation: Invocation) -> object:
        """Tell the history of each entity."""
        caller, arguments = invocation.caller, invocation.arguments
        hass = self._ports.hass
        entity_ids = ids_in(arguments["entity_id"]) or []
        if len(entity_ids) > MOST_HISTORIES:
            return too_many(len(entity_ids), MOST_HISTORIES)
        span = read_span(
            arguments,
            self._ports.now(),
            default="24h",
            longest=LONGEST_HISTORY,
            instead="use get_statistics",
        )
        if isinstance(span, ToolError):
            return span
        recorded = await ask_recorder(
            hass,
            lambda: {one: _changes(hass, one, span) for one in entity_ids},
        )
        if isinstance(recorded, ToolError):
            return recorded
        gone = [
            entity_id
            for entity_id, changes in recorded.items()
            if not changes and hass.states.get(entity_id) is None
        ]
        problems = list(missing_entities(self._ports, caller, gone, "entity_id"))
        if problems and len(gone) == len(entity_ids):
            return combine(problems)
        told = [
            _told(hass, entity_id, changes, span, arguments)
            for entity_id, changes in recorded.items()
            if entity_id not in gone
        ]
        return ToolOutput(
            value={**span.told(), "history": told},
            warnings=tuple(
                say("looked_up", detail=one.detail, hint=one.hint) for one in problems
            ),
        )


def too_many(count: int, most: int) -> ToolError:
    """Return the error of a call that names too many entities at once."""
    return ToolError(
        reason=Reason.VALUE,
        field="entity_id",
        detail=f"{count} are named, {most} are allowed",
        hint="Make several calls.",
    )


def _changes(hass: HomeAssistant, entity_id: str, span: Span) -> list[Change]:
    """Read one entity's changes from the database; the state at the start comes first."""
    from homeassistant.components.recorder.history import state_changes_during_period

    states = state_changes_during_period(
        hass,
        span.start,
        span.end,
        entity_id,
        no_attributes=True,
        limit=MOST_SCANNED + 1,
        include_start_time_state=True,
    ).get(entity_id, [])
    found = [Change(time=state.last_changed, state=state.state) for state in states]
    return sorted(found, key=lambda change: change.time)


def _told(
    hass: HomeAssistant,
    entity_id: str,
    changes: Sequence[Change],
    span: Span,
    arguments: Arguments,
) -> dict[str, object]:
    told: dict[str, object] = {"entity_id": entity_id}
    if (state := hass.states.get(entity_id)) is not None:
        told["name"] = state.name
        if unit := state.attributes.get("unit_of_measurement"):
            told["unit"] = unit
    end = span.end
    if len(changes) > MOST_SCANNED:
        end = changes[MOST_SCANNED].time
        changes = changes[:MOST_SCANNED]
        told["cut"] = _cut(end)
    limit = arguments.get("limit", DEFAULT_CHANGES)
    shown = changes[-limit:] if isinstance(limit, int) else changes
    told["count"] = sum(change.time > span.start for change in changes)
    told |= summarize(changes, end)
    told["changes"] = [
        {"time": local_time(change.time), "state": change.state} for change in shown
    ]
    if len(shown) < len(changes):
        told["left_out"] = _left_out(len(changes) - len(shown), shown[0].time)
    return told


def _cut(end: datetime) -> str:
    return (
        f"Only the first {MOST_SCANNED} changes, until {exact_time(end)}, were looked "
        "at; ask again from there, or use get_statistics."
    )


def _left_out(count: int, before: datetime) -> str:
    return (
        f"{count} earlier ones; give end: {exact_time(before)} or a greater limit to "
        "get them."
    )
