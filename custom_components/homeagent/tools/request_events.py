"""Tells Home Assistant of calls that wait for a person's yes (page 1 §1.6).

Beside `event_journal`. The request's id stands in the event, for a notification's
buttons: it releases nothing by itself. The entities are told, so that a person knows what
the yes is for; all other arguments stay out: they can hold secrets.
"""

from collections.abc import Mapping
from typing import override

from homeassistant.core import Context, HomeAssistant

from ..access.ports import CallView
from ..const import EVENT_REQUEST, EVENT_REQUEST_ENDED
from ..kernel.contract import Caller, ToolRegistry
from ..kernel.requests import REQUEST_SECONDS, Request, RequestEnd, RequestJournal
from .history_entries import shorten
from .request_buttons import buttons

MOST_ENTITIES = 50
"""Entities that an event names; `entity_count` tells how many there are."""


class RequestEvents(RequestJournal):
    """Fires `homeagent_request` and `homeagent_request_ended`."""

    def __init__(
        self, hass: HomeAssistant, *, tools: ToolRegistry, calls: CallView
    ) -> None:
        """Take the bus, and what tells which entities a call acts on."""
        self._bus = hass.bus
        self._tools = tools
        self._calls = calls

    @override
    def request_made(self, request: Request) -> None:
        """Tell that a person should be asked."""
        told = _told(request) | buttons(request.id) | {"seconds": REQUEST_SECONDS}
        entities = self._entities(request)
        told["entities"] = entities[:MOST_ENTITIES]
        told["entity_count"] = len(entities)
        self._bus.async_fire(EVENT_REQUEST, told, context=_context(request.caller))

    def _entities(self, request: Request) -> list[str]:
        """Return the entities that the call acts on."""
        tool, arguments = self._tools.find(request.call.tool), request.call.arguments
        if tool is None or not isinstance(arguments, Mapping):
            return []
        scope = self._calls.scope(tool, arguments)
        return sorted(scope.direct | scope.indirect)

    @override
    def request_ended(
        self, request: Request, end: RequestEnd, by: Caller | None
    ) -> None:
        """Tell that nobody need be asked any more, and who answered."""
        answered_by = None if by is None else by.user_id
        told = _told(request) | {"end": end.value, "answered_by": answered_by}
        self._bus.async_fire(
            EVENT_REQUEST_ENDED, told, context=_context(request.caller)
        )


def _told(request: Request) -> dict[str, object]:
    caller = request.caller
    return {
        "request_id": request.id,
        "tool": shorten(request.call.tool),
        "asks_for": sorted({shorten(one.tool) for one in request.agreed}),
        "entrance": caller.entrance.value,
        "user_id": caller.user_id,
        "device_id": caller.device_id,
    }


def _context(caller: Caller) -> Context | None:
    return caller.context if isinstance(caller.context, Context) else None
