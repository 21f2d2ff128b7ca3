"""A home with sequences, for the tests of what they bring to Home Assistant."""

from collections.abc import Mapping
from typing import Any

from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er

from .home import async_act

SWITCH = '{"tool":"input_boolean.turn_on","args":{"entity_id":"input_boolean.hall"}} ;'
SWITCH_ONE = (
    '{"tool":"input_boolean.turn_on",'
    '"args":{"entity_id":"input_boolean.${args.room}"}} ;'
)
FAIL = '{"tool":"input_boolean.turn_on","args":{"entity_id":"input_boolean.nowhere"}} ;'

PLAIN: list[dict[str, Any]] = [{"name": "g", "tools": SWITCH}]
FAILING: list[dict[str, Any]] = [{"name": "g", "tools": FAIL}]
ROOMS: list[dict[str, Any]] = [
    {
        "name": "g",
        "in": {
            "room": {
                "type": "string",
                "enum": ["kitchen", "bedroom"],
                "description": "Where",
            }
        },
        "tools": SWITCH_ONE,
    }
]


async def async_make(
    hass: HomeAssistant,
    user: User,
    name: str,
    groups: list[dict[str, Any]],
    **more: object,
) -> ConfigEntry:
    """Create or replace a sequence and return its entry."""
    data = {"name": name, "groups": groups, **more}
    made = await async_act(hass, "seq_create", data, user=user)
    assert made["success"], made
    await hass.async_block_till_done()
    return entry_named(hass, name)


def entry_named(hass: HomeAssistant, name: str) -> ConfigEntry:
    """Return the entry of that title."""
    (entry,) = (
        each
        for each in hass.config_entries.async_entries("homeagent")
        if each.title == name
    )
    return entry


def entity_of(hass: HomeAssistant, entry: ConfigEntry, domain: str, key: str) -> str:
    """Return the entity id of one of a sequence's entities."""
    found = er.async_get(hass).async_get_entity_id(
        domain, "homeagent", f"{entry.entry_id}_{key}"
    )
    assert found is not None
    return found


async def async_press(
    hass: HomeAssistant, entity_id: str, user: User, **more: Any
) -> None:
    """Press a button as a user."""
    await hass.services.async_call(
        "button",
        "press",
        {"entity_id": entity_id},
        blocking=True,
        context=Context(user_id=user.id),
        **more,
    )


def attributes(hass: HomeAssistant, entity_id: str) -> Mapping[str, Any]:
    """Return the attributes of an entity that is there."""
    state = hass.states.get(entity_id)
    assert state is not None
    return state.attributes
