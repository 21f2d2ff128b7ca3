"""Asking whether menus are to be lists, beside what else a form of the flow asks.

Beside the steps that ask.
"""

from collections.abc import Mapping

from homeassistant.config_entries import ConfigFlow

from ..flow_menus import LISTS
from ..menu_lists import MenuLists
from ..runtime import async_get_runtime
from ..tools.person_language import current_user_id


class ListWish(ConfigFlow):
    """Shows what the person wishes, and takes over what was changed of it."""

    _shown_wish = False

    async def _async_show_wish(self) -> bool:
        """Return what stands in the form."""
        self._shown_wish = (await self._async_lists()).wanted(current_user_id())
        return self._shown_wish

    async def _async_take_wish(self, typed: Mapping[str, object]) -> None:
        """Take the wish over where the switch was moved: another dialog may be newer."""
        wish = bool(typed.get(LISTS, self._shown_wish))
        if wish is not self._shown_wish:
            lists = await self._async_lists()
            await lists.async_choose(current_user_id(), wish)

    async def _async_lists(self) -> MenuLists:
        return (await async_get_runtime(self.hass)).menu_lists
