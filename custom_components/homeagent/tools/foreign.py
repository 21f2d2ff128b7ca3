"""Tools that other integrations offer to models, as tools of ours.

Home Assistant asks its integrations for their LLM tools anew for each request; here a
snapshot says which there are, and a call asks again, for the caller it is made for.
Their `read_only` is our `parallel_safe`: who only reads is in nobody's way.
"""

from collections.abc import Callable, Iterable

from homeassistant.const import EVENT_COMPONENT_LOADED
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.start import async_at_started
import probatio

from ..const import DOMAIN
from ..kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Checked,
    Invocation,
    ToolDefinition,
    ToolOutput,
)
from ..kernel.errors import Reason, ToolError
from ..kernel.validation import compile_schema

LLM = "llm"
"""The integration that collects the tools; it need not be loaded."""


class ForeignTools:
    """A registry of the tools in the last snapshot."""

    def __init__(
        self, hass: HomeAssistant, new_context: Callable[[Caller], Context]
    ) -> None:
        """Start without any; `new_context` makes the context of a call's effects."""
        self._hass = hass
        self._new_context = new_context
        self._tools: dict[str, ForeignTool] = {}

    @callback
    def async_start(self) -> None:
        """Look when Home Assistant has started, and whenever an integration is loaded."""
        async_at_started(self._hass, self._async_started)
        self._hass.bus.async_listen(EVENT_COMPONENT_LOADED, self._async_loaded)

    async def _async_started(self, hass: HomeAssistant) -> None:
        await self.async_refresh()

    async def _async_loaded(self, event: Event) -> None:
        if self._hass.is_running:
            await self.async_refresh()

    async def async_refresh(self) -> None:
        """Take a new snapshot."""
        offered = await offered_tools(self._hass, _context_of(self._hass))
        self._tools = {
            tool.name: ForeignTool(self._hass, tool, self._new_context)
            for tool in offered
            if tool.integration != DOMAIN
        }

    def find(self, name: str) -> ForeignTool | None:
        """Return the tool of that name, if an integration offers it."""
        return self._tools.get(name)

    def names(self) -> Iterable[str]:
        """Return the names of all tools that are offered."""
        return tuple(self._tools)


class ForeignTool:
    """One tool of another integration."""

    def __init__(
        self,
        hass: HomeAssistant,
        tool: llm.Tool,
        new_context: Callable[[Caller], Context],
    ) -> None:
        """Read what the tool says of itself."""
        self._hass = hass
        self._new_context = new_context
        schema = _schema(tool.parameters)
        self.definition = ToolDefinition(
            name=tool.name,
            title=tool.title or "",
            description=tool.description or "",
            parameters=schema,
            parallel_safe=tool.annotations.read_only,
            read_only=tool.annotations.read_only,
        )
        self._check = compile_schema(schema)

    def check(self, arguments: Arguments) -> Checked:
        """Coerce and check by the tool's schema; its own is asked at the call."""
        return self._check(arguments)

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Return the declaration; what such a tool acts on is not known unless it reads."""
        safe = self.definition.parallel_safe
        return CallFacts(parallel_safe=safe, keys=frozenset() if safe else None)

    async def call_tool(self, invocation: Invocation) -> object:
        """Ask for the tool as this caller gets it, and call it."""
        caller = invocation.caller
        # One of ours: what the tool does in Home Assistant is known to be this caller's.
        made = self._new_context(caller)
        context = _context_of(self._hass, made, caller.device_id)
        name = self.definition.name
        offered = await offered_tools(self._hass, context)
        tool = next((each for each in offered if each.name == name), None)
        if tool is None:
            return _gone(name)
        try:
            arguments = tool.parameters(dict(invocation.arguments))
            given = llm.ToolInput(tool_name=name, tool_args=arguments)
            result = await tool.async_call(self._hass, given, context)
        except probatio.Invalid as err:
            return _wrong(str(err))
        except HomeAssistantError as err:
            return _failed(str(err) or type(err).__name__)
        if not isinstance(result, llm.ToolResult):
            return result
        error = _failed(f"{name} reports a failure") if result.error else None
        return ToolOutput(value=result.data, error=error)


async def offered_tools(hass: HomeAssistant, context: llm.LLMContext) -> list[llm.Tool]:
    """Return the tools that integrations offer to our API in a context."""
    if LLM not in hass.config.components:
        return []
    # Loading this integration is for those who use it; importing it is cheap then.
    from homeassistant.components.llm import async_get_tools

    return (await async_get_tools(hass, context, DOMAIN)).tools


def _context_of(
    hass: HomeAssistant, context: Context | None = None, device_id: str | None = None
) -> llm.LLMContext:
    return llm.LLMContext(
        platform=DOMAIN,
        context=context,
        language=hass.config.language,
        assistant="conversation",
        device_id=device_id,
    )


def _schema(parameters: probatio.Schema) -> dict[str, object]:
    schema = probatio.to_openapi(
        parameters, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
    )
    return {"type": "object", **schema}


def _gone(name: str) -> ToolError:
    return ToolError(
        reason=Reason.UNAVAILABLE,
        detail=f"{name} is not offered to this caller now",
        hint="Use tool_search to find what is there.",
    )


def _wrong(detail: str) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        detail=detail,
        hint="Correct the arguments as the tool's schema says.",
    )


def _failed(detail: str) -> ToolError:
    return ToolError(
        reason=Reason.FAILED,
        detail=detail,
        hint="The tool itself reported this: change what it objects to, or tell the"
        " person.",
    )
