"""The names of what rules have by id: users, devices, areas, entities, sequences.

Between Home Assistant's registries and the sentences about rules; never imports an
entrance. What is gone keeps its id for a name, so that nobody takes it for granted.
"""

from collections.abc import Mapping

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    floor_registry as fr,
)

from ..const import CONF_KIND, DOMAIN, KIND_SEQUENCE
from .rule_things import entity_id_of


class RuleNames:
    """Names things for one form or one answer; call it with a rule's field and an id."""

    def __init__(self, hass: HomeAssistant, users: Mapping[str, str]) -> None:
        """Take the users' names, which cannot be read without waiting."""
        self.hass = hass
        self.users = users

    def __call__(self, field: str, identifier: str) -> str:
        """Return the name of one id; tools are called what they are."""
        hass = self.hass
        name: str | None = None
        match field:
            case "users":
                return self.users.get(identifier, identifier)
            case "devices":
                device = dr.async_get(hass).async_get(identifier)
                name = (device.name_by_user or device.name) if device else None
            case "areas":
                area = ar.async_get(hass).async_get_area(identifier)
                name = area.name if area else None
            case "floors":
                floor = fr.async_get(hass).async_get_floor(identifier)
                name = floor.name if floor else None
            case "entities":
                entity_id = entity_id_of(hass, identifier) or identifier
                state = hass.states.get(entity_id)
                name = f"{state.name} ({entity_id})" if state else entity_id
            case "sequences":
                name = sequence_names(hass).get(identifier)
            case _:
                pass
        return name or identifier


def sequence_names(hass: HomeAssistant) -> dict[str, str]:
    """Return the names of all sequences by the ids that the library knows them by."""
    return {
        entry.entry_id: entry.title
        for entry in hass.config_entries.async_entries(DOMAIN)
        if entry.data.get(CONF_KIND) == KIND_SEQUENCE
    }


async def async_user_names(hass: HomeAssistant) -> dict[str, str]:
    """Return the names of all people with an active login, by their ids."""
    return {
        user.id: user.name or user.id
        for user in await hass.auth.async_get_users()
        if user.is_active and not user.system_generated
    }


async def async_rule_names(hass: HomeAssistant) -> RuleNames:
    """Return the names as they are now."""
    return RuleNames(hass, await async_user_names(hass))
