"""What the tools that a call by name reaches declare of themselves (§6.1).

Pure; between the call graph and the checks. A call counts as not safe only if a tool it
reaches is known and not safe (page 2 §2.2, check 4).
"""

from dataclasses import dataclass
from enum import Enum

from .callgraph import CallGraph, GraphNode
from .lookups import ToolLookup
from .model import CALL_TOOLS, ToolEntry
from .names import folded


class Safety(Enum):
    """Whether a call may run beside others, as far as declarations tell."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The safety of an entry; `because` names the tool that decided it."""

    safety: Safety
    because: str


class Safeties:
    """Judges entries of the own sequence; each tool and node is looked at once."""

    def __init__(self, graph: CallGraph, tools: ToolLookup) -> None:
        self._graph = graph
        self._tools = tools
        self._by_tool: dict[str, Safety] = {}
        self._by_node: dict[GraphNode, Judged] = {}

    def of_entry(self, entry: ToolEntry) -> Judged:
        """Return the safety of an entry of the own sequence."""
        if entry.tool not in CALL_TOOLS:
            return Judged(safety=self._of_tool(entry.tool), because=entry.tool)
        edge = self._graph.called(entry, folded(self._graph.own.name))
        if edge is None:
            return Judged(safety=Safety.UNKNOWN, because=entry.tool)
        if edge.to not in self._by_node:
            self._by_node[edge.to] = self._of_node(edge.to)
        return self._by_node[edge.to]

    def _of_tool(self, name: str) -> Safety:
        if name not in self._by_tool:
            tool = self._tools.find(name)
            safe = Safety.SAFE if tool and tool.parallel_safe else Safety.UNSAFE
            self._by_tool[name] = Safety.UNKNOWN if tool is None else safe
        return self._by_tool[name]

    def _of_node(self, start: GraphNode) -> Judged:
        """Judge a node by all tools that it reaches."""
        unknown = ""
        seen = {start}
        stack = [start]
        while stack:
            node = stack.pop()
            if not self._exists(node):
                unknown = unknown or self._graph.label(node)
            for name in self._tools_in(node):
                safety = self._of_tool(name)
                if safety is Safety.UNSAFE:
                    return Judged(safety=safety, because=name)
                if safety is Safety.UNKNOWN:
                    unknown = unknown or name
            inner = [edge.to for edge in self._graph.edges(node)]
            stack.extend(each for each in inner if each not in seen)
            seen.update(inner)
        safety = Safety.UNKNOWN if unknown else Safety.SAFE
        return Judged(safety=safety, because=unknown)

    def _exists(self, node: GraphNode) -> bool:
        if node.group is not None:
            return self._graph.group(node.sequence, node.group) is not None
        return self._graph.sequence(node.sequence) is not None

    def _tools_in(self, node: GraphNode) -> list[str]:
        group = self._graph.group(node.sequence, node.group) if node.group else None
        names = (entry.tool for entry in group.tools) if group else ()
        return [name for name in dict.fromkeys(names) if name not in CALL_TOOLS]
