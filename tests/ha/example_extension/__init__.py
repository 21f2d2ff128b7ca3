"""Keeps the garage shut at night, and the address of the home to itself."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers.typing import ConfigType

from custom_components.homeagent.extension import (
    FunctionTool,
    HookContext,
    Invocation,
    Refusal,
    Replacement,
    ToolDefinition,
    ToolResult,
    async_register_after,
    async_register_before,
    async_register_tool,
)

DOMAIN = "example_extension"


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register two hooks and a tool."""

    async def before(context: HookContext) -> Refusal | None:
        """Refuse to open the garage while the home sleeps."""
        context.data["asleep"] = hass.states.is_state("input_boolean.asleep", "on")
        if context.tool == "cover.open_cover" and context.data["asleep"]:
            return Refusal(code="asleep", reason="the garage stays shut at night")
        return None

    async def after(context: HookContext, result: ToolResult) -> Replacement | None:
        """Leave the address out of what a tool answers."""
        if not isinstance(result.value, dict) or "address" not in result.value:
            return None
        return Replacement(value=result.value | {"address": "(hidden)"})

    async def greet(invocation: Invocation) -> object:
        """Greet somebody by name."""
        return {"text": f"Hello {invocation.arguments['name']}", "address": "Main St"}

    greeting = FunctionTool(
        definition=ToolDefinition(
            name="example_extension.greet",
            title="Greet",
            description="Greet somebody.",
            parameters={
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            },
            parallel_safe=True,
            read_only=True,
        ),
        work=greet,
    )
    hass.data[DOMAIN] = [
        async_register_before(hass, before),
        async_register_after(hass, after),
        async_register_tool(hass, greeting),
    ]
    return True
