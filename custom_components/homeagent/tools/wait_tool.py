"""`wait`: some seconds of patience, for sequences.

Reached through the door like every tool. It has no time limit of its own: whoever calls
grants one, and a cancellation ends the wait.
"""

from collections.abc import Callable, Coroutine
from typing import Final

from homeassistant.core import HomeAssistant

from ..kernel.contract import Invocation, Tool, ToolDefinition
from .reading import ReadingTool

MOST_SECONDS: Final = 3600

WAIT: Final = ToolDefinition(
    name="wait",
    title="Wait",
    description=(
        "Do nothing for some seconds. For sequences: calls that run at the same time do "
        "not wait for it, the next group does."
    ),
    parameters={
        "type": "object",
        "properties": {
            "seconds": {
                "type": "number",
                "minimum": 0,
                "maximum": MOST_SECONDS,
                "description": "How long.",
            }
        },
        "required": ["seconds"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
    untimed=True,
)

type Sleep = Callable[[float], Coroutine[object, object, None]]


class Waiting:
    """Waits; `sleep` is how."""

    def __init__(self, hass: HomeAssistant, sleep: Sleep) -> None:
        """Take the port."""
        self._hass = hass
        self._sleep = sleep

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [ReadingTool(self._hass, definition=WAIT, work=self.wait)]

    async def wait(self, invocation: Invocation) -> object:
        """Wait, and tell how long it was."""
        seconds = invocation.arguments["seconds"]
        assert isinstance(seconds, int | float)
        await self._sleep(seconds)
        return {"waited": seconds}
