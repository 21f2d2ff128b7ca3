"""The conversation entity without a model: it runs sequences by name.

Below `conversation.py`, above `agent`: fills the agent's ports from the runtime.
"""

from typing import override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from .agent.chat_history import last_said
from .agent.plain_agent import PlainAgent
from .agent_entity import AgentEntity
from .runtime import Runtime


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
