"""Conversation entities: one without a model, and one for each agent set up with one.

An entrance to the kernel's door; the entities are in `plain_agent_entity` and
`model_agent_entity`.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .agent.reports import forget
from .agent.settings import SUBENTRY_TYPE, Settings
from .model_agent_entity import ModelEntity
from .plain_agent_entity import PlainEntity
from .runtime import DATA_RUNTIME

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities; agents that are set up later come without a reload."""
    runtime = hass.data[DATA_RUNTIME]
    there: dict[str, Settings] = {}

    @callback
    def add_new() -> None:
        now = {
            one.subentry_id: one for one in entry.get_subentries_of_type(SUBENTRY_TYPE)
        }
        settings = {key: Settings.of(one.data) for key, one in now.items()}
        for key, before in there.items():
            if settings.get(key) != before:
                # Gone, or set up anew: what was told of it is over, and told again if not.
                forget(hass, key)
        for key in now.keys() - there:
            add([ModelEntity(hass, runtime, entry, now[key])], config_subentry_id=key)
        there.clear()
        there.update(settings)

    async def updated(hass: HomeAssistant, entry: ConfigEntry) -> None:
        add_new()

    add([PlainEntity(hass, runtime, entry)])
    add_new()
    entry.async_on_unload(entry.add_update_listener(updated))
