"""A sequence's new name, in itself and in those that call it.

Pure; imports the AST and the form of targets.
"""

from dataclasses import replace

from .model import CALL_TOOLS, Group, Sequence, ToolEntry
from .names import folded
from .targets import format_target, target_of


def rename_calls(sequence: Sequence, old: str, new: str) -> Sequence:
    """Return the sequence with its calls of `#old` naming `#new`; itself if it has none."""
    groups = tuple(_group(group, folded(old), new) for group in sequence.groups)
    changed = any(
        one is not other for one, other in zip(groups, sequence.groups, strict=True)
    )
    return replace(sequence, groups=groups) if changed else sequence


def _group(group: Group, old: str, new: str) -> Group:
    tools = tuple(_entry(entry, old, new) for entry in group.tools)
    changed = any(
        one is not other for one, other in zip(tools, group.tools, strict=True)
    )
    return replace(group, tools=tools) if changed else group


def _entry(entry: ToolEntry, old: str, new: str) -> ToolEntry:
    target = target_of(entry.args) if entry.tool in CALL_TOOLS else None
    if target is None or target.sequence is None or folded(target.sequence) != old:
        return entry
    renamed = format_target(replace(target, sequence=new))
    return replace(entry, args={**entry.args, "target": renamed})
