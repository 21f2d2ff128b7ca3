"""What all entities of a sequence have in common: its device, and its news.

Below the platforms, above the runtime. An entity is there as long as its sequence is, and
follows it when it is edited: the entry is never reloaded for that.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import override

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util.signal_type import SignalType

from .const import DOMAIN
from .runtime import DATA_RUNTIME, Runtime
from .sequence.digest import Digest, cut_off, digest
from .sequence.model import Sequence
from .sequence.runs import Run
from .tools.sequence_news import RUN_CUT_OFF, RUN_ENDED, SEQUENCE_CHANGED

type Make = Callable[[Runtime, ConfigEntry], Iterable[SequenceEntity]]


class SequenceEntity(Entity):
    """An entity of one sequence."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, runtime: Runtime, entry: ConfigEntry, key: str) -> None:
        """Make the entity that is named `key` in translations."""
        self._runtime = runtime
        self._key = entry.entry_id
        self._attr_unique_id = f"{entry.entry_id}_{key}"
        self._attr_translation_key = key
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, entry.entry_id)},
            name=entry.title,
            manufacturer="HomeAgent",
            entry_type=DeviceEntryType.SERVICE,
        )

    @property
    def sequence(self) -> Sequence | None:
        """The sequence as it is now."""
        return self._runtime.library.get(self._key)

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the sequence."""
        await super().async_added_to_hass()
        self._listen(SEQUENCE_CHANGED, self._async_changed)

    def _listen[T](self, signal: SignalType[T], told: Callable[[T], None]) -> None:
        self.async_on_remove(async_dispatcher_connect(self.hass, signal, told))

    @callback
    def _async_changed(self, key: str) -> None:
        sequence = self.sequence
        if key != self._key or sequence is None:
            return
        device = self.device_entry
        if device is not None and device.name != sequence.name:
            registry = dr.async_get(self.hass)
            registry.async_update_device(device.id, name=sequence.name)
        self.async_write_ha_state()


class RunEntity(SequenceEntity, ABC):
    """An entity that tells of a sequence's runs."""

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the runs, too."""
        await super().async_added_to_hass()
        self._listen(RUN_ENDED.format(self._key), self._async_ran)
        self._listen(RUN_CUT_OFF.format(self._key), self._async_cut_off)

    @callback
    def _async_ran(self, run: Run) -> None:
        if run.report is None:
            return
        if isinstance(run.caller.context, Context):
            self.async_set_context(run.caller.context)
        self.take(digest(run.report))
        self.async_write_ha_state()

    @callback
    def _async_cut_off(self, run_id: str) -> None:
        self.take(cut_off(run_id))
        self.async_write_ha_state()

    @abstractmethod
    def take(self, told: Digest) -> None:
        """Take over what came of a run."""


@callback
def async_add_when_there(
    hass: HomeAssistant,
    entry: ConfigEntry,
    add: AddConfigEntryEntitiesCallback,
    make: Make,
) -> None:
    """Add a sequence's entities as soon as there is one: a draft has none."""
    runtime = hass.data[DATA_RUNTIME]
    if runtime.library.get(entry.entry_id) is not None:
        add(make(runtime, entry))
        return

    @callback
    def changed(key: str) -> None:
        if key == entry.entry_id and runtime.library.get(key) is not None:
            stop()
            add(make(runtime, entry))

    @callback
    def stop() -> None:
        while listening:
            listening.pop()()

    listening = [async_dispatcher_connect(hass, SEQUENCE_CHANGED, changed)]
    entry.async_on_unload(stop)
