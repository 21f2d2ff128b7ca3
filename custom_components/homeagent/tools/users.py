"""Home Assistant's users, readable without waiting.

The policy is asked in the middle of a call and must not await; the user objects of Home
Assistant's auth store are live, so only additions and removals need to be followed.
"""

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED
from homeassistant.auth.models import User
from homeassistant.core import Event, HomeAssistant, callback


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

    def is_administrator(self, user_id: str) -> bool:
        """Whether an active person with administrator rights has this id."""
        user = self._users.get(user_id)
        return (
            user is not None
            and user.is_active
            and user.is_admin
            and not user.system_generated
        )
