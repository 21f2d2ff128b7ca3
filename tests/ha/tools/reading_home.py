"""A home to read: rooms, lamps, sensors, and two things that a guest must not know."""

from collections.abc import Iterable, Mapping

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import Caller, Entrance, Tool
from custom_components.homeagent.tools.reading_ports import ReadingPorts

ADMIN = Caller(entrance=Entrance.DIRECT, user_id="admin")
GUEST = Caller(entrance=Entrance.CONVERSATION)

HIDDEN = frozenset({"lock.safe", "light.attic"})
"""What the guest may not read."""


class Tools(dict[str, Tool]):
    """Tools by name; a registry for the door."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Take the tools."""
        super().__init__({tool.definition.name: tool for tool in tools})

    def find(self, name: str) -> Tool | None:
        """Return the tool of that name."""
        return self.get(name)

    def names(self) -> Iterable[str]:
        """Return all names."""
        return list(self)


def ports(hass: HomeAssistant) -> ReadingPorts:
    """Return ports by which a guest may read all but what is hidden."""
    return ReadingPorts(
        hass=hass,
        may_read=lambda caller, entity_id: caller is ADMIN or entity_id not in HIDDEN,
        sees_everything=lambda caller: caller is ADMIN,
    )


def furnish(hass: HomeAssistant) -> None:
    """Put the things into the rooms."""
    floor = fr.async_get(hass).async_create("Upstairs")
    areas = ar.async_get(hass)
    kitchen = areas.async_create("Kitchen", aliases={"Cooking"})
    attic = areas.async_create("Attic", floor_id=floor.floor_id)
    living = areas.async_create("客厅")
    label = lr.async_get(hass).async_create("Night")
    place(hass, "light.ceiling", "Ceiling light", "on", kitchen.id, {"brightness": 128})
    place(
        hass,
        "sensor.fridge",
        "Fridge",
        "4.5",
        kitchen.id,
        {"unit_of_measurement": "°C"},
    )
    place(hass, "light.attic", "Attic lamp", "off", attic.id)
    place(hass, "light.ke_ting", "顶灯", "off", living.id)
    place(hass, "climate.ke_ting", "空调", "cool", living.id)
    place(hass, "lock.safe", "Safe", "locked", None)
    place(
        hass,
        "light.pair",
        "Pair",
        "on",
        None,
        {"entity_id": ["light.ceiling", "light.attic"]},
    )
    registry = er.async_get(hass)
    registry.async_update_entity(
        "light.ceiling", aliases=["Big lamp"], labels={label.label_id}
    )
    _device_with_plug(hass, kitchen.id)


def place(
    hass: HomeAssistant,
    entity_id: str,
    name: str,
    state: str,
    area_id: str | None,
    attributes: Mapping[str, object] | None = None,
) -> None:
    """Register an entity, put it into an area, and give it a state."""
    domain, _, object_id = entity_id.partition(".")
    registry = er.async_get(hass)
    registry.async_get_or_create(
        domain, "test", object_id, suggested_object_id=object_id, original_name=name
    )
    registry.async_update_entity(entity_id, area_id=area_id)
    hass.states.async_set(
        entity_id, state, {"friendly_name": name, **(attributes or {})}
    )


def _device_with_plug(hass: HomeAssistant, area_id: str) -> None:
    """Add a plug that has no area but its device's."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    devices = dr.async_get(hass)
    device = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "1")}, name="Heater"
    )
    devices.async_update_device(device.id, area_id=area_id)
    er.async_get(hass).async_get_or_create(
        "switch",
        "test",
        "plug",
        suggested_object_id="plug",
        original_name="Plug",
        config_entry=entry,
        device_id=device.id,
    )
    hass.states.async_set("switch.plug", "off", {"friendly_name": "Plug"})
