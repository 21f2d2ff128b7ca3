"""Setting an agent up in Home Assistant's UI: server, model, and what it may use.

A part of the config flow: the flow of the HomeAgent entry's subentries. The server is
tried before anything is saved, and what it cannot do is shown first (page 5 §5.4). Thin;
the trying is in `agent.probing`, the forms are in `agent.forms`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.config_entries import SOURCE_RECONFIGURE, SubentryFlowResult
import probatio

from .agent.forms import CONF_NAME, CONNECTION, model_form
from .agent.openai_client import lazy_client
from .agent.probing import Probed, list_models, probe
from .agent.settings import (
    CONF_KEY,
    CONF_MODEL,
    CONF_URL,
    DEFAULT_URL,
    SUBENTRY_TYPE,
    is_address,
    server_name,
)
from .agent.troubles import ServerTrouble
from .tools.subentry_flow import SubentryFlow

AGENT = SUBENTRY_TYPE
"""Kind of the subentries that are agents."""


class AgentFlow(SubentryFlow):
    """Adds an agent, and changes one."""

    _data: dict[str, Any]
    _models: Sequence[str] = ()
    _probed: Probed

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask where the model server is."""
        return await self._connection("user", {}, user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change an agent; a key that is not given stays, on the same server."""
        stored = self._get_reconfigure_subentry().data
        return await self._connection("reconfigure", stored, user_input)

    async def _connection(
        self, step: str, stored: Mapping[str, Any], given: dict[str, Any] | None
    ) -> SubentryFlowResult:
        errors: dict[str, str] = {}
        told = {"detail": ""}
        if given is not None:
            url = given[CONF_URL].strip().rstrip("/")
            key = given.get(CONF_KEY, "").strip()
            if not key and server_name(url) == server_name(stored.get(CONF_URL, "")):
                key = stored.get(CONF_KEY, "")
            self._data = {**stored, CONF_URL: url, CONF_KEY: key}
            if not is_address(url):
                errors[CONF_URL] = "no_address"
            elif trouble := await self._connect(url, key):
                errors["base"] = trouble.kind.value
                told["detail"] = trouble.detail
            else:
                return await self.async_step_model()
        shown = {CONF_URL: (given or stored).get(CONF_URL, DEFAULT_URL)}
        return self.async_show_form(
            step_id=step,
            data_schema=self.add_suggested_values_to_schema(CONNECTION, shown),
            errors=errors,
            description_placeholders=told,
            last_step=False,
        )

    async def _connect(self, url: str, key: str) -> ServerTrouble | None:
        try:
            self._models = await list_models(lazy_client(self.hass, url, key))
        except ServerTrouble as trouble:
            return trouble
        return None

    async def async_step_model(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask which model, and how it is used; try it with a tool."""
        errors: dict[str, str] = {}
        told = {"detail": "", "server": server_name(self._data[CONF_URL])}
        if user_input is not None:
            self._data |= user_input
            client = lazy_client(self.hass, self._data[CONF_URL], self._data[CONF_KEY])
            try:
                self._probed = await probe(client, self._data[CONF_MODEL])
            except ServerTrouble as trouble:
                errors["base"] = trouble.kind.value
                told["detail"] = trouble.detail
            else:
                if self._probed.streams and self._probed.calls_tools:
                    return self._save()
                return await self.async_step_confirm()
        shown = {CONF_NAME: self._title(), **self._data}
        return self.async_show_form(
            step_id="model",
            data_schema=self.add_suggested_values_to_schema(
                model_form(self._models), shown
            ),
            errors=errors,
            description_placeholders=told,
        )

    async def async_step_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Say what the model cannot do, and save it if that is all right."""
        if user_input is not None:
            return self._save()
        if self._probed.streams:
            return await self.async_step_no_tools()
        if self._probed.calls_tools:
            return await self.async_step_no_streaming()
        return self._warn("confirm")

    async def async_step_no_tools(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Say that the model called no tool."""
        return self._warn("no_tools") if user_input is None else self._save()

    async def async_step_no_streaming(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Say that the server cannot stream."""
        return self._warn("no_streaming") if user_input is None else self._save()

    def _warn(self, step: str) -> SubentryFlowResult:
        return self.async_show_form(
            step_id=step,
            data_schema=probatio.Schema({}),
            description_placeholders={"model": self._data[CONF_MODEL]},
            last_step=True,
        )

    def _title(self) -> str:
        if self.source == SOURCE_RECONFIGURE:
            return self._get_reconfigure_subentry().title
        return ""

    def _save(self) -> SubentryFlowResult:
        data = dict(self._data)
        title = data.pop(CONF_NAME, "").strip() or data[CONF_MODEL]
        return self.save(title, data)
