"""Turns finished calls into Home Assistant events.

Arguments and values stay out of events: they can hold secrets (page 1 §1.3).
"""

from collections.abc import Sequence
from typing import override

from homeassistant.core import Context, HomeAssistant

from ..const import EVENT_TOOL_CALL
from ..kernel.journal import CallRecord, Journal
from .history_entries import shorten


class EventJournal(Journal):
    """Fires `homeagent_tool_call` for every call."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the bus."""
        self._bus = hass.bus

    @override
    def batch_ended(self, records: Sequence[CallRecord]) -> None:
        """Fire the event of each call, in the context of its caller."""
        for record in records:
            self._fire(record)

    def _fire(self, record: CallRecord) -> None:
        caller = record.caller
        result = record.result
        self._bus.async_fire(
            EVENT_TOOL_CALL,
            {
                "batch_id": record.batch_id,
                "index": record.index,
                "tool": shorten(record.call.tool),
                "entrance": caller.entrance.value,
                "user_id": caller.user_id,
                "parallel": record.parallel,
                "why": shorten(record.why),
                "success": result.success,
                "reason": None if result.error is None else result.error.reason.value,
                "duration": result.duration,
            },
            context=caller.context if isinstance(caller.context, Context) else None,
        )
