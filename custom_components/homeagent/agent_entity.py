"""What conversation entities without a model and with one have in common.

Below `plain_agent_entity` and `model_agent_entity`, above `agent`.
"""

from abc import abstractmethod
import logging
from typing import Literal, override

from homeassistant.components import conversation
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo

from .agent.asking import Questions
from .agent.naming import names_in
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
