"""Looks at stored sequences again when the tools they name come, go or change.

A tool may be away for a moment (§8.2), so a look waits a minute, and only what is still
broken ten minutes later becomes a repair issue. Never looks before Home Assistant has
started.
"""

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Final

from homeassistant.const import (
    ATTR_DOMAIN,
    ATTR_SERVICE,
    EVENT_SERVICE_REGISTERED,
    EVENT_SERVICE_REMOVED,
)
from homeassistant.core import CALLBACK_TYPE, Event, HassJob, HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started

from ..const import DOMAIN
from ..editing.issue_text import issue_lines
from ..sequence.library import Library
from ..sequence.model import CALL_TOOLS, Sequence
from .mending import issue_data
from .people_words import home_wording
from .sequence_author import SequenceAuthor

DEBOUNCE: Final = 60.0
"""Seconds between a change and the look."""

PATIENCE: Final = 600.0
"""Seconds that a sequence may be broken before somebody is told."""

BROKEN: Final = "broken_sequence"


class SequenceWatch:
    """Keeps the repair issues of broken sequences right."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        author: SequenceAuthor,
        library: Library,
        prepare: Callable[[], Coroutine[object, object, None]],
    ) -> None:
        """Take what checks sequences; `prepare` reads the descriptions of actions."""
        self._hass = hass
        self._author = author
        self._library = library
        self._prepare = prepare
        self._changed: set[str] = set()
        self._look: CALLBACK_TYPE | None = None
        self._broken: dict[str, CALLBACK_TYPE | None] = {}

    @callback
    def async_start(self) -> None:
        """Follow Home Assistant's actions; look at everything once it has started."""
        bus = self._hass.bus
        bus.async_listen(EVENT_SERVICE_REGISTERED, self._async_action_changed)
        bus.async_listen(EVENT_SERVICE_REMOVED, self._async_action_changed)
        async_at_started(self._hass, self._async_started)

    @callback
    def _async_started(self, hass: HomeAssistant) -> None:
        for sequence in self._library:
            self._changed.update(_named(sequence))
        self._look_soon()

    @callback
    def _async_action_changed(self, event: Event) -> None:
        name = f"{event.data[ATTR_DOMAIN]}.{event.data[ATTR_SERVICE]}"
        if any(name in _named(sequence) for sequence in self._library):
            self._changed.add(name)
            self._look_soon()

    @callback
    def sequences_changed(self, key: str) -> None:
        """Look again: a sequence was stored, renamed or taken out."""
        if self._library.get(key) is None:
            self._forget(key)
        self._changed.update(CALL_TOOLS)
        self._look_soon()

    def _look_soon(self) -> None:
        if self._look is None and self._changed and self._hass.is_running:
            self._look = self._later(DEBOUNCE, self._async_look)

    def _later(
        self,
        seconds: float,
        act: Callable[[datetime], Coroutine[object, object, None]],
    ) -> CALLBACK_TYPE:
        job = HassJob(act, cancel_on_shutdown=True)
        return async_call_later(self._hass, seconds, job)

    async def _async_look(self, now: datetime) -> None:
        self._look = None
        changed, self._changed = self._changed, set()
        await self._prepare()
        for key, sequence in self._library.items():
            if key in self._broken or not changed.isdisjoint(_named(sequence)):
                self._judge(key, sequence)

    def _judge(self, key: str, sequence: Sequence) -> None:
        if not self._author.broken(sequence):
            self._forget(key)
        elif key not in self._broken:

            async def tell(now: datetime) -> None:
                self._broken[key] = None
                await self._prepare()
                self._tell(key)

            self._broken[key] = self._later(PATIENCE, tell)
        elif self._broken[key] is None:
            self._tell(key)

    def _tell(self, key: str) -> None:
        """Tell of a sequence that is still broken."""
        sequence = self._library.get(key)
        problems = () if sequence is None else self._author.broken(sequence)
        if sequence is None or not problems:
            self._forget(key)
            return
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            f"{BROKEN}_{key}",
            data=issue_data(key),
            is_fixable=True,
            severity=ir.IssueSeverity.WARNING,
            translation_key=BROKEN,
            translation_placeholders={
                "name": sequence.name,
                "problems": issue_lines(problems, sequence, home_wording(self._hass)),
            },
        )

    def _forget(self, key: str) -> None:
        cancel = self._broken.pop(key, None)
        if cancel is not None:
            cancel()
        ir.async_delete_issue(self._hass, DOMAIN, f"{BROKEN}_{key}")


def _named(sequence: Sequence) -> set[str]:
    """Return the tools that a sequence names."""
    return {entry.tool for group in sequence.groups for entry in group.tools}
