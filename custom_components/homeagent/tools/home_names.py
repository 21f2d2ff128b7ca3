"""Finds entities, areas, floors and labels by an exact name or alias.

People and models say "Ceiling light" where an id is due; it is taken only if exactly one
thing has that name (page 1 §1.8). Upper and lower case do not count.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)

type Named = tuple[str, Iterable[str]]
"""An id and the names of what it stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMatch:
    """What a name stands for: one id, or none; `several` where it is not unique."""

    id: str | None = None
    several: tuple[str, ...] = ()


def find_named(
    hass: HomeAssistant,
    kind: str,
    name: str,
    prefer: Callable[[str], bool] | None = None,
) -> NameMatch:
    """Find what a name stands for, of a target's kind (`entity_id`, `area_id` …).

    An id that exists stands for itself. If several things have the name, the only one
    that `prefer` takes is meant.
    """
    listed = _LISTED.get(kind)
    if listed is None:
        return NameMatch(id=name)
    wanted = _plain(name)
    found = []
    for identifier, names in listed(hass):
        if identifier == name:
            return NameMatch(id=identifier)
        if any(_plain(one) == wanted for one in names):
            found.append(identifier)
    if len(found) > 1 and prefer is not None:
        found = list(filter(prefer, found)) or found
    if len(found) == 1:
        return NameMatch(id=found[0])
    return NameMatch(several=tuple(sorted(found)))


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


def _entities(hass: HomeAssistant) -> Iterator[Named]:
    registry = er.async_get(hass)
    for state in hass.states.async_all():
        entry = registry.async_get(state.entity_id)
        aliases = er.async_get_entity_aliases(hass, entry) if entry else ()
        yield state.entity_id, (state.name, *aliases)


def _areas(hass: HomeAssistant) -> Iterator[Named]:
    for area in ar.async_get(hass).async_list_areas():
        yield area.id, (area.name, *area.aliases)


def _floors(hass: HomeAssistant) -> Iterator[Named]:
    for floor in fr.async_get(hass).async_list_floors():
        yield floor.floor_id, (floor.name, *floor.aliases)


def _labels(hass: HomeAssistant) -> Iterator[Named]:
    for label in lr.async_get(hass).async_list_labels():
        yield label.label_id, (label.name,)


_LISTED: dict[str, Callable[[HomeAssistant], Iterator[Named]]] = {
    "entity_id": _entities,
    "area_id": _areas,
    "floor_id": _floors,
    "label_id": _labels,
}
