"""Reconfiguring an entry of either kind: there is nothing but its name.

The steps that the config flow takes over; what a sequence does is edited in its options.
"""

from typing import Any, override

from homeassistant.config_entries import ConfigEntry, ConfigFlowResult
from homeassistant.core import DOMAIN as HOMEASSISTANT_DOMAIN, callback

from ..const import CONF_KIND, KIND_SEQUENCE
from ..editing.markdown import bullets, escaped
from ..flow_menus import LISTS, menu
from ..runtime import async_get_runtime
from ..sequence.names import normal_name
from ..tools.open_entry import entry_or_end
from ..tools.person_language import async_language, async_wording, current_user_id
from .base import Input
from .forms import HOMEAGENT_FORM, NAME_FORM
from .list_wish import ListWish
from .names import name_text


class ReconfigureSteps(ListWish):
    """Renames; who calls a sequence is shown before anything is rewritten."""

    _new_name = ""

    @callback
    @override
    def _get_reconfigure_entry(self) -> ConfigEntry:
        """Return the entry; where it was deleted meanwhile, this ends the flow."""
        return entry_or_end(self.hass, self._reconfigure_entry_id)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Begin; Home Assistant has this one way in for all kinds of entries."""
        if self._get_reconfigure_entry().data[CONF_KIND] == KIND_SEQUENCE:
            return await self.async_step_new_name()
        return await self.async_step_homeagent()

    async def async_step_homeagent(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask for HomeAgent's name, and whether menus are to be lists."""
        entry = self._get_reconfigure_entry()
        if user_input is None:
            shown = {"name": entry.title, LISTS: await self._async_show_wish()}
            return self._show_homeagent(shown)
        name = normal_name(str(user_input["name"]))
        if not name:
            language = await async_language(self.hass, current_user_id())
            word = await async_wording(self.hass, language)
            return self._show_homeagent(user_input, word("name_blank"))
        await self._async_take_wish(user_input)
        return self.async_update_and_abort(entry, title=name)

    async def async_step_new_name(self, user_input: Input = None) -> ConfigFlowResult:
        """Ask for the name."""
        entry = self._get_reconfigure_entry()
        if user_input is None:
            return self._show_new_name(entry.title)
        self._new_name = name = normal_name(str(user_input["name"]))
        runtime = await async_get_runtime(self.hass)
        language = await async_language(self.hass, current_user_id())
        word = await async_wording(self.hass, language)
        if text := name_text(runtime, word, name, entry):
            return self._show_new_name(name, text)
        if runtime.library.callers_of(entry.title):
            return await self.async_step_confirm_new_name()
        return await self.async_step_do_new_name()

    @menu
    async def async_step_confirm_new_name(
        self, user_input: Input = None
    ) -> ConfigFlowResult:
        """Show who calls the sequence, before anything is rewritten."""
        runtime = await async_get_runtime(self.hass)
        name = self._get_reconfigure_entry().title
        callers = runtime.library.callers_of(name)
        return self.async_show_menu(
            step_id="confirm_new_name",
            menu_options=["do_new_name", "new_name"],
            description_placeholders={
                "old": escaped(name),
                "new": escaped(self._new_name),
                "callers": bullets(callers),
            },
        )

    def _show_new_name(self, name: str, text: str = "") -> ConfigFlowResult:
        return self.async_show_form(
            step_id="new_name",
            data_schema=self.add_suggested_values_to_schema(NAME_FORM, {"name": name}),
            errors={"name": "at_name"} if text else {},
            description_placeholders={"at_name": text},
        )

    def _show_homeagent(
        self, values: dict[str, object], text: str = ""
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id="homeagent",
            data_schema=self.add_suggested_values_to_schema(HOMEAGENT_FORM, values),
            errors={"name": "at_name"} if text else {},
            description_placeholders={"at_name": text},
        )

    async def async_step_do_new_name(
        self, user_input: Input = None
    ) -> ConfigFlowResult:
        """Rename the sequence, also in those that call it."""
        runtime = await async_get_runtime(self.hass)
        runtime.entries.async_rename(self._get_reconfigure_entry(), self._new_name)
        return self.async_abort(
            reason="reconfigure_successful", translation_domain=HOMEASSISTANT_DOMAIN
        )
