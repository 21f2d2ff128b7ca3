"""The LLM API `homeagent`: for other integrations' agents and for MCP clients.

An entrance to the kernel's door. Calls come one by one here, so each list of tools has a
gate (page 1 §1.4); what a model may do is decided behind it, as for everybody.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, override

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import llm

from .const import DOMAIN
from .kernel.json_values import key_text
from .runtime import Runtime
from .tools.adapter import Way, serialize

NAME: Final = "HomeAgent"


@callback
def async_register(hass: HomeAssistant, runtime: Runtime) -> Callable[[], None]:
    """Offer the API; return what takes it back."""
    return llm.async_register_api(hass, HomeAgentAPI(hass, runtime))


class HomeAgentAPI(llm.API):
    """Offers the default set as the user has it, to whoever asks, by his rights."""

    def __init__(self, hass: HomeAssistant, runtime: Runtime) -> None:
        """Take the runtime."""
        super().__init__(hass=hass, id=DOMAIN, name=NAME)
        self._runtime = runtime

    @override
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        """Return the tools and the prompt for one turn, or one request of MCP."""
        offering = self._runtime.offering
        await offering.async_prepare()
        way = offering.way_of(llm_context)
        language = llm_context.language
        if language is None or language == "*":
            language = self.hass.config.language
        return HomeAgentInstance(
            api=self,
            api_prompt=offering.prompt_for(way.caller, language, "gate"),
            llm_context=llm_context,
            tools=way.adapt(offering.tools_for(way.caller)),
            custom_serializer=serialize,
            way=way,
        )


@dataclass(kw_only=True)
class HomeAgentInstance(llm.APIInstance):
    """Takes calls of tools that were not offered, too: the door has an answer to them."""

    way: Way

    @override
    async def async_call_tool(self, tool_input: llm.ToolInput) -> llm.ToolResult:
        """Call a tool; of one that was not offered, the door says what there is to say."""
        # A model may name a tool by anything; everything after this takes a text.
        name = key_text(tool_input.tool_name)
        tool_input = replace(tool_input, tool_name=name)
        if any(tool.name == name for tool in self.tools):
            return await super().async_call_tool(tool_input)
        alone = llm.APIInstance(
            api=self.api,
            api_prompt="",
            llm_context=self.llm_context,
            tools=[self.way.unlisted(name)],
        )
        return await alone.async_call_tool(tool_input)
