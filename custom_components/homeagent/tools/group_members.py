"""Groups of both kinds, and what is in them.

Home Assistant's own groups are replaced by their members before an action is called; the
groups of a platform (a hub's room, linked players) are called themselves, and their
members change along.
"""

from collections.abc import Iterable

from homeassistant.core import HomeAssistant
from homeassistant.helpers import group

_MEMBER_ATTRIBUTES = frozenset({"entity_id", "group_entities", "group_members"})
"""Attributes in which platform groups and linked players tell their members."""


def is_expanded(hass: HomeAssistant, entity_id: str) -> bool:
    """Whether Home Assistant calls the members in the place of this entity.

    One that is not there comes to nothing, and is treated like any missing entity.
    """
    if entity_id.startswith(group.ENTITY_PREFIX):
        return hass.states.get(entity_id) is not None
    entity = group.get_group_entities(hass).get(entity_id)
    return entity is not None and isinstance(entity.group, group.GenericGroup)


def expanded(hass: HomeAssistant, entity_ids: Iterable[str]) -> frozenset[str]:
    """Return the entities as Home Assistant calls them: members in place of groups."""
    return frozenset(group.expand_entity_ids(hass, entity_ids))


def members_of(hass: HomeAssistant, entity_id: str) -> set[str]:
    """Return the direct members of a group of either kind; nothing for others.

    Scenes list entities, too, but what a scene does is not what its members do.
    """
    found: set[str] = set()
    entity = group.get_group_entities(hass).get(entity_id)
    if entity is not None and entity.group is not None:
        found.update(entity.group.member_entity_ids)
    state = hass.states.get(entity_id)
    if state is not None and state.domain != "scene":
        for attribute in state.attributes.keys() & _MEMBER_ATTRIBUTES:
            listed = state.attributes[attribute]
            if isinstance(listed, list | tuple | set | frozenset):
                found.update(one for one in listed if isinstance(one, str))
    found.discard(entity_id)
    return found


def all_members(hass: HomeAssistant, entity_ids: Iterable[str]) -> frozenset[str]:
    """Return the members of all groups among the entities, and theirs."""
    known = set(entity_ids)
    found: set[str] = set()
    waiting = list(known)
    while waiting:
        if new := members_of(hass, waiting.pop()) - known:
            known |= new
            found |= new
            waiting += new
    return frozenset(found)
