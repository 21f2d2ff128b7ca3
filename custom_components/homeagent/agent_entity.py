"""The two kinds of conversation entities: without a model, and with one.

Below `conversation.py`, above `agent`: fills the agents' ports from the runtime.
"""

from abc import abstractmethod
import logging
from typing import Literal, override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo

from .agent.asking import Questions
from .agent.calls import DroppedWarnings
from .agent.chat_history import last_said
from .agent.model_agent import AgentPorts, ModelAgent
from .agent.naming import names_in
from .agent.openai_client import lazy_client
from .agent.plain_agent import PlainAgent
from .agent.reports import ServerReports, forget
from .agent.server import OpenAIServer
from .agent.settings import Settings
from .agent.words import say
from .const import DOMAIN
from .kernel.contract import Caller
from .runtime import Runtime
from .tools.llm_callers import llm_caller

_LOGGER = logging.getLogger(__name__)


class AgentEntity(conversation.ConversationEntity):
    """What both kinds of agents have in common."""

    _attr_has_entity_name = True
    _attr_supported_features = conversation.ConversationEntityFeature.CONTROL

    def __init__(
        self, hass: HomeAssistant, runtime: Runtime, unique_id: str, device: str
    ) -> None:
        """Make an entity on a device of its own."""
        self._hass = hass
        self._runtime = runtime
        self._names = names_in(hass, runtime.registry)
        self._questions = Questions(
            pending=runtime.requests.pending, heard=runtime.answering.heard
        )
        self._attr_unique_id = unique_id
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, unique_id)},
            name=device,
            manufacturer="HomeAgent",
            entry_type=DeviceEntryType.SERVICE,
        )

    def caller_of(self, asked: conversation.ConversationInput) -> Caller:
        """Return who is behind a person's words."""
        context = asked.as_llm_context(DOMAIN)
        return llm_caller(self._hass, self._runtime.callers, context)

    @abstractmethod
    async def _respond(
        self, asked: conversation.ConversationInput, log: conversation.ChatLog
    ) -> None:
        """Answer; the answer is in the log then."""

    def _say(self, log: conversation.ChatLog, words: str) -> None:
        log.async_add_assistant_content_without_tools(
            conversation.AssistantContent(agent_id=self.entity_id, content=words)
        )

    @override
    async def _async_handle_message(
        self,
        user_input: conversation.ConversationInput,
        chat_log: conversation.ChatLog,
    ) -> conversation.ConversationResult:
        """Answer, whatever happens: a bug here must not leave the person in silence."""
        try:
            await self._respond(user_input, chat_log)
        except Exception:
            _LOGGER.exception("The agent failed")
            self._say(chat_log, say("internal", user_input.language))
        return conversation.async_get_result_from_chat_log(user_input, chat_log)

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Any language: what is not known is answered in English."""
        return MATCH_ALL


class PlainEntity(AgentEntity):
    """The agent without a model: it is there from the beginning."""

    _attr_translation_key = "plain"

    def __init__(
        self, hass: HomeAssistant, runtime: Runtime, entry: ConfigEntry
    ) -> None:
        """Make the agent."""
        super().__init__(hass, runtime, f"{entry.entry_id}_plain", entry.title)
        self._agent = PlainAgent(
            run=runtime.call,
            sequences=lambda caller: [
                each
                for each in runtime.library
                if runtime.rights.may_run(caller, each.name)
            ],
            questions=self._questions,
            names=self._names,
        )

    @override
    async def _respond(
        self, asked: conversation.ConversationInput, log: conversation.ChatLog
    ) -> None:
        """Answer by names of sequences."""
        words = await self._agent.answer(
            log.conversation_id,
            asked.text,
            self.caller_of(asked),
            language=asked.language,
            last_said=last_said(log.content),
        )
        self._say(log, words)


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
