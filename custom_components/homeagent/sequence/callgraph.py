"""Who calls whom: cycles and depth of calls by name, over groups and sequences (§8.3).

Pure and iterative: however long the chains of calls are, nothing recurses. A node is a
whole sequence or one of its groups; a sequence leads to its groups, and what does not
exist now leads nowhere.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from .lookups import SequenceLookup
from .model import CALL_TOOLS, Group, Sequence, ToolEntry
from .names import folded
from .problems import Path
from .targets import target_of

ARROW: Final = " → "


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A sequence, by its folded name, or one of its groups."""

    sequence: str
    group: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A step to another node; `call` is 1 for a `#` call, which counts for the depth."""

    to: GraphNode
    call: int = 0


type Walk = tuple[GraphNode, ...]


class CallGraph:
    """The graph as it would be with `own` saved in the place of what has its name."""

    def __init__(self, own: Sequence, sequences: SequenceLookup) -> None:
        self.own = own
        self._sequences = sequences
        self._found: dict[str, Sequence | None] = {folded(own.name): own}
        self._written: dict[str, str] = {}
        self._groups: dict[str, dict[str, Group]] = {}
        self._edges: dict[GraphNode, tuple[Edge, ...]] = {}

    def sequence(self, name: str) -> Sequence | None:
        """Return the sequence of a name, the own one before all others."""
        key = folded(name)
        if key not in self._found:
            self._found[key] = self._sequences.find(self._written.get(key, name))
        return self._found[key]

    def group(self, sequence: str, name: str) -> Group | None:
        """Return a group of a sequence."""
        key = folded(sequence)
        if key not in self._groups:
            found = self.sequence(sequence)
            groups = found.groups if found else ()
            self._groups[key] = {each.name: each for each in reversed(groups)}
        return self._groups[key].get(name)

    def node(self, sequence: str, group: str | None = None) -> GraphNode:
        """Return a node by its names as they are written; the graph remembers them."""
        key = folded(sequence)
        self._written.setdefault(key, sequence)
        return GraphNode(sequence=key, group=group)

    def called(self, entry: ToolEntry, sequence: str) -> Edge | None:
        """Return where an entry of a sequence leads, None for one that calls nobody."""
        target = target_of(entry.args) if entry.tool in CALL_TOOLS else None
        if target is None:
            return None
        if target.sequence is None:
            return Edge(to=GraphNode(sequence=sequence, group=target.group))
        return Edge(to=self.node(target.sequence, target.group), call=1)

    def own_nodes(self) -> list[GraphNode]:
        """Return the own sequence and each of its groups."""
        name = folded(self.own.name)
        groups = [GraphNode(sequence=name, group=each.name) for each in self.own.groups]
        return [GraphNode(sequence=name), *groups]

    def edges(self, node: GraphNode) -> tuple[Edge, ...]:
        """Return where a node leads."""
        if node not in self._edges:
            self._edges[node] = tuple(dict.fromkeys(self._leads(node)))
        return self._edges[node]

    def _leads(self, node: GraphNode) -> Iterator[Edge]:
        found = self.sequence(node.sequence)
        if found is None:
            return
        if node.group is None:
            for group in found.groups:
                if not group.call_only:
                    yield Edge(to=GraphNode(sequence=node.sequence, group=group.name))
            return
        own = self.group(node.sequence, node.group)
        for entry in own.tools if own else ():
            if (to := self.called(entry, node.sequence)) is not None:
                yield to

    def shown(self, walk: Walk) -> str:
        """Return a walk as `#A → #B → #A`: a group of a whole sequence is left out."""
        middle = [
            node
            for before, node in pairwise(walk[:-1])
            if before.group is not None or before.sequence != node.sequence
        ]
        return ARROW.join(map(self.label, (walk[0], *middle, walk[-1])))

    def label(self, node: GraphNode) -> str:
        """Return how a node is called by name."""
        found = self.sequence(node.sequence)
        name = found.name if found else node.sequence
        return f"#{name}" if node.group is None else f"#{name}/{node.group}"


def find_cycles(graph: CallGraph) -> list[Walk]:
    """Return the cycles that a walk from the own sequence closes, each once.

    A cycle begins and ends with the same node.
    """
    cycles: list[Walk] = []
    done: set[GraphNode] = set()
    for start in graph.own_nodes():
        trail: dict[GraphNode, Iterator[Edge]] = {}
        if start not in done:
            trail[start] = iter(graph.edges(start))
        while trail:
            node, edges = next(reversed(trail.items()))
            edge = next(edges, None)
            if edge is None:
                del trail[node]
                done.add(node)
            elif edge.to in trail:
                nodes = list(trail)
                cycles.append((*nodes[nodes.index(edge.to) :], edge.to))
            elif edge.to not in done:
                trail[edge.to] = iter(graph.edges(edge.to))
    return list({frozenset(walk): walk for walk in cycles}.values())


def deepest(graph: CallGraph, starts: Iterable[GraphNode]) -> Walk:
    """Return the walk from one of the nodes that has most `#` calls, empty for none.

    Where a walk comes back to itself it ends; cycles are for `find_cycles` to tell.
    """
    depth: dict[GraphNode, int] = {}
    onward: dict[GraphNode, GraphNode | None] = {}
    opened: set[GraphNode] = set()
    roots = list(starts)
    stack = list(roots)
    while stack:
        node = stack[-1]
        if node not in opened:
            opened.add(node)
            stack.extend(edge.to for edge in graph.edges(node) if edge.to not in opened)
            continue
        stack.pop()
        if node not in depth:
            ways = [(depth.get(e.to, 0) + e.call, e.to) for e in graph.edges(node)]
            most = max((way[0] for way in ways), default=0)
            depth[node] = most
            onward[node] = next((to for way, to in ways if way == most), None)
    best = max(roots, key=lambda root: depth[root], default=None)
    walk: dict[GraphNode, None] = {}
    while best is not None and best not in walk:
        walk[best] = None
        best = onward[best] if depth[best] else None
    return tuple(walk)


def count_calls(graph: CallGraph, walk: Walk) -> int:
    """Return how many `#` calls a walk makes."""
    return sum(
        max((edge.call for edge in graph.edges(node) if edge.to == to), default=0)
        for node, to in pairwise(walk)
    )


def entry_of(graph: CallGraph, walk: Walk) -> Path:
    """Return the JSON path of the first call of the own sequence on a walk."""
    own = folded(graph.own.name)
    groups = {group.name: at for at, group in reversed([*enumerate(graph.own.groups)])}
    for node, to in pairwise(walk):
        if node.sequence != own or node.group is None:
            continue
        at = groups[node.group]
        for index, entry in enumerate(graph.own.groups[at].tools):
            edge = graph.called(entry, own)
            if edge is not None and edge.to == to:
                return ("groups", at, "tools", index, "args", "target")
    return ()
