"""Home Assistant's own way to run a model's tool calls, to stand beside ours.

Above `agent_home`. Its chat log starts every call as a task of its own, as soon as it is
there. Only that is taken: there is no model server and no connection on this side.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, override

from homeassistant.components.conversation import UserContent
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import chat_session, llm
import probatio

from .home import Home


class _Rest(llm.Tool):
    """Waits as the benchmark's own tool does."""

    name = "bench__rest"
    description = "Waits."
    integration = "bench"
    parameters = probatio.Schema({probatio.Required("seconds"): float})

    def __init__(self, home: Home) -> None:
        """Take the home, which counts."""
        self._home = home

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Wait, and count."""
        arguments = self.parameters(tool_input.tool_args)
        await asyncio.sleep(arguments["seconds"])
        self._home.tally.count()
        return llm.ToolResult(data={"done": True})


class _Api(llm.API):
    """An API with that one tool."""

    @override
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        """Return the tool."""
        return llm.APIInstance(
            api=self, api_prompt="", llm_context=llm_context, tools=[self.tool]
        )

    tool: llm.Tool


def core_turn(
    home: Home, how_many: int, seconds: float
) -> Callable[[], Awaitable[object]]:
    """Return a turn of Home Assistant's own: calls, and then words."""
    api = _Api(hass=home.hass, id="bench", name="Bench")
    api.tool = _Rest(home)

    async def called() -> AsyncGenerator[Any]:
        inputs = [
            llm.ToolInput(tool_name=_Rest.name, tool_args={"seconds": seconds})
            for _ in range(how_many)
        ]
        yield {"role": "assistant", "tool_calls": inputs}

    async def said() -> AsyncGenerator[Any]:
        yield {"role": "assistant", "content": "All done."}

    async def run() -> object:
        with (
            chat_session.async_get_chat_session(home.hass, "core") as session,
            async_get_chat_log(home.hass, session) as log,
        ):
            log.async_add_user_content(UserContent("Go"))
            context = llm.LLMContext(
                platform="bench",
                context=Context(user_id=home.user_id),
                language="en",
                assistant="conversation",
                device_id=None,
            )
            await log.async_provide_llm_data(context, api)
            for stream in (called(), said()):
                async for _ in log.async_add_delta_content_stream("bench", stream):
                    pass
            return "All done."

    return run
