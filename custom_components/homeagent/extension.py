"""The public Python API for other integrations (page 1 §1.7); docs/extending.md has more.

    from custom_components.homeagent.extension import async_register_before

    entry.async_on_unload(async_register_before(hass, judge))

Works before, while and after HomeAgent is set up. What is not named in `__all__` is not
public and may change at any time.
"""

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback

from .kernel.contract import (
    Arguments,
    Attachment,
    Caller,
    CallFacts,
    Checked,
    Entrance,
    Invocation,
    Tool,
    ToolDefinition,
    ToolOutput,
    ToolResult,
)
from .kernel.errors import Reason, ToolError
from .kernel.function_tool import FunctionTool
from .kernel.hooks import (
    HOOK_LIMIT,
    AfterHook,
    BeforeHook,
    HookContext,
    Refusal,
    Replacement,
)
from .tools.extensions import extensions_of

__all__ = [
    "HOOK_LIMIT",
    "AfterHook",
    "Arguments",
    "Attachment",
    "BeforeHook",
    "CallFacts",
    "Caller",
    "Checked",
    "Entrance",
    "FunctionTool",
    "HookContext",
    "Invocation",
    "Reason",
    "Refusal",
    "Replacement",
    "Tool",
    "ToolDefinition",
    "ToolError",
    "ToolOutput",
    "ToolResult",
    "async_register_after",
    "async_register_before",
    "async_register_tool",
]


@callback
def async_register_before(hass: HomeAssistant, hook: BeforeHook) -> CALLBACK_TYPE:
    """Have a hook asked before each call that passed all gates.

    It returns None, or a `Refusal`: then the call is not made and its result is an error
    with reason `refused`. A hook that raises, takes over a second or returns anything
    else refuses, too. Returns the function that takes the hook away again.
    """
    return extensions_of(hass).hooks.add_before(hook)


@callback
def async_register_after(hass: HomeAssistant, hook: AfterHook) -> CALLBACK_TYPE:
    """Have a hook shown the result of each call that was made.

    It returns None, or a `Replacement` for value and text; whether the call succeeded is
    then judged by the new value. A hook that raises, takes over a second or returns
    anything else changes nothing. Returns the function that takes the hook away again.
    """
    return extensions_of(hass).hooks.add_after(hook)


@callback
def async_register_tool(hass: HomeAssistant, tool: Tool) -> CALLBACK_TYPE:
    """Add a tool; it is called through HomeAgent's gates like every other.

    Its name is `<domain>.<name>` with the domain of the integration that adds it; an
    action of Home Assistant with the same name comes first. Raises ValueError for a name
    that it cannot have. Returns the function that takes the tool away again.
    """
    extensions = extensions_of(hass)
    extensions.add_tool(tool)
    return lambda: extensions.remove_tool(tool)
