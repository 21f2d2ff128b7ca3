"""All static checks of a sequence, at creation and at every edit (page 2 §2.2).

Top of the language: puts together what the AST says by itself (`structure`) with what
the tools and sequences of the moment say. Pure and total.
"""

from collections.abc import Collection
from dataclasses import dataclass

from .callgraph import CallGraph
from .document import Parsed
from .findings import Findings
from .graph_checks import check_foreign_calls, check_graph
from .limits import MAX_BYTES, MAX_GROUPS, MAX_TOOLS
from .lookups import SequenceLookup, ToolLookup
from .model import Group, Sequence
from .moment_checks import MomentChecks
from .problems import NOWHERE, Path, Problem
from .reached_tools import Safeties
from .structure import (
    check_group_structure,
    check_own_targets,
    check_structure,
    own_groups,
)
from .writer import fits_in_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was found, all at once; only errors keep a sequence from being saved."""

    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def check_sequence(
    sequence: Sequence,
    tools: ToolLookup,
    sequences: SequenceLookup,
    own_buttons: Collection[str] = (),
) -> Report:
    """Check a whole AST; the problems have paths and no places.

    `own_buttons` are the entity ids of the buttons that run sequences.
    """
    findings = Findings()
    _check_size(sequence, findings)
    check_structure(sequence, findings)
    _check_surroundings(sequence, tools, sequences, findings, own_buttons)
    return _report(findings)


def check_parsed(
    parsed: Parsed,
    tools: ToolLookup,
    sequences: SequenceLookup,
    own_buttons: Collection[str] = (),
    unsaid: Collection[str] = (),
) -> Report:
    """Check what was read, also a draft, and add what reading found; with places.

    `unsaid` are codes of warnings that mean nothing where there is no home to look at.
    """
    findings = Findings(parsed.places, unsaid)
    findings.gaps.update(parsed.gaps)
    findings.errors.take_over(parsed.errors)
    findings.warnings.take_over(parsed.warnings)
    if parsed.draft is not None:
        _check_surroundings(parsed.draft, tools, sequences, findings, own_buttons)
    return _report(findings)


def check_moment(
    sequence: Sequence,
    tools: ToolLookup,
    sequences: SequenceLookup,
    own_buttons: Collection[str] = (),
) -> Report:
    """Check a stored sequence again when tools or sequences that it names changed.

    Cycles and depth are left out: only saving a sequence can bring them in.
    """
    findings = Findings()
    graph = CallGraph(sequence, sequences)
    _check_moment(sequence, tools, graph, findings, own_buttons)
    return _report(findings)


def check_group(
    group: Group,
    tools: ToolLookup,
    sequences: SequenceLookup,
    within: Sequence | None = None,
    own_buttons: Collection[str] = (),
) -> Report:
    """Check one group alone (§7.1); paths begin in the group.

    `within` is the sequence it is, or is to be, a part of: it takes the place of its
    namesake, and its calls of other groups are checked too. Without it they are not.
    """
    findings = Findings()
    others = within.groups if within else ()
    groups = (*(each for each in others if each.name != group.name), group)
    check_group_structure(group, (), findings, own_groups(groups if within else ()))
    if within is not None:
        check_own_targets(group, (), findings, groups)
    whole = Sequence(name=within.name if within else "", groups=groups)
    graph = CallGraph(whole, sequences)
    moment = MomentChecks(tools, Safeties(graph, tools), findings, own_buttons)
    moment.check_group(group, ())
    check_foreign_calls(group, (), graph, findings)
    return _report(findings)


def _check_surroundings(
    sequence: Sequence,
    tools: ToolLookup,
    sequences: SequenceLookup,
    findings: Findings,
    own_buttons: Collection[str],
) -> None:
    graph = CallGraph(sequence, sequences)
    check_graph(graph, sequences, findings)
    _check_moment(sequence, tools, graph, findings, own_buttons)


def _check_moment(
    sequence: Sequence,
    tools: ToolLookup,
    graph: CallGraph,
    findings: Findings,
    own_buttons: Collection[str],
) -> None:
    moment = MomentChecks(tools, Safeties(graph, tools), findings, own_buttons)
    for index, group in enumerate(sequence.groups):
        path: Path = ("groups", index)
        moment.check_group(group, path)
        check_foreign_calls(group, path, graph, findings)


def _check_size(sequence: Sequence, findings: Findings) -> None:
    """The limits hold for what was put together of several texts, too (§2.6)."""
    if len(sequence.groups) > MAX_GROUPS:
        findings.error(
            "too_many_groups",
            ("groups",),
            found=str(len(sequence.groups)),
            limit=str(MAX_GROUPS),
        )
    for index, group in enumerate(sequence.groups):
        if len(group.tools) > MAX_TOOLS:
            findings.error(
                "too_many_tools",
                ("groups", index, "tools"),
                found=str(len(group.tools)),
                limit=str(MAX_TOOLS),
            )
    if not fits_in_text(sequence):
        findings.error("too_large", (), NOWHERE, limit=str(MAX_BYTES // 1024))


def _report(findings: Findings) -> Report:
    return Report(
        errors=findings.errors.in_order(), warnings=findings.warnings.in_order()
    )
