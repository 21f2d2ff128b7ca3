"""Slots are declared, written once, and have a fallback that fits (§7.3).

Part of the static checks (page 2 §2.2, checks 1, 3, 6, 12); pure.
"""

from collections.abc import Mapping

from ..kernel.errors import ToolError
from .fields import nearest_name
from .findings import Findings
from .fitting import fit
from .model import ABSENT, Group, Missing, Parameter, SlotType, ToolEntry
from .problems import Path, list_names, show


def check_slots(group: Group, path: Path, findings: Findings) -> None:
    """Check every `as` of a group, and what belongs to it."""
    first: dict[str, int] = {}
    for index, entry in enumerate(group.tools):
        place = (*path, "tools", index)
        if entry.as_ is None:
            _check_without_slot(entry, place, findings)
            continue
        if (*place, "as") in findings.gaps or (*path, "out") in findings.gaps:
            continue
        slot = group.outputs.get(entry.as_)
        if slot is None:
            _undeclared(entry.as_, group.outputs, place, findings)
            continue
        known = (*path, "out", entry.as_) not in findings.gaps
        if known and slot.type is not SlotType.ARRAY and entry.as_ in first:
            findings.error(
                "slot_written_twice",
                (*place, "as"),
                slot=show(entry.as_),
                type=slot.type,
                first=f"tools[{first[entry.as_]}]",
            )
        first.setdefault(entry.as_, index)
        if known and (*place, "fallback") not in findings.gaps:
            _check_fallback(entry, slot, group.missing, place, findings)


def _undeclared(
    slot: str, outputs: Mapping[str, Parameter], path: Path, findings: Findings
) -> None:
    findings.error(
        "as_undeclared",
        (*path, "as"),
        found=show(slot),
        legal=list_names(outputs),
        nearest=nearest_name(slot, outputs),
    )


def _check_without_slot(entry: ToolEntry, path: Path, findings: Findings) -> None:
    if entry.select is not None:
        findings.warning("select_unused", (*path, "select"))
    if entry.fallback is not ABSENT:
        findings.warning("fallback_unused", (*path, "fallback"))


def _check_fallback(
    entry: ToolEntry, slot: Parameter, missing: Missing, path: Path, findings: Findings
) -> None:
    """What `missing: degrade` writes must be there, and fit (check 12)."""
    if entry.fallback is ABSENT:
        if missing is Missing.DEGRADE:
            findings.error("fallback_missing", path, tool=show(entry.tool))
        return
    if missing is not Missing.DEGRADE:
        findings.warning("fallback_unused", (*path, "fallback"))
    # An `array` slot takes anything as one element, a `string` slot renders it.
    takes_anything = slot.type in {SlotType.ARRAY, SlotType.STRING, SlotType.ANY}
    if takes_anything or not isinstance(fit(entry.fallback, slot.type, ""), ToolError):
        return
    findings.error(
        "fallback_does_not_fit",
        (*path, "fallback"),
        found=show(entry.fallback),
        slot=show(entry.as_),
        type=slot.type,
    )
