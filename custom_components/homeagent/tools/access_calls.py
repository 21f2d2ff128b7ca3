"""What calls act on, for access control (page 3 §3.3).

Implements access control's port `CallView` for all tools there are: actions of Home
Assistant, reading tools, the sequence tools, hosts, and those that call others. What is
not known here needs a rule that names it. Awaits nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ..access.ports import CallKind, CallScope
from ..kernel.contract import Arguments, Tool
from ..sequence.library import Library
from .access_actions import action_scope, comes_to, reduced_action, widest_action
from .action_tool import ActionTool
from .reading import ReadingTool
from .targets import Resolved

_OPEN: Final = frozenset(
    {"tool_search", "tool_call", "seq_list", "seq_help", "host_list", "wait"}
)
"""Tools that tell only what the caller may use, act on nothing, or call through the
door again, where the inner call is judged as this caller's own."""

_RUNNING: Final = frozenset({"seq_run", "seq_call", "seq_when_call"})
_RUN: Final = "seq_run"
"""The name by which rules know all three."""


class Calls:
    """Tells what calls act on."""

    def __init__(
        self,
        *,
        sequences: Library,
        asks: Callable[[str], bool],
        hosts: Callable[[], frozenset[str]] = frozenset,
        host_of: Callable[[str], str | None] = lambda name: None,
    ) -> None:
        """Take the sequences; `asks` tells which tools are marked to be asked for.

        `hosts` are the device ids of all hosts, `host_of` finds one by what a call names.
        """
        self._sequences = sequences
        self._asks = asks
        self._hosts = hosts
        self._host_of = host_of

    def scope(self, tool: Tool, arguments: Arguments) -> CallScope:
        """Return what a call with checked arguments acts on."""
        return self._marked(tool, self._scope(tool, arguments))

    def _scope(self, tool: Tool, arguments: Arguments) -> CallScope:
        name = tool.definition.name
        if isinstance(tool, ActionTool):
            return action_scope(tool, arguments)
        if name in _OPEN:
            return CallScope(tool=name, kind=CallKind.OPEN)
        if isinstance(tool, ReadingTool):
            return _reading_scope(tool, arguments)
        if name in _RUNNING:
            return self._run_scope(arguments)
        if name == "seq_create":
            # With the right to propose only, the tool makes a draft of it.
            return CallScope(tool=name, kind=CallKind.PROPOSING)
        if name == "seq_delete":
            return CallScope(tool=name, kind=CallKind.EDITING)
        if name.startswith("host_"):
            return self._host_scope(name, arguments)
        return CallScope(tool=name, kind=CallKind.PLAIN)

    def widest(self, tool: Tool) -> CallScope:
        """Return all that any call of the tool could act on."""
        return self._marked(tool, self._widest(tool))

    def _widest(self, tool: Tool) -> CallScope:
        name = tool.definition.name
        if isinstance(tool, ActionTool):
            return widest_action(tool)
        if name in _RUNNING:
            ids = frozenset(key for key, _ in self._sequences.items())
            return CallScope(tool=_RUN, kind=CallKind.SEQUENCE_RUN, sequences=ids)
        if name.startswith("host_") and name not in _OPEN:
            return CallScope(tool=name, kind=CallKind.HOST, devices=self._hosts())
        return self._scope(tool, {})

    def reduce(
        self, tool: Tool, arguments: Arguments, keep: frozenset[str]
    ) -> Arguments | None:
        """Return arguments that act on these entities only, None where it cannot be."""
        if isinstance(tool, ActionTool):
            return reduced_action(tool, arguments, keep)
        return None

    def _marked(self, tool: Tool, scope: CallScope) -> CallScope:
        """Mark a call that comes to an action which a person must agree to."""
        names = {scope.tool, *comes_to(tool, scope)}
        return replace(scope, asks=True) if any(map(self._asks, names)) else scope

    def _run_scope(self, arguments: Arguments) -> CallScope:
        """Tell which sequence is run; the state of a run is its caller's to know."""
        target = arguments.get("target")
        if "run_id" in arguments or (
            isinstance(target, str) and not target.strip().startswith("#")
        ):
            return CallScope(tool=_RUN, kind=CallKind.OPEN)
        named = str(arguments.get("name", target))
        key = self._key_of(named)
        return CallScope(
            tool=_RUN,
            kind=CallKind.SEQUENCE_RUN,
            sequences=frozenset() if key is None else frozenset({key}),
            unresolved=key is None,
        )

    def _key_of(self, named: str) -> str | None:
        name = named.strip()
        if name.startswith("#"):
            name = name[1:].partition("/")[0]
        return self._sequences.key_of(name)

    def _host_scope(self, name: str, arguments: Mapping[str, object]) -> CallScope:
        device = self._host_of(str(arguments.get("host")))
        return CallScope(
            tool=name,
            kind=CallKind.HOST,
            devices=frozenset() if device is None else frozenset({device}),
            unresolved=device is None,
        )


def _reading_scope(tool: ReadingTool, arguments: Arguments) -> CallScope:
    if tool.tells_granted_only(arguments):
        return CallScope(tool=tool.definition.name, kind=CallKind.READING)
    resolved = tool.resolve(arguments)
    return replace(
        _of_resolved(tool.definition.name, CallKind.READING, resolved),
        takes_target=True,
        named=resolved.named,
    )


def _of_resolved(name: str, kind: CallKind, resolved: Resolved) -> CallScope:
    return CallScope(
        tool=name,
        kind=kind,
        direct=resolved.direct | resolved.fields,
        indirect=resolved.indirect,
        unresolved=resolved.unresolved or bool(resolved.missing),
    )
