"""Conversation entities: one without a model, and one for each agent set up with one.

An entrance to the kernel's door; the entities are in `agent_entity`.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .agent.reports import forget
from .agent.settings import SUBENTRY_TYPE
from .agent_entity import ModelEntity, PlainEntity
from .runtime import DATA_RUNTIME

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities; agents that are set up later come without a reload."""
    runtime = hass.data[DATA_RUNTIME]
    there: set[str] = set()

    @callback
    def add_new() -> None:
        now = {
            one.subentry_id: one for one in entry.get_subentries_of_type(SUBENTRY_TYPE)
        }
        for gone in there - now.keys():
            forget(hass, gone)
        for subentry_id in now.keys() - there:
            entity = ModelEntity(hass, runtime, entry, now[subentry_id])
            add([entity], config_subentry_id=subentry_id)
        there.clear()
        there.update(now)

    async def updated(hass: HomeAssistant, entry: ConfigEntry) -> None:
        add_new()

    add([PlainEntity(hass, runtime, entry)])
    add_new()
    entry.async_on_unload(entry.add_update_listener(updated))
