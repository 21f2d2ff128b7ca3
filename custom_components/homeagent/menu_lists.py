"""Who is shown lists in the place of menus.

Below the flows, which ask; kept in a file of its own in Home Assistant's storage folder,
from the first entry on and until the last.
"""

from collections.abc import Mapping
import logging
from typing import Final, TypedDict

from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store

from .const import DOMAIN
from .stored_files import UnreadableFileError, async_read_file, async_remove_file

_LOGGER = logging.getLogger(__name__)

VERSION: Final = 1
KEY: Final = f"{DOMAIN}.menu_lists"


class _Stored(TypedDict):
    users: list[str]


class MenuLists:
    """The users who want lists, by their ids."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Name the file; nothing is read yet."""
        self._hass = hass
        self._store: Store[_Stored] = Store(
            hass, VERSION, KEY, private=True, atomic_writes=True
        )
        self._users: set[str] = set()
        self._unsaved = False
        self._is_foreign = False

    async def async_load(self) -> None:
        """Read the file; one that cannot be read is left as it is, and not written."""
        try:
            stored = await async_read_file(self._store)
        except UnreadableFileError as err:
            _LOGGER.error("Who wants menus as lists is not known, or kept: %s", err)
            self._is_foreign = True
            return
        users = stored.get("users") if isinstance(stored, Mapping) else None
        known = users if isinstance(users, list) else []
        self._users = {user for user in known if isinstance(user, str)}

    def wanted(self, user_id: str | None) -> bool:
        """Whether that user wants lists."""
        return user_id in self._users

    async def async_choose(self, user_id: str | None, wanted: bool) -> None:
        """Take over what a user wants; nobody is remembered for having no wish."""
        if user_id is None or wanted == self.wanted(user_id):
            return
        self._users ^= {user_id}
        self._unsaved = True
        await self.async_save()

    async def async_save(self) -> None:
        """Write what is not written; without an entry nothing is left behind."""
        entries = self._hass.config_entries.async_entries(DOMAIN)
        if self._unsaved and entries and not self._is_foreign:
            self._unsaved = False
            there = {user.id for user in await self._hass.auth.async_get_users()}
            await self._store.async_save({"users": sorted(self._users & there)})

    async def async_remove(self) -> None:
        """Delete the file; the wishes hold until Home Assistant ends."""
        self._unsaved = bool(self._users)
        self._is_foreign = False
        await async_remove_file(self._hass, self._store)
