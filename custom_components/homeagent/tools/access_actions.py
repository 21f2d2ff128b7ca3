"""What an action's call acts on, for access control (page 3 §3.3).

Between `access_calls` and the action tools. Entity actions are judged by their entities.
An action that is none may do more than its target tells: only a rule that names it lets
it pass, and what it names must be granted, too. A script's own action is the script.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ..access.ports import CallKind, CallScope
from ..kernel.contract import Arguments, Tool
from .action_tool import ActionTool
from .named_media import entities_of_media
from .reach import DELEGATING
from .targets import Resolved

_LIKE_ENTITY_ACTIONS: Final = DELEGATING | {
    "homeassistant.update_entity",
    "script.toggle",
    "script.turn_off",
    "script.turn_on",
}
"""Actions that touch their targets only, although they are no entity services."""

_LISTING: Final = frozenset({"media_player.browse_media", "media_player.search_media"})
"""Entity services that list what is not their target, hidden cameras among it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sort:
    """What kind of right an action needs, and the script that it is."""

    kind: CallKind
    script: str | None = None

    @property
    def touches_entities_only(self) -> bool:
        return self.kind in {CallKind.ENTITY_ACTION, CallKind.READING}


def _sort(tool: ActionTool) -> _Sort:
    if (script := tool.runs_script()) is not None:
        return _Sort(kind=CallKind.CAPABILITY, script=script)
    name = tool.definition.name
    if not _has_target(tool):
        return _Sort(kind=CallKind.PLAIN)
    if name in _LISTING:
        return _Sort(kind=CallKind.PLAIN)
    if tool.reach.is_exact or name in _LIKE_ENTITY_ACTIONS:
        reads = tool.definition.read_only
        return _Sort(kind=CallKind.READING if reads else CallKind.ENTITY_ACTION)
    return _Sort(kind=CallKind.PLAIN)


def _has_target(tool: ActionTool) -> bool:
    return tool.shape.has_target or tool.shape.needs_target


def action_scope(tool: ActionTool, arguments: Arguments) -> CallScope:
    """Return what a call with checked arguments acts on."""
    sort, resolved = _sort(tool), tool.resolve(arguments)
    direct = resolved.direct | resolved.fields | entities_of_media(arguments)
    if sort.script is not None:
        direct |= {sort.script}
    devices = resolved.devices
    if sort.touches_entities_only:
        devices = resolved.field_devices
    return CallScope(
        tool=tool.definition.name,
        kind=sort.kind,
        direct=direct,
        indirect=resolved.indirect,
        devices=devices,
        takes_target=sort.script is None and _has_target(tool),
        named=resolved.named,
        unresolved=resolved.unresolved or bool(resolved.missing),
    )


def comes_to(tool: Tool, scope: CallScope) -> Iterator[str]:
    """Return the actions that a call comes to, by their own names.

    `homeassistant.turn_on` of a lamp is `light.turn_on`, and whatever starts a script is
    the script's own action.
    """
    if not isinstance(tool, ActionTool):
        return
    name = tool.definition.name
    command = name.partition(".")[2]
    for one in scope.direct | scope.indirect:
        if name in DELEGATING:
            yield f"{one.partition('.')[0]}.{command}"
        if one.startswith("script.") and command != "turn_off":
            yield tool.own_action(one)


def widest_action(tool: ActionTool) -> CallScope:
    """Return all that any call of the action could act on."""
    sort = _sort(tool)
    if sort.script is not None:
        return CallScope(
            tool=tool.definition.name, kind=sort.kind, direct=frozenset({sort.script})
        )
    entities: Iterable[str] = ()
    if sort.touches_entities_only:
        entities = tool.reach.everything()
    return CallScope(
        tool=tool.definition.name,
        kind=sort.kind,
        indirect=frozenset(entities),
        takes_target=sort.touches_entities_only,
        named=True,
    )


def reduced_action(
    tool: ActionTool, arguments: Arguments, keep: frozenset[str]
) -> Arguments | None:
    """Return arguments that name these entities as their target, and no others.

    None for actions that may act on more than entities.
    """
    if not _sort(tool).touches_entities_only:
        return None
    if "entity_id" not in tool.shape.target_keys:
        return None
    reduced = {
        key: value
        for key, value in arguments.items()
        if key not in tool.shape.target_keys
    }
    acted_on: Resolved = tool.resolve(arguments)
    reduced["entity_id"] = sorted(keep & acted_on.acted_on)
    return reduced
