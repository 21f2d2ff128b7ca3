"""Names of tools and things as people know them, for questions and short reports.

Above Home Assistant's registries; implements the ports of `describing`.
"""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    floor_registry as fr,
    label_registry as lr,
)

from ..kernel.contract import ToolRegistry
from .describing import Names


def names_in(hass: HomeAssistant, registry: ToolRegistry) -> Names:
    """Return the names as they are whenever they are asked for."""

    def tool(name: str) -> str:
        found = registry.find(name)
        return name if found is None else found.definition.title or name

    def thing(kind: str, key: str) -> str:
        return _name(hass, kind, key) or key

    return Names(tool=tool, thing=thing)


def _name(hass: HomeAssistant, kind: str, key: str) -> str | None:
    match kind:
        case "entity_id":
            state = hass.states.get(key) if "." in key else None
            return None if state is None else state.name
        case "device_id":
            device = dr.async_get(hass).async_get(key)
            return None if device is None else device.name_by_user or device.name
        case "area_id":
            area = ar.async_get(hass).async_get_area(key)
            return None if area is None else area.name
        case "floor_id":
            floor = fr.async_get(hass).async_get_floor(key)
            return None if floor is None else floor.name
        case "label_id":
            label = lr.async_get(hass).async_get_label(key)
            return None if label is None else label.name
        case _:
            return None
