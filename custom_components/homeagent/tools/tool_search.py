"""`tool_search`: tools and sequences by words.

Above `word_ranking`; reached through the door like every tool. Finds only what the caller
may use: of all else nothing is told (page 3 §3.3).
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from homeassistant.core import HomeAssistant

from ..kernel.contract import (
    Caller,
    Invocation,
    Policy,
    Tool,
    ToolDefinition,
    ToolRegistry,
    Verdict,
)
from ..sequence.listing import list_sequence
from ..sequence.model import CALL_TOOLS, Sequence
from ..sequence.reach import MOST_REACHED, Reach
from .compact_schema import compact_schema, short_text
from .reading import ReadingTool
from .word_ranking import Document, rank

MOST_FOUND: Final = 20
MOST_GROUPS: Final = 10
DEFAULT_FOUND: Final = 5

_AT_ONCE: Final = 50
"""Tools that are looked at before the event loop gets its turn."""

TOOL_SEARCH: Final = ToolDefinition(
    name="tool_search",
    title="Search tools",
    description=(
        "Find tools and sequences by words of what they do, with their parameters. Call "
        "what was found by its name, or through tool_call; run a sequence by seq_run."
    ),
    parameters={
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "minLength": 1,
                "maxLength": 200,
                "description": "Words, such as: send message to phone.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_FOUND,
                "description": f"How many to tell; default {DEFAULT_FOUND}.",
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPorts:
    """What is searched, and by whose rights.

    `prepare` reads the descriptions of actions that are not known yet.
    """

    registry: ToolRegistry
    sequences: Iterable[Sequence]
    policy: Policy
    prepare: Callable[[], Coroutine[object, object, None]]
    reach: Reach


class ToolSearch:
    """Searches the catalog and the library."""

    def __init__(self, hass: HomeAssistant, ports: SearchPorts) -> None:
        """Take the ports."""
        self._hass = hass
        self._ports = ports

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [ReadingTool(self._hass, definition=TOOL_SEARCH, work=self.search)]

    async def search(self, invocation: Invocation) -> object:
        """Tell the best of what fits."""
        await self._ports.prepare()
        query, limit = invocation.arguments["query"], invocation.arguments.get("limit")
        tools = {
            f"tool {tool.definition.name}": tool
            for tool in await self._usable(invocation.caller)
        }
        sequences = {
            f"sequence {sequence.name}": sequence
            for sequence in self._ports.sequences
            if self._may_run(invocation.caller, sequence)
        }
        documents = [
            *(_tool_document(key, tool) for key, tool in tools.items()),
            *(_sequence_document(key, one) for key, one in sequences.items()),
        ]
        found = await self._hass.async_add_executor_job(rank, str(query), documents)
        shown = found[: limit if isinstance(limit, int) else DEFAULT_FOUND]
        told = [
            _told_tool(tools[one.key].definition)
            if one.key in tools
            else self._told_sequence(sequences[one.key])
            for one in shown
        ]
        answer: dict[str, object] = {"total": len(found), "found": told}
        if len(shown) < len(found):
            answer["left_out"] = len(found) - len(shown)
            answer["hint"] = "Use more specific words, or a greater limit."
        return answer

    async def _usable(self, caller: Caller) -> list[Tool]:
        """Return the tools that some call of the caller could succeed with."""
        usable = []
        for count, name in enumerate(list(self._ports.registry.names()), start=1):
            if count % _AT_ONCE == 0:
                await asyncio.sleep(0)
            tool = self._ports.registry.find(name)
            if tool is not None and self._may_use(caller, tool, None):
                usable.append(tool)
        return usable

    def _may_run(self, caller: Caller, sequence: Sequence) -> bool:
        tool = self._ports.registry.find("seq_run")
        return tool is not None and self._may_use(caller, tool, {"name": sequence.name})

    def _may_use(
        self, caller: Caller, tool: Tool, arguments: dict[str, object] | None
    ) -> bool:
        decision = self._ports.policy.can_use(caller, tool, arguments)
        return decision.verdict is not Verdict.REFUSE

    def _told_sequence(self, sequence: Sequence) -> dict[str, object]:
        groups = list_sequence(sequence)["groups"]
        assert isinstance(groups, list)
        told: dict[str, object] = {
            "sequence": sequence.name,
            "description": short_text(sequence.description),
            "parallel_safe": self._is_safe(sequence),
            "call": {"tool": "seq_run", "arguments": {"name": sequence.name}},
            "groups": groups[:MOST_GROUPS],
        }
        if len(groups) > MOST_GROUPS:
            told["groups_left_out"] = len(groups) - MOST_GROUPS
        return told

    def _is_safe(self, sequence: Sequence) -> bool:
        """Whether all that a run may call is known and declared parallel safe."""
        reached = self._ports.reach.of_target(f"#{sequence.name}", None, None)
        return all(
            each.entry.tool in CALL_TOOLS
            or (each.tool is not None and each.tool.definition.parallel_safe)
            for each in islice(reached, MOST_REACHED)
        )


def _told_tool(definition: ToolDefinition) -> dict[str, object]:
    return {
        "tool": definition.name,
        "title": definition.title,
        "description": short_text(definition.description),
        "parallel_safe": definition.parallel_safe,
        "parameters": compact_schema(definition.parameters),
    }


def _tool_document(key: str, tool: Tool) -> Document:
    definition = tool.definition
    properties = definition.parameters.get("properties")
    names = properties if isinstance(properties, Mapping) else ()
    return Document(
        key=key,
        texts=[
            (3.0, definition.name),
            (3.0, definition.title),
            (1.5, definition.description),
            (0.5, " ".join(map(str, names))),
        ],
    )


def _sequence_document(key: str, sequence: Sequence) -> Document:
    texts = [(3.0, sequence.name), (2.0, sequence.description)]
    for group in sequence.groups:
        texts += [
            (1.5, group.name),
            (1.0, group.description),
            (0.7, " ".join(group.inputs)),
        ]
    return Document(key=key, texts=texts)
