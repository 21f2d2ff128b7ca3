"""Tells Home Assistant of calls that wait for a person's yes (page 1 §1.6).

Beside `event_journal`. The request's id stands in the event, for a notification's
buttons: it releases nothing by itself. What the yes is for is told by the sequence, the
tools, the entities and the devices; all other arguments stay out: they can hold secrets.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import override

from homeassistant.core import Context, HomeAssistant

from ..access.ports import CallScope, CallView
from ..const import EVENT_REQUEST, EVENT_REQUEST_ENDED
from ..kernel.contract import Caller, ToolRegistry
from ..kernel.json_text import decode_json
from ..kernel.requests import REQUEST_SECONDS, Request, RequestEnd, RequestJournal
from .history_entries import shorten
from .request_buttons import buttons
from .rule_names import sequence_names

MOST_TOLD = 50
"""Entities, and devices, that an event names; `entity_count` tells how many there are."""


class RequestEvents(RequestJournal):
    """Fires `homeagent_request` and `homeagent_request_ended`."""

    def __init__(
        self, hass: HomeAssistant, *, tools: ToolRegistry, calls: CallView
    ) -> None:
        """Take the bus, and what tells which things a call acts on."""
        self._hass = hass
        self._bus = hass.bus
        self._tools = tools
        self._calls = calls

    @override
    def request_made(self, request: Request) -> None:
        """Tell that a person should be asked, and what for."""
        told = self._told(request) | buttons(request.id) | {"seconds": REQUEST_SECONDS}
        scopes = list(self._scopes(request))
        entities = sorted(_all(one.direct | one.indirect for one in scopes))
        told["entities"] = entities[:MOST_TOLD]
        told["entity_count"] = len(entities)
        told["devices"] = sorted(_all(one.devices for one in scopes))[:MOST_TOLD]
        told["open"] = sorted(
            {shorten(one.tool) for one in request.agreed if one.arguments is None}
        )
        self._bus.async_fire(EVENT_REQUEST, told, context=_context(request.caller))

    def _scopes(self, request: Request) -> Iterator[CallScope]:
        """Yield what the call acts on, and each call inside of it that is agreed to."""
        yield from self._scope(request.call.tool, request.call.arguments)
        for one in request.agreed:
            if one.arguments is not None:
                yield from self._scope(one.tool, decode_json(one.arguments))

    def _scope(self, name: str, arguments: object) -> Iterator[CallScope]:
        tool = self._tools.find(name)
        if tool is not None and isinstance(arguments, Mapping):
            yield self._calls.scope(tool, arguments)

    def _sequence(self, request: Request) -> str | None:
        """Return the name of the sequence that is run, written or deleted."""
        call = request.call
        names = sequence_names(self._hass)
        for scope in self._scope(call.tool, call.arguments):
            for key in scope.sequences:
                return names.get(key, key)
        if call.tool.startswith("seq_") and isinstance(call.arguments, Mapping):
            name = call.arguments.get("name")
            return None if name is None else shorten(name)
        return None

    @override
    def request_ended(
        self, request: Request, end: RequestEnd, by: Caller | None
    ) -> None:
        """Tell that nobody need be asked any more, and who answered."""
        answered_by = None if by is None else by.user_id
        told = self._told(request) | {"end": end.value, "answered_by": answered_by}
        self._bus.async_fire(
            EVENT_REQUEST_ENDED, told, context=_context(request.caller)
        )

    def _told(self, request: Request) -> dict[str, object]:
        caller = request.caller
        return {
            "request_id": request.id,
            "tool": shorten(request.call.tool),
            "sequence": self._sequence(request),
            "asks_for": sorted({shorten(one.tool) for one in request.agreed}),
            "entrance": caller.entrance.value,
            "user_id": caller.user_id,
            "device_id": caller.device_id,
        }


def _all(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*sets)


def _context(caller: Caller) -> Context | None:
    return caller.context if isinstance(caller.context, Context) else None
