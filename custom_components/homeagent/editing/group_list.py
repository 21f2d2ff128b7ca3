"""What can be done to the groups of a sequence as a list: put in, move, copy, take out.

Beside `work`; pure. A group that gets another name keeps its callers: calls by its old
name, in the same sequence, go along.
"""

from collections.abc import Mapping, Sequence as Many

from ..sequence.limits import MAX_NAME
from ..sequence.model import CALL_TOOLS
from ..sequence.names import normal_name
from .group_form import GroupDocument

type Groups = Many[GroupDocument]


def put(groups: Groups, index: int, group: GroupDocument) -> list[GroupDocument]:
    """Return the groups with one replaced, or added behind the last."""
    if index >= len(groups):
        return [*groups, group]
    old, new = name_of(groups[index]), name_of(group)
    changed = [*groups[:index], group, *groups[index + 1 :]]
    others = {name_of(each) for place, each in enumerate(groups) if place != index}
    if old == new or old in others:
        return changed
    return [_calling(each, old, new) for each in changed]


def move(groups: Groups, index: int, by: int) -> list[GroupDocument]:
    """Return the groups with one moved up (-1) or down (1), if there is room."""
    moved = list(groups)
    group = moved.pop(index)
    moved.insert(max(0, index + by), group)
    return moved


def take_out(groups: Groups, index: int) -> list[GroupDocument]:
    """Return the groups without one."""
    return [*groups[:index], *groups[index + 1 :]]


def copy(groups: Groups, index: int) -> list[GroupDocument]:
    """Return the groups with a copy of one behind it, under a free name."""
    group = groups[index]
    name = free_name(name_of(group), {name_of(each) for each in groups})
    return [*groups[: index + 1], {**group, "name": name}, *groups[index + 1 :]]


def name_of(group: GroupDocument) -> str:
    """Return the name of a group, in its normal form."""
    return normal_name(str(group.get("name", "")))


def free_name(name: str, taken: set[str]) -> str:
    """Return the name with the first number behind it that makes it a free one."""
    folded = {each.casefold() for each in taken}
    number = 2
    while True:
        end = f" {number}"
        free = f"{name[: MAX_NAME - len(end)].rstrip()}{end}"
        if free.casefold() not in folded:
            return free
        number += 1


def _calling(group: GroupDocument, old: str, new: str) -> GroupDocument:
    tools = group.get("tools")
    if not isinstance(tools, list):
        return group
    return {**group, "tools": [_entry(entry, old, new) for entry in tools]}


def _entry(entry: object, old: str, new: str) -> object:
    if not isinstance(entry, Mapping) or entry.get("tool") not in CALL_TOOLS:
        return entry
    args = entry.get("args")
    target = args.get("target") if isinstance(args, Mapping) else None
    if not isinstance(args, Mapping) or not isinstance(target, str):
        return entry
    if normal_name(target) != old:
        return entry
    return {**entry, "args": {**args, "target": new}}
