"""Waits until the entities of a call have written their states, and tells what changed.

For those who are told in words: conversations and MCP. At most half a second, less when
every entity wrote with the call's context, not at all for those that already show what
was asked (page 1 §1.8).
"""

import asyncio
from collections.abc import Iterable, Mapping

from homeassistant.core import (
    Context,
    Event,
    EventStateChangedData,
    EventStateReportedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers.event import (
    async_track_state_change_event,
    async_track_state_report_event,
)

from .wanted import shows

type States = Mapping[str, State | None]

REPORT_WAIT = 0.5
"""Seconds that a report waits for states."""


class Report:
    """Which of a call's entities changed; made before the call, asked after it."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        action: str,
        arguments: Mapping[str, object],
        acted_on: Iterable[str],
        affected: Iterable[str],
        context: Context,
        wait: float = REPORT_WAIT,
    ) -> None:
        """Remember the states as they are."""
        self._hass = hass
        self._action = action
        self._arguments = arguments
        self._acted_on = frozenset(acted_on)
        self._context = context
        self._wait = wait
        self._before: States = {one: hass.states.get(one) for one in affected}
        self._reported = {
            one: state.last_reported
            for one, state in self._before.items()
            if state is not None
        }

    async def settle(self) -> None:
        """Wait until every entity wrote its state, at most `wait` seconds."""
        pending = {one for one in self._acted_on if not self._is_settled(one)}
        if not pending:
            return
        done = self._hass.loop.create_future()

        @callback
        def wrote(
            event: Event[EventStateChangedData] | Event[EventStateReportedData],
        ) -> None:
            if event.context.id != self._context.id:
                return
            pending.discard(event.data["entity_id"])
            if not pending and not done.done():
                done.set_result(None)

        stop_changes = async_track_state_change_event(self._hass, pending, wrote)
        stop_reports = async_track_state_report_event(self._hass, pending, wrote)
        try:
            async with asyncio.timeout(self._wait):
                await done
        except TimeoutError:
            pass
        finally:
            stop_changes()
            stop_reports()

    def _is_settled(self, entity_id: str) -> bool:
        """Whether the entity wrote already, or shows what was asked anyway."""
        state = self._hass.states.get(entity_id)
        if state is None:
            return True
        if state.context.id == self._context.id:
            return True
        if state.last_reported != self._reported.get(entity_id):
            return True
        return bool(shows(state, self._action, self._arguments))

    def changed(self) -> dict[str, object]:
        """Return what to tell: `{"changed": {id: state}, "unchanged": [id]}`.

        Empty if nothing changed.
        """
        changed: dict[str, object] = {}
        for one, before in sorted(self._before.items()):
            now = self._hass.states.get(one)
            if now is not None and not _same(before, now):
                changed[one] = now.state
        if not changed:
            return {}
        unchanged = sorted(self._acted_on - changed.keys())
        return {"changed": changed} | ({"unchanged": unchanged} if unchanged else {})


def _same(before: State | None, now: State) -> bool:
    return (
        before is not None
        and before.state == now.state
        and before.attributes == now.attributes
    )
