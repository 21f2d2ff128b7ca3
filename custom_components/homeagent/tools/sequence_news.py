"""Tells whoever wants to know that a sequence changed, or that one of its runs ended.

Between the engine and what a sequence brings to Home Assistant: entities, actions and
sentences listen here and know nothing of each other. Listeners that raise are logged by
Home Assistant and stop nobody.
"""

from collections.abc import Iterable
from typing import Protocol

from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_send
from homeassistant.util.signal_type import SignalType, SignalTypeFormat

from ..const import DOMAIN, EVENT_RUN_STARTED
from ..sequence.library import Library
from ..sequence.runs import Run
from .history import CutOff
from .history_entries import who
from .sequence_presence import SequencePresence

SEQUENCE_CHANGED: SignalType[str] = SignalType(f"{DOMAIN}_sequence_changed")
"""With the key of a sequence that was stored, renamed, or taken out."""

RUN_ENDED: SignalTypeFormat[Run] = SignalTypeFormat(f"{DOMAIN}_run_ended_{{}}")
"""By the key of the sequence: one of its runs, which has a report now."""

RUN_CUT_OFF: SignalTypeFormat[str] = SignalTypeFormat(f"{DOMAIN}_run_cut_off_{{}}")
"""By the key of the sequence, with the id of a run that Home Assistant's end cut off."""


class RunBook(Protocol):
    """What keeps the runs, and is told first."""

    def run_begun(self, run: Run) -> None:
        """Take up a run."""
        ...

    def run_finished(self, run: Run) -> None:
        """Finish a run."""
        ...


class SequenceNews:
    """Passes on what happens to sequences and their runs."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        library: Library,
        presence: SequencePresence,
        book: RunBook,
    ) -> None:
        """Take the library, which knows sequences by key, and the history."""
        self._hass = hass
        self._presence = presence
        self._library = library
        self._book = book
        self._keys: dict[str, str] = {}

    @callback
    def sequence_changed(self, key: str) -> None:
        """Tell of a sequence that is another one now, or is gone."""
        async_dispatcher_send(self._hass, SEQUENCE_CHANGED, key)

    @callback
    def run_begun(self, run: Run) -> None:
        """Note whose run it is: the sequence may have another name at its end."""
        self._book.run_begun(run)
        key = self._library.key_of(run.sequence)
        if key is not None:
            self._keys[run.id] = key
        self._fire(run, key)

    def _fire(self, run: Run, key: str | None) -> None:
        """Fire the event of a run that begins; arguments stay out of it."""
        context = run.caller.context
        self._hass.bus.async_fire(
            EVENT_RUN_STARTED,
            {
                "run_id": run.id,
                "sequence": run.sequence,
                "entity_id": None if key is None else self._presence.button(key),
                **who(run.caller),
            },
            context=context if isinstance(context, Context) else None,
        )

    @callback
    def run_finished(self, run: Run) -> None:
        """Tell of a run that ended, also of one that did not begin."""
        self._book.run_finished(run)
        key = self._keys.pop(run.id, None) or self._library.key_of(run.sequence)
        if key is not None:
            async_dispatcher_send(self._hass, RUN_ENDED.format(key), run)

    @callback
    def runs_cut_off(self, runs: Iterable[CutOff]) -> None:
        """Tell, after a start, of runs whose end nobody has seen."""
        for run in runs:
            key = self._library.key_of(run.sequence)
            if key is not None:
                async_dispatcher_send(self._hass, RUN_CUT_OFF.format(key), run.run_id)
