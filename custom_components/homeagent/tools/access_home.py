"""The home as access control sees it: users, places, exposure, members (page 3).

Implements access control's port `HomeView` on Home Assistant's registries. Every answer
is given at once; what may change is counted, so that those who ask may keep an answer.
"""

from collections.abc import Callable, Collection

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
    async_should_expose,
)
from homeassistant.const import MATCH_ALL
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from homeassistant.helpers.event import (
    async_track_state_added_domain,
    async_track_state_removed_domain,
)

from ..access.ports import DeviceView, EntityView, SequenceView, UserKind
from .group_members import is_expanded, members_of
from .users import Users

ASSIST = "conversation"
"""The assistant whose exposure counts."""

_CHANGES = (
    ar.EVENT_AREA_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
    lr.EVENT_LABEL_REGISTRY_UPDATED,
    EVENT_USER_ADDED,
    EVENT_USER_REMOVED,
    EVENT_USER_UPDATED,
)


class Home:
    """Answers from what Home Assistant knows now."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        users: Users,
        sequence: Callable[[str], SequenceView | None],
    ) -> None:
        """Take the users; `sequence` looks one up by its stable id."""
        self._hass = hass
        self._users = users
        self._sequence = sequence
        self._generation = 0

    @callback
    def async_start(self) -> None:
        """Follow what may change an answer."""
        hass = self._hass
        for event_type in _CHANGES:
            hass.bus.async_listen(str(event_type), self._async_event)
        # Entities without registry entry come and go with their states.
        async_track_state_added_domain(hass, MATCH_ALL, self._async_state)
        async_track_state_removed_domain(hass, MATCH_ALL, self._async_state)
        async_listen_entity_updates(hass, ASSIST, self.changed)

    @callback
    def _async_event(self, event: Event) -> None:
        self.changed()

    @callback
    def _async_state(self, event: Event[EventStateChangedData]) -> None:
        self.changed()

    @callback
    def changed(self) -> None:
        """Count a change: nothing that was answered before counts any more."""
        self._generation += 1

    def generation(self) -> int:
        """Return a number that changes with the home."""
        return self._generation

    def user(self, user_id: str) -> UserKind:
        """Tell what stands behind a user's id."""
        return self._users.kind(user_id)

    def entity(self, entity_id: str) -> EntityView | None:
        """Return an entity's place: its own area first, then its device's."""
        entry = er.async_get(self._hass).async_get(entity_id)
        if entry is None and self._hass.states.get(entity_id) is None:
            return None
        area = None if entry is None else entry.area_id
        if area is None and entry is not None and entry.device_id is not None:
            area = self._area_of(entry.device_id)
        return EntityView(
            area=area,
            floor=self._floor_of(area),
            exposed=async_should_expose(self._hass, ASSIST, entity_id),
        )

    def _area_of(self, device_id: str) -> str | None:
        device = dr.async_get(self._hass).async_get(device_id)
        if device is None:
            return None
        return dr.async_get_effective_area_id(self._hass, device)

    def _floor_of(self, area_id: str | None) -> str | None:
        if area_id is None:
            return None
        area = ar.async_get(self._hass).async_get_area(area_id)
        return None if area is None else area.floor_id

    def members(self, entity_id: str) -> Collection[str]:
        """Return the direct members of a group of either kind."""
        return members_of(self._hass, entity_id)

    def is_replaced(self, entity_id: str) -> bool:
        """Whether Home Assistant calls the members in the place of this group."""
        return is_expanded(self._hass, entity_id)

    def device(self, device_id: str) -> DeviceView | None:
        """Return a device's place."""
        if dr.async_get(self._hass).async_get(device_id) is None:
            return None
        area = self._area_of(device_id)
        return DeviceView(area=area, floor=self._floor_of(area))

    def sequence(self, sequence_id: str) -> SequenceView | None:
        """Return a sequence by its stable id."""
        return self._sequence(sequence_id)

    def may_control(self, user_id: str, entity_id: str) -> bool:
        """Whether Home Assistant's own permissions let the user control the entity."""
        return self._users.may(user_id, entity_id, POLICY_CONTROL)

    def may_read(self, user_id: str, entity_id: str) -> bool:
        """Whether Home Assistant's own permissions let the user read the entity."""
        return self._users.may(user_id, entity_id, POLICY_READ)
