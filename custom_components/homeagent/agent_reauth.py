"""Asking for a new key of one agent, whose server no longer takes the old one.

A part of the config flow. The entry stays loaded: other agents go on (page 5 §5.1).
"""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult, ConfigSubentry

from .agent.forms import NEW_KEY
from .agent.openai_client import lazy_client
from .agent.probing import probe
from .agent.reports import CONTEXT_SUBENTRY
from .agent.settings import CONF_KEY, CONF_MODEL, CONF_URL, server_name
from .agent.troubles import ServerTrouble


class AgentReauth(ConfigFlow):
    """The steps that ask for a new key of one agent; its entry stays loaded."""

    _subentry_id: str

    async def async_step_reauth(self, data: Mapping[str, Any]) -> ConfigFlowResult:
        """Begin, for the agent that the data names."""
        self._subentry_id = str(data.get(CONTEXT_SUBENTRY, ""))
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the key and try it."""
        entry = self._get_reauth_entry()
        subentry = entry.subentries.get(self._subentry_id)
        if subentry is None:
            return self.async_abort(reason="agent_gone")
        errors: dict[str, str] = {}
        told = {
            "agent": subentry.title,
            "server": server_name(subentry.data[CONF_URL]),
            "detail": "",
        }
        if user_input is not None:
            key = user_input[CONF_KEY].strip()
            trouble = await self._try(subentry, key)
            if trouble is None:
                self.hass.config_entries.async_update_subentry(
                    entry, subentry, data={**subentry.data, CONF_KEY: key}
                )
                return self.async_abort(
                    reason="reauth_successful", translation_domain="homeassistant"
                )
            errors["base"] = trouble.kind.value
            told["detail"] = trouble.detail
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=NEW_KEY,
            errors=errors,
            description_placeholders=told,
        )

    async def _try(self, subentry: ConfigSubentry, key: str) -> ServerTrouble | None:
        client = lazy_client(self.hass, subentry.data[CONF_URL], key)
        try:
            await probe(client, subentry.data[CONF_MODEL])
        except ServerTrouble as trouble:
            return trouble
        return None
