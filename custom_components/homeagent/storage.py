"""Keeps the history in Home Assistant's storage folder.

Written with a delay and when Home Assistant ends; private, as it holds arguments.
"""

import asyncio
from datetime import timedelta
import logging

from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import CALLBACK_TYPE, Event, HassJob, HomeAssistant, callback
from homeassistant.helpers.storage import Store

from .const import DOMAIN
from .sequence.runs import RunTable
from .stored_files import UnreadableFileError, async_read_file, async_remove_file
from .tools.history import History
from .tools.history_entries import Entry

_LOGGER = logging.getLogger(__name__)

VERSION = 1
KEY = f"{DOMAIN}.history"
DELAY = timedelta(seconds=30)

CANCEL_LIMIT = 5.0
"""Seconds that Home Assistant's end waits for runs to be cancelled in order."""

type Stored = dict[str, list[Entry]]


class HistoryStore:
    """Reads and writes the history's file."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Name the file; nothing is read yet."""
        self._hass = hass
        self._store: Store[Stored] = Store(
            hass, VERSION, KEY, private=True, atomic_writes=True
        )
        self._history: History | None = None
        self._waits = False

    async def async_start(self, history: History, runs: RunTable) -> CALLBACK_TYPE:
        """Read what was stored; at Home Assistant's end cancel runs, so that it says so.

        Once before it stops, as entities are to know of it when their states are written
        then, and once more for what was begun in between.
        """
        await self._async_read(history)

        async def cancel() -> None:
            going = [run for run in runs if run.cancel()]
            if going:
                waits = [asyncio.ensure_future(run.wait()) for run in going]
                _, late = await asyncio.wait(waits, timeout=CANCEL_LIMIT)
                for wait in late:
                    wait.cancel()

        async def stop(event: Event) -> None:
            await cancel()
            self.changed()

        self._hass.async_add_shutdown_job(HassJob(cancel, "homeagent runs"))
        return self._hass.bus.async_listen_once(EVENT_HOMEASSISTANT_STOP, stop)

    async def _async_read(self, history: History) -> None:
        """Read the file; one that cannot be read is left as it is, and not written."""
        try:
            stored = await async_read_file(self._store)
        except UnreadableFileError as err:
            _LOGGER.error("The history is not read, and none is kept: %s", err)
            return
        if unread := history.restore(stored):
            _LOGGER.warning("%s entries of the history cannot be read", unread)
        self._history = history

    async def async_write(self) -> None:
        """Write at once, if anything is to be written: a backup is about to begin."""
        if self._history is not None and self._waits:
            await self._store.async_save(self._export())

    @callback
    def changed(self) -> None:
        """Write soon."""
        # Without an entry the integration is being removed: nothing is left behind.
        entries = self._hass.config_entries.async_entries(DOMAIN)
        if self._history is not None and entries and not self._waits:
            self._waits = True  # Later changes must not put the writing off.
            self._store.async_delay_save(self._export, DELAY.total_seconds())

    def _export(self) -> Stored:
        self._waits = False
        return {} if self._history is None else self._history.export()

    async def async_remove(self) -> None:
        """Delete the file, and what was found damaged: the integration is removed."""
        self._waits = False
        await async_remove_file(self._hass, self._store)
