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


class HomeNames:
    """The names of a home as they are now, for one check: read once, however many ask."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Read nothing yet: most calls name everything by its id."""
        self._hass = hass
        self._read: dict[str, _Index] = {}

    def find(
        self, kind: str, name: str, prefer: Callable[[str], bool] | None = None
    ) -> NameMatch:
        """Find what a name stands for, of a target's kind (`entity_id`, `area_id` …).

        An id that exists stands for itself. If several things have the name, the only
        one that `prefer` takes is meant.
        """
        listed = _LISTED.get(kind)
        if listed is None:
            return NameMatch(id=name)
        index = self._read.get(kind)
        if index is None:
            index = self._read[kind] = _Index.of(listed(self._hass))
        if name in index.ids:
            return NameMatch(id=name)
        found = index.named.get(_plain(name), [])
        if len(found) > 1 and prefer is not None:
            found = list(filter(prefer, found)) or found
        if len(found) == 1:
            return NameMatch(id=found[0])
        return NameMatch(several=tuple(sorted(found)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    """All ids of one kind, and those that have a name."""

    ids: frozenset[str]
    named: dict[str, list[str]]

    @classmethod
    def of(cls, things: Iterable[Named]) -> _Index:
        ids: list[str] = []
        named: dict[str, list[str]] = {}
        for identifier, names in things:
            ids.append(identifier)
            for plain in {_plain(one) for one in names}:
                named.setdefault(plain, []).append(identifier)
        return cls(ids=frozenset(ids), named=named)


def find_named(hass: HomeAssistant, kind: str, name: str) -> NameMatch:
    """Find what one name stands for; who asks for several takes `HomeNames`."""
    return HomeNames(hass).find(kind, name)


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
