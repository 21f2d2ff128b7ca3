"""All tools under one roof: our own, and those of other registries.

Implements the kernel's `ToolRegistry`. Keeps nothing: every question goes to the sources.
Our own tools come first; a source cannot take one of their names.
"""

from collections.abc import Iterable, Mapping, Sequence

from ..const import DOMAIN
from ..kernel.contract import Tool, ToolRegistry

_PREFIXES = (f"{DOMAIN}.", f"{DOMAIN}__")


class Catalog:
    """Looks a name up among our own tools, then in each source, in order.

    `own` is live: tools may be added and taken out. `homeagent.X` and `homeagent__X` are
    other names of our own tool X (page 3 §3.1).
    """

    def __init__(
        self, own: Mapping[str, Tool], sources: Sequence[ToolRegistry] = ()
    ) -> None:
        """Take our own tools by name, and the other registries."""
        self._own = own
        self._sources = sources

    def find(self, name: str) -> Tool | None:
        """Return the tool of that name as it is now."""
        if (own := self._own.get(_own_name(name))) is not None:
            return own
        for source in self._sources:
            if (tool := source.find(name)) is not None:
                return tool
        return None

    def names(self) -> Iterable[str]:
        """Return the names of all tools that exist now, each once."""
        seen = dict.fromkeys(self._own)
        for source in self._sources:
            seen.update(dict.fromkeys(source.names()))
        return seen


def _own_name(name: str) -> str:
    if not name.startswith(DOMAIN):
        return name
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name
