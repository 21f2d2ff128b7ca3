"""What other integrations add: hooks, and tools of their own (page 1 §1.7).

Lives in Home Assistant's data, so that it can be there before HomeAgent is set up and
outlives it. `extension` is the public way to it; the composition root binds it.
"""

from collections.abc import Iterable
import re

from homeassistant.core import HomeAssistant
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..kernel.contract import Tool
from ..kernel.hooks import Hooks

_NAME = re.compile(r"([a-z0-9]+(?:_[a-z0-9]+)*)\.[a-z0-9]+(?:_[a-z0-9]+)*")

LONGEST_NAME = 53
"""Characters of a tool's name: what servers of models take, with a prefix."""


class Extensions:
    """The hooks and the tools of other integrations; a `ToolRegistry` of the latter."""

    def __init__(self) -> None:
        """Start with none."""
        self.hooks = Hooks()
        self._tools: dict[str, Tool] = {}

    def add_tool(self, tool: Tool) -> None:
        """Add a tool; raises ValueError for a name that it cannot have."""
        name = tool.definition.name
        match = _NAME.fullmatch(name)
        if match is None or match[1] == DOMAIN or len(name) > LONGEST_NAME:
            raise ValueError(
                f"{name!r} cannot be the name of a tool: it must be <domain>.<name>, in "
                f"lower case letters, digits and single underscores, at most "
                f"{LONGEST_NAME} characters, with the domain of the integration that "
                "adds it"
            )
        if name in self._tools:
            raise ValueError(f"there is a tool named {name!r} already")
        self._tools[name] = tool

    def remove_tool(self, tool: Tool) -> None:
        """Take a tool out, if it is still there."""
        name = tool.definition.name
        if self._tools.get(name) is tool:
            del self._tools[name]

    def find(self, name: str) -> Tool | None:
        """Return the tool of that name, or of that function name (`domain__name`)."""
        return self._tools.get(name) or self._tools.get(name.replace("__", ".", 1))

    def names(self) -> Iterable[str]:
        """Return the names of all tools that exist now."""
        return list(self._tools)


DATA_EXTENSIONS: HassKey[Extensions] = HassKey(f"{DOMAIN}_extensions")


def extensions_of(hass: HomeAssistant) -> Extensions:
    """Return the extensions of this Home Assistant, made at the first question."""
    return hass.data.setdefault(DATA_EXTENSIONS, Extensions())
