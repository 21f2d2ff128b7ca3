"""The conversation entities with a model.

Below `conversation.py`, above `agent`: fills the agents' ports from the runtime.
"""

from typing import override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant

from .agent.calls import DroppedWarnings
from .agent.model_agent import AgentPorts, ModelAgent
from .agent.openai_client import lazy_client
from .agent.reports import ServerReports, forget
from .agent.server import OpenAIServer
from .agent.settings import Settings
from .agent_entity import AgentEntity
from .runtime import Runtime


class ModelEntity(AgentEntity):
    """An agent with a model; follows its subentry when that is edited."""

    _attr_name = None
    _attr_supports_streaming = True

    def __init__(
        self,
        hass: HomeAssistant,
        runtime: Runtime,
        entry: ConfigEntry,
        subentry: ConfigSubentry,
    ) -> None:
        """Make the agent; nothing is connected yet."""
        super().__init__(hass, runtime, subentry.subentry_id, subentry.title)
        self._entry = entry
        self._reports = ServerReports(
            hass, entry, lambda: entry.subentries.get(subentry.subentry_id)
        )
        self._ports = AgentPorts(
            hass=hass,
            run=runtime.call,
            offering=runtime.offering,
            questions=self._questions,
            names=self._names,
            caller_of=self.caller_of,
            hint_of=lambda tool: _cut_off_hint(runtime, tool),
            dropped=DroppedWarnings(now=hass.loop.time),
        )
        self._agent = self._make(subentry)

    def _make(self, subentry: ConfigSubentry) -> ModelAgent:
        settings = Settings.of(subentry.data)
        server = OpenAIServer(
            client=lazy_client(self._ports.hass, settings.url, settings.key),
            model=settings.model,
            cannot_stream=self._reports.tell,
        )
        return ModelAgent(
            ports=self._ports, settings=settings, server=server, reports=self._reports
        )

    def _current(self) -> ModelAgent:
        """Return the agent as it is set up now."""
        subentry = self._entry.subentries.get(self.unique_id or "")
        if subentry is not None and Settings.of(subentry.data) != self._agent.settings:
            forget(self.hass, subentry.subentry_id)
            self._agent = self._make(subentry)
        return self._agent

    @override
    async def _respond(
        self, asked: conversation.ConversationInput, log: conversation.ChatLog
    ) -> None:
        """Answer with the model."""
        await self._current().respond(asked, log, self.entity_id)


def _cut_off_hint(runtime: Runtime, name: str) -> str:
    tool = runtime.registry.find(name)
    return "" if tool is None else tool.definition.cut_off_hint
