"""An entity with what the registries say of it, and the places that it is in.

Below the search for entities; reads the registries and changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)

from .entity_lookup import area_of
from .word_ranking import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEntity:
    """An entity with what the registries say of it."""

    state: State
    area: ar.AreaEntry | None
    entry: er.RegistryEntry | None
    device: dr.DeviceEntry | dr.ChildDeviceEntry | None
    aliases: tuple[str, ...]

    @classmethod
    def of(cls, hass: HomeAssistant, state: State) -> FoundEntity:
        """Look a state up in the registries."""
        entry = er.async_get(hass).async_get(state.entity_id)
        device = None
        if entry is not None and entry.device_id is not None:
            device = dr.async_get(hass).async_get(entry.device_id)
        aliases = er.async_get_entity_aliases(hass, entry) if entry is not None else ()
        return cls(
            state=state,
            area=area_of(hass, state.entity_id),
            entry=entry,
            device=device,
            aliases=tuple(one for one in aliases if one != state.name),
        )

    @property
    def labels(self) -> set[str]:
        """Ids of the labels that it, its device or its area has."""
        holders = (self.entry, self.device, self.area)
        return {label for one in holders if one is not None for label in one.labels}

    def document(self) -> Document:
        """Return what it can be found by."""
        device = self.device
        area = self.area
        texts = [
            (3.0, self.state.name),
            *((3.0, alias) for alias in self.aliases),
            (2.0, self.state.entity_id),
            (1.0, str(self.state.attributes.get("device_class", ""))),
        ]
        if area is not None:
            texts += [(2.0, name) for name in (area.name, *area.aliases)]
        if device is not None:
            texts.append((1.5, device.name_by_user or device.name or ""))
        return Document(key=self.state.entity_id, texts=texts)

    def told(self) -> dict[str, object]:
        """Return what the answer says of it."""
        told: dict[str, object] = {
            "entity_id": self.state.entity_id,
            "name": self.state.name,
            "state": self.state.state,
        }
        if unit := self.state.attributes.get("unit_of_measurement"):
            told["unit"] = unit
        if self.area is not None:
            told["area"] = self.area.name
        if self.aliases:
            told["aliases"] = list(self.aliases)
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A kind of place: the ids of an entity's, and the names of all."""

    of_entity: Callable[[HomeAssistant, FoundEntity], Iterable[str]]
    names: Callable[[HomeAssistant], dict[str, str]]


def _areas_of(hass: HomeAssistant, entity: FoundEntity) -> Iterable[str]:
    return () if entity.area is None else (entity.area.id,)


def _floors_of(hass: HomeAssistant, entity: FoundEntity) -> Iterable[str]:
    floor = None if entity.area is None else entity.area.floor_id
    return () if floor is None else (floor,)


def _labels_of(hass: HomeAssistant, entity: FoundEntity) -> Iterable[str]:
    return entity.labels


PLACES: Final[Mapping[str, Place]] = {
    "area": Place(
        of_entity=_areas_of,
        names=lambda hass: {
            area.id: area.name for area in ar.async_get(hass).async_list_areas()
        },
    ),
    "floor": Place(
        of_entity=_floors_of,
        names=lambda hass: {
            floor.floor_id: floor.name
            for floor in fr.async_get(hass).async_list_floors()
        },
    ),
    "label": Place(
        of_entity=_labels_of,
        names=lambda hass: {
            label.label_id: label.name
            for label in lr.async_get(hass).async_list_labels()
        },
    ),
}
