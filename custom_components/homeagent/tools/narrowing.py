"""Fewer and simpler tools, for models that can read little or think little.

Pure; above `offered_tools` and `default_set`. Nothing is lost by it: what is left out
here is found by `tool_search` and run by `tool_call`, and where these two are not
offered, nothing is left out. The door takes what it always takes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..kernel.json_values import Json
from .compact_schema import IDS, PLACES
from .default_set import FIRST_LEFT_OUT, SIMPLE, useful
from .model_schema import Schema
from .offered_tools import OfferedTool

MOST_IDS: Final = 24
"""Ids that are named in a parameter; more would take the room of what is asked."""

_NEEDED: Final = frozenset({"tool_search", "tool_call"})


def fewer(offered: Iterable[OfferedTool]) -> Iterator[list[OfferedTool]]:
    """Go through shorter and shorter lists; the first one is the whole."""
    kept = list(offered)
    yield list(kept)
    if not {each.tool for each in kept} >= _NEEDED:
        return
    for name in FIRST_LEFT_OUT:
        rest = [each for each in kept if each.tool != name]
        names = set(useful([each.tool for each in rest]))
        rest = [each for each in rest if each.tool in names]
        if len(rest) < len(kept):
            kept = rest
            yield list(kept)


def simple(tool: OfferedTool, ids_of: Callable[[str], Sequence[str]]) -> OfferedTool:
    """Return a tool that acts on entities with one of them and little else to say.

    `ids_of` gives the entities of a domain that the caller may use. Where there are
    few, the parameter names them all, so that a server that holds its model to the
    schema cannot let it invent one. Other tools stay as they are.
    """
    given = tool.shown.get("properties")
    if not isinstance(given, Mapping) or given.get("entity_id") != IDS:
        return tool
    required = tool.shown.get("required")
    needed = required if isinstance(required, list) else []
    kept = ["entity_id", *SIMPLE.get(tool.tool, ())]
    names = dict.fromkeys(
        [*kept, *(one for one in needed if isinstance(one, str))], True
    )
    properties: dict[str, Json] = {
        name: given[name]
        for name in names
        if name in given and (name == "entity_id" or name not in PLACES)
    }
    properties["entity_id"] = _one_of(ids_of(tool.tool.partition(".")[0]))
    shown: Schema = {
        "type": "object",
        "properties": properties,
        "required": [*properties],
    }
    return replace(tool, shown=shown)


def _one_of(ids: Sequence[str]) -> Json:
    if 0 < len(ids) <= MOST_IDS:
        return {"type": "string", "enum": [*ids]}
    return {"type": "string"}
