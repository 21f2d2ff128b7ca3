"""The event entity of a sequence: fires when a run ends."""

from typing import override

from homeassistant.components.event import EventEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import CONF_KIND, KIND_KERNEL
from .entity import RunEntity, async_add_when_there
from .host_entities import host_events
from .host_entity import async_add_hosts
from .runtime import Runtime
from .sequence.digest import Digest

PARALLEL_UPDATES = 0

FINISHED = "finished"


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add the event entity of a sequence."""
    if entry.data[CONF_KIND] == KIND_KERNEL:
        async_add_hosts(hass, entry, add, host_events)
        return
    async_add_when_there(hass, entry, add, lambda *args: [RunEvent(*args)])


class RunEvent(RunEntity, EventEntity):
    """Says how each run ended, which tools failed, and why."""

    _unrecorded_attributes = frozenset({"failed_tools", "reasons"})

    def __init__(self, runtime: Runtime, entry: ConfigEntry) -> None:
        """Make the event entity."""
        super().__init__(runtime, entry, "run_finished")
        self._attr_event_types = [FINISHED]

    @override
    def take(self, told: Digest) -> None:
        """Fire for a run that ended."""
        self._trigger_event(FINISHED, told.as_dict())
