"""`get_logbook`: what happened, in the words of Home Assistant's logbook.

Above `recorder_access`; reached through the door like every tool.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ..kernel.contract import Caller, Invocation, Tool, ToolDefinition, ToolOutput
from ..kernel.errors import ToolError, combine
from .entity_lookup import missing_entities
from .logbook_entries import EntryTeller, Row
from .reading import ReadingTool
from .reading_ports import ReadingPorts
from .reading_states import ENTITY_IDS
from .reading_times import END, START, exact_time, read_span
from .recorder_access import ask_recorder, not_loaded
from .said_words import say
from .targets import entity_exists, ids_in

if TYPE_CHECKING:
    from homeassistant.components.logbook.processor import EventProcessor

MOST_ENTRIES: Final = 200
DEFAULT_ENTRIES: Final = 50

LONGEST_OF_ENTITIES: Final = timedelta(days=31)
LONGEST_OF_ALL: Final = timedelta(days=1)
"""How long the span may be where no entity is named."""

GET_LOGBOOK: Final = ToolDefinition(
    name="get_logbook",
    title="Get logbook",
    description=(
        "Tell what happened in a span of time, and by what or whom: of some entities, "
        "or, within one day, of all. Sensors that measure are not in the logbook; "
        "get_history has them."
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
                "maximum": MOST_ENTRIES,
                "description": f"How many entries; default the last {DEFAULT_ENTRIES}.",
            },
        },
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
)


class LogbookReading:
    """Reads what the logbook makes of the recorder's states and events."""

    def __init__(self, ports: ReadingPorts) -> None:
        """Take the ports."""
        self._ports = ports

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [
            ReadingTool(
                self._ports.hass,
                definition=GET_LOGBOOK,
                work=self.get,
                named="entity_id",
            )
        ]

    async def get(self, invocation: Invocation) -> object:
        """Tell the last entries of a span, in the order of time."""
        caller, arguments = invocation.caller, invocation.arguments
        hass = self._ports.hass
        if "logbook" not in hass.config.components:
            return not_loaded("logbook")
        entity_ids = ids_in(arguments.get("entity_id")) or []
        problems = list(
            missing_entities(self._ports, caller, self._gone(entity_ids), "entity_id")
        )
        if problems and len(problems) == len(entity_ids):
            return combine(problems)
        span = read_span(
            arguments,
            self._ports.now(),
            default="24h",
            longest=LONGEST_OF_ENTITIES if entity_ids else LONGEST_OF_ALL,
            instead="make several calls",
        )
        if isinstance(span, ToolError):
            return span
        processor, continuous = _processor(hass, entity_ids)
        rows = await ask_recorder(
            hass,
            lambda: (
                [] if processor is None else processor.get_events(span.start, span.end)
            ),
        )
        if isinstance(rows, ToolError):
            return rows
        visible = [row for row in rows if self._is_visible(caller, row, entity_ids)]
        limit = arguments.get("limit", DEFAULT_ENTRIES)
        shown = visible[-limit:] if isinstance(limit, int) else visible
        teller = await self._teller(caller, shown)
        value: dict[str, object] = {
            **span.told(),
            "entries": [teller.tell(row) for row in shown],
        }
        if len(shown) < len(visible):
            value["left_out"] = _left_out(len(visible) - len(shown), shown[0])
        told = [say("looked_up", detail=one.detail, hint=one.hint) for one in problems]
        return ToolOutput(
            value=value, warnings=(*told, *map(_continuous_warning, continuous))
        )

    def _gone(self, entity_ids: Iterable[str]) -> list[str]:
        states = self._ports.hass.states
        return [one for one in entity_ids if states.get(one) is None]

    def _is_visible(self, caller: Caller, row: Row, wanted: Sequence[str]) -> bool:
        """Whether an entry is of what was asked for, and may be told."""
        entity_id = row.get("entity_id")
        if wanted:
            return entity_id in wanted
        if isinstance(entity_id, str):
            return self._ports.may_read(caller, entity_id)
        return self._ports.sees_everything(caller)

    async def _teller(self, caller: Caller, rows: Iterable[Row]) -> EntryTeller:
        hass = self._ports.hass
        users: dict[str, str] = {}
        if self._ports.sees_everything(caller):
            for user_id in {row.get("context_user_id") for row in rows}:
                user = None
                if isinstance(user_id, str):
                    user = await hass.auth.async_get_user(user_id)
                if user is not None and user.name:
                    users[user.id] = user.name
        return EntryTeller(
            may_know=lambda one: (
                not entity_exists(hass, one) or self._ports.may_read(caller, one)
            ),
            users=users,
        )


@callback
def _processor(
    hass: HomeAssistant, entity_ids: list[str]
) -> tuple[EventProcessor | None, list[str]]:
    """Return what reads the entries, and the entities that never have any."""
    from homeassistant.components.logbook.helpers import (
        async_determine_event_types,
        async_filter_entities,
    )
    from homeassistant.components.logbook.processor import EventProcessor

    kept = async_filter_entities(hass, entity_ids)
    continuous = [one for one in entity_ids if one not in kept]
    if entity_ids and not kept:
        return None, continuous
    types = async_determine_event_types(hass, kept or None, None)
    return EventProcessor(hass, types, kept or None), continuous


def _continuous_warning(entity_id: str) -> str:
    return f"{entity_id} measures and is not in the logbook; get_history has it."


def _left_out(count: int, first: Row) -> str:
    moment = dt_util.parse_datetime(str(first.get("when")))
    before = "" if moment is None else f"give end: {exact_time(moment)} or "
    return f"{count} earlier ones; {before}a greater limit to get them."
