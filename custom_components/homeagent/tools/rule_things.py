"""What access rules name, kept so that no right passes to something else (page 3 §3.2).

Between Home Assistant's registries and `access.model`; never imports an entrance. A
registered entity stands in a stored rule by its registry id, which follows it through
every rename and is never given again; only one without registry entry stands by its
entity id. Ids of areas and floors are given again: those that are gone are taken out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
)

from ..access.model import AccessRule


def lasting(hass: HomeAssistant, rule: AccessRule) -> AccessRule:
    """Return a rule as it is stored: with registry ids, and only places that are there.

    One whose last place is gone says nothing of where, so it cannot be read any more.
    """
    areas, floors = ar.async_get(hass), fr.async_get(hass)
    return replace(
        rule,
        entities=frozenset(_registry_id(hass, one) for one in rule.entities),
        areas=frozenset(one for one in rule.areas if areas.async_get_area(one)),
        floors=frozenset(one for one in rule.floors if floors.async_get_floor(one)),
    )


def effective(hass: HomeAssistant, rule: AccessRule) -> AccessRule | None:
    """Return a stored rule as it counts now, with entity ids; None if it grants nothing.

    An entity that is gone grants nothing; it counts again when Home Assistant brings it
    back.
    """
    if not rule.entities:
        return rule
    there = {entity_id_of(hass, one) for one in rule.entities}
    now = replace(rule, entities=frozenset(one for one in there if one is not None))
    names_some = now.what or now.tools or now.entities or now.sequences
    return now if names_some else None


def entity_id_of(hass: HomeAssistant, stored: str) -> str | None:
    """Return the entity id of what a rule names; None for a registry id that is gone."""
    return er.async_resolve_entity_id(er.async_get(hass), stored)


def readable(hass: HomeAssistant, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a rule, whatever it is, with entity ids where there are any."""
    stored = data.get("entities")
    if not isinstance(stored, list | tuple):
        return dict(data)
    return {**data, "entities": list(_shown(hass, stored))}


def _shown(
    hass: HomeAssistant, stored: list[Any] | tuple[Any, ...]
) -> Iterator[object]:
    for one in stored:
        found = entity_id_of(hass, one) if isinstance(one, str) else None
        yield one if found is None else found


def _registry_id(hass: HomeAssistant, entity: str) -> str:
    entry = er.async_get(hass).async_get(entity)
    return entity if entry is None else entry.id
