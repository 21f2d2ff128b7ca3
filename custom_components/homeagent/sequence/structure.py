"""What can be checked of a sequence from its AST alone (page 2 §2.2).

Checks 1, 2, 3, 5 (within the sequence), 6, 10, 12 and 13. Pure; knows no tools and no
other sequences. `checks` adds what depends on the moment.
"""

from collections.abc import Iterable

from .call_checks import check_call, check_call_form
from .callees import Callee, Resolve, group_callee
from .fields import nearest_name
from .findings import Findings
from .forbidden import is_forbidden
from .model import CALL_TOOLS, CallTarget, Group, Sequence, ToolEntry
from .problems import Path, list_names, show
from .reference_checks import check_references
from .slot_checks import check_slots
from .targets import target_of


def check_structure(sequence: Sequence, findings: Findings) -> None:
    """Check a sequence or a draft; nothing is concluded from what could not be read."""
    _check_group_names(sequence.groups, findings)
    resolve = own_groups(_known_groups(sequence.groups, findings))
    named = not any(
        ("groups", index, "name") in findings.gaps or ("groups", index) in findings.gaps
        for index in range(len(sequence.groups))
    )
    for index, group in enumerate(sequence.groups):
        path: Path = ("groups", index)
        check_group_structure(group, path, findings, resolve)
        if named and ("groups",) not in findings.gaps:
            check_own_targets(group, path, findings, sequence.groups)


def _known_groups(groups: Iterable[Group], findings: Findings) -> list[Group]:
    """Return the groups whose inputs and outputs could be read."""
    unknown = {gap[1] for gap in findings.gaps if gap[2:3] in {("in",), ("out",)}}
    return [group for index, group in enumerate(groups) if index not in unknown]


def own_groups(groups: Iterable[Group]) -> Resolve:
    """Return what finds the groups of one sequence by their names."""
    callees: dict[str, Callee] = {}
    for group in groups:
        callees.setdefault(group.name, group_callee(group))

    def resolve(target: CallTarget) -> Callee | None:
        if target.sequence is not None or target.group is None:
            return None
        return callees.get(target.group)

    return resolve


def _check_group_names(groups: Iterable[Group], findings: Findings) -> None:
    first: dict[str, int] = {}
    for index, group in enumerate(groups):
        place = ("groups", index, "name")
        if place in findings.gaps or place[:2] in findings.gaps:
            continue
        if group.name in first:
            findings.error(
                "group_name_twice",
                place,
                found=show(group.name),
                first=f"groups[{first[group.name]}]",
            )
        first.setdefault(group.name, index)


def check_group_structure(
    group: Group, path: Path, findings: Findings, resolve: Resolve
) -> None:
    """Check one group, given what its calls of other groups meet."""
    check_slots(group, path, findings)
    check_references(group, path, findings, resolve)
    for index, entry in enumerate(group.tools):
        place = (*path, "tools", index)
        if place in findings.gaps:
            continue
        _check_tool(entry, place, findings)
        if entry.tool in CALL_TOOLS:
            check_call_form(entry, place, findings)
            check_call(entry, place, group, findings, resolve)


def _check_tool(entry: ToolEntry, path: Path, findings: Findings) -> None:
    """No forbidden tool, under any of its names; calls by name under their own."""
    forbidden = is_forbidden(entry.tool, entry.args)
    if forbidden is not None:
        findings.error(
            "forbidden",
            (*path, "tool"),
            found=show(entry.tool),
            why=forbidden.why,
            nearest=forbidden.instead,
        )
        return
    bare = entry.tool.casefold().removeprefix("homeagent").lstrip("._")
    if bare in CALL_TOOLS and bare != entry.tool:
        findings.error(
            "call_by_other_name", (*path, "tool"), found=show(entry.tool), nearest=bare
        )


def check_own_targets(
    group: Group, path: Path, findings: Findings, groups: Iterable[Group]
) -> None:
    """A target without `#` names a group of the same sequence (§7.3 rule 5)."""
    names = dict.fromkeys(each.name for each in groups)
    for index, entry in enumerate(group.tools):
        target = target_of(entry.args) if entry.tool in CALL_TOOLS else None
        if target is None or target.sequence is not None or target.group in names:
            continue
        name = target.group or ""
        findings.error(
            "unknown_group",
            (*path, "tools", index, "args", "target"),
            found=show(name),
            legal=list_names(names),
            nearest=nearest_name(name, names),
        )
