"""Adding HomeAgent and adding sequences, in Home Assistant's UI.

A menu offers the two kinds of entry. How a sequence is added stands in `editor.adding`;
entries that the tools make come in through `system`.
"""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlowResult,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.core import callback
import probatio

from .access_flow import AccessRuleFlow
from .agent_flow import AGENT, AgentFlow
from .agent_reauth import AgentReauth
from .const import CONF_KIND, DOMAIN, KERNEL_UNIQUE_ID, KIND_KERNEL, KIND_SEQUENCE
from .editor.adding import AddingSteps
from .editor.forms import FLAG
from .editor.reconfiguring import ReconfigureSteps
from .flow_menus import CHOICE, LISTS, async_choice
from .host_flow import HostFlow
from .kernel_options import KernelOptionsFlow
from .sequence_options import SequenceOptionsFlow
from .tools.access_rules import ACCESS_RULE, default_subentries
from .tools.host_records import HOST
from .tools.sequence_entry import NewEntry


class HomeAgentConfigFlow(AgentReauth, AddingSteps, ReconfigureSteps, domain=DOMAIN):
    """Makes entries of both kinds."""

    VERSION = 1
    MINOR_VERSION = 2

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """Return the options flow of an entry's kind."""
        if config_entry.data[CONF_KIND] == KIND_KERNEL:
            return KernelOptionsFlow()
        return SequenceOptionsFlow()

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what the HomeAgent entry can have below it."""
        if config_entry.data[CONF_KIND] != KIND_KERNEL:
            return {}
        return {ACCESS_RULE: AccessRuleFlow, AGENT: AgentFlow, HOST: HostFlow}

    @override
    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask which kind of entry to add, and whether menus are to be lists.

        No menu: this is how those come in who cannot use one.
        """
        if user_input is None or CHOICE not in user_input:
            there = self.hass.config_entries.async_entry_for_domain_unique_id(
                DOMAIN, KERNEL_UNIQUE_ID
            )
            kinds = [KIND_KERNEL, KIND_SEQUENCE]
            likely = kinds[there is not None]
            wish = await self._async_show_wish()
            form = {
                probatio.Required(CHOICE, default=likely): await async_choice(
                    self, "user", kinds, {}
                ),
                probatio.Required(LISTS, default=wish): FLAG,
            }
            return self.async_show_form(
                step_id="user", data_schema=probatio.Schema(form), last_step=False
            )
        await self._async_take_wish(user_input)
        if user_input[CHOICE] == KIND_SEQUENCE:
            return await self.async_step_sequence()
        return await self.async_step_kernel()

    async def async_step_kernel(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Add the one HomeAgent entry."""
        await self.async_set_unique_id(KERNEL_UNIQUE_ID)
        self._abort_if_unique_id_configured()
        if user_input is None:
            return self.async_show_form(step_id=KIND_KERNEL)
        return self.async_create_entry(
            title="HomeAgent",
            data={CONF_KIND: KIND_KERNEL},
            subentries=default_subentries(self.hass.config.language),
        )

    async def async_step_system(self, entry: Mapping[str, Any]) -> ConfigFlowResult:
        """Add a sequence that a tool has made and checked."""
        return await self._async_create(NewEntry(**entry))
