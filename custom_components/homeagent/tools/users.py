"""Home Assistant's users, readable without waiting.

The policy is asked in the middle of a call and must not await; the user objects of Home
Assistant's auth store are live, so only additions and removals need to be followed.
"""

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED
from homeassistant.auth.models import User
from homeassistant.core import Event, HomeAssistant, callback

from ..access.ports import UserKind


class Users:
    """The users by id; implements the policy's `UserDirectory`."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty: nobody is known before `async_load`."""
        self._hass = hass
        self._users: dict[str, User] = {}

    async def async_load(self) -> None:
        """Read all users and follow who comes and goes."""
        self._hass.bus.async_listen(EVENT_USER_ADDED, self._async_added)
        self._hass.bus.async_listen(EVENT_USER_REMOVED, self._async_removed)
        for user in await self._hass.auth.async_get_users():
            self._users[user.id] = user

    async def _async_added(self, event: Event) -> None:
        user = await self._hass.auth.async_get_user(event.data["user_id"])
        if user is not None:
            self._users[user.id] = user

    @callback
    def _async_removed(self, event: Event) -> None:
        self._users.pop(event.data["user_id"], None)

    def kind(self, user_id: str) -> UserKind:
        """Tell what stands behind a user's id."""
        user = self._users.get(user_id)
        if user is None or not user.is_active:
            return UserKind.NOBODY
        if user.system_generated:
            return UserKind.SYSTEM
        return UserKind.ADMINISTRATOR if user.is_admin else UserKind.PERSON

    def may(self, user_id: str, entity_id: str, policy: str) -> bool:
        """Whether Home Assistant's own permissions let a user control or read."""
        user = self._users.get(user_id)
        if user is None or not user.is_active:
            return False
        return user.permissions.check_entity(entity_id, policy)

    def name(self, user_id: str) -> str | None:
        """Return a user's name, for people; None for one who is not there."""
        user = self._users.get(user_id)
        return None if user is None else user.name

    def is_administrator(self, user_id: str) -> bool:
        """Whether an active person with administrator rights has this id."""
        return self.kind(user_id) is UserKind.ADMINISTRATOR
