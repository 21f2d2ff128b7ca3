"""Calls of other sequences: cycles, depth, and whether they fit (§8.3).

Part of the static checks (page 2 §2.2, checks 5, 7, 8, 9); pure.
"""

from .call_checks import check_call
from .callees import Callee, group_callee, sequence_callee
from .callgraph import CallGraph, count_calls, deepest, entry_of, find_cycles
from .fields import nearest_name
from .findings import Findings
from .limits import MAX_CALL_DEPTH
from .lookups import SequenceLookup
from .model import CALL_TOOLS, CallTarget, Group
from .names import folded
from .problems import Path, show
from .reference_checks import check_results
from .targets import target_of
from .usage import uses_of


def check_graph(
    graph: CallGraph, sequences: SequenceLookup, findings: Findings
) -> None:
    """Refuse a sequence that closes a cycle or makes calls too deep."""
    cycles = find_cycles(graph)
    for walk in cycles:
        findings.error("cycle", entry_of(graph, walk), cycle=graph.shown(walk))
    if cycles:
        return
    walk = deepest(graph, graph.own_nodes())
    if count_calls(graph, walk) <= MAX_CALL_DEPTH:
        others = [graph.node(name) for name in sequences.names()]
        walk = deepest(graph, others)
    calls = count_calls(graph, walk)
    own = folded(graph.own.name)
    if calls > MAX_CALL_DEPTH and any(node.sequence == own for node in walk):
        findings.error(
            "depth",
            entry_of(graph, walk),
            found=str(calls),
            limit=str(MAX_CALL_DEPTH),
            walk=graph.shown(walk),
        )


def check_foreign_calls(
    group: Group, path: Path, graph: CallGraph, findings: Findings
) -> None:
    """Check the calls of a group that name a sequence."""

    def resolve(target: CallTarget) -> Callee | None:
        if target.sequence is None:
            return None
        found = graph.sequence(target.sequence)
        if found is None or (found is graph.own and findings.gaps):
            return None
        if target.group is None:
            return sequence_callee(found)
        inner = graph.group(target.sequence, target.group)
        return None if inner is None else group_callee(inner)

    for index, entry in enumerate(group.tools):
        target = target_of(entry.args) if entry.tool in CALL_TOOLS else None
        if target is None or target.sequence is None:
            continue
        place = (*path, "tools", index)
        _tell_unknown(target, place, graph, findings)
        check_call(entry, place, group, findings, resolve)
    check_results(group, path, findings, resolve, list(uses_of(group, path)))


def _tell_unknown(
    target: CallTarget, path: Path, graph: CallGraph, findings: Findings
) -> None:
    """What does not exist now is a warning: it may be saved later (§8.2)."""
    assert target.sequence is not None
    place = (*path, "args", "target")
    found = graph.sequence(target.sequence)
    if found is None:
        findings.warning("unknown_sequence", place, found=show(f"#{target.sequence}"))
    elif found is graph.own and findings.gaps:
        return
    elif target.group is not None and not graph.group(target.sequence, target.group):
        names = [group.name for group in found.groups]
        tell = findings.error if found is graph.own else findings.warning
        tell(
            "unknown_foreign_group",
            place,
            found=show(target.group),
            name=show(f"#{found.name}"),
            nearest=nearest_name(target.group, names),
        )
