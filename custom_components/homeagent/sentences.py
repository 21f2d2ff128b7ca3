"""Sentences that start sequences, through Home Assistant's built-in agent: an entrance.

The one module that reaches for `register_trigger`, which is no public interface. All
sentences are one trigger: where two sequences match what was said, one is chosen.
"""

from hassil.recognize import RecognizeResult
from homeassistant.components.conversation import ConversationInput
from homeassistant.components.conversation.agent_manager import get_agent_manager
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.setup import async_when_setup

from .kernel.contract import Caller, ToolCall, ToolResult
from .runtime import Runtime
from .tools.sentence_callers import sentence_caller
from .tools.sentence_desk import SentenceDesk
from .tools.sequence_news import SEQUENCE_CHANGED

CONVERSATION = "conversation"


@callback
def async_register(hass: HomeAssistant, runtime: Runtime) -> None:
    """Listen for the sentences of all sequences, from when there is an agent."""
    sentences = _Sentences(hass, runtime)
    async_dispatcher_connect(hass, SEQUENCE_CHANGED, sentences.async_changed)
    async_when_setup(hass, CONVERSATION, sentences.async_agent_ready)


class _Sentences:
    """Keeps the agent's trigger in step with the sentences in use."""

    def __init__(self, hass: HomeAssistant, runtime: Runtime) -> None:
        self._hass = hass
        self._runtime = runtime
        self._desk = SentenceDesk(hass, runtime.library, self._run)
        self._ready = False
        self._unregister: CALLBACK_TYPE | None = None

    @callback
    def async_changed(self, key: str) -> None:
        """Follow a sequence that changed."""
        if self._desk.take(key) and self._ready:
            self._register()

    async def async_agent_ready(self, hass: HomeAssistant, component: str) -> None:
        """Begin to listen."""
        self._ready = True
        self._register()

    @callback
    def _register(self) -> None:
        if self._unregister is not None:
            self._unregister()
            self._unregister = None
        if sentences := self._desk.sentences():
            manager = get_agent_manager(self._hass)
            self._unregister = manager.register_trigger(sentences, self._heard)

    async def _heard(self, said: ConversationInput, result: RecognizeResult) -> str:
        caller = sentence_caller(self._hass, self._runtime.callers, said)
        return await self._desk.answer(said.text, said.language, caller)

    async def _run(self, caller: Caller, call: ToolCall) -> ToolResult:
        (result,) = (await self._runtime.call(caller, [call])).results
        return result
