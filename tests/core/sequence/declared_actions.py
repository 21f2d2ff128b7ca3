"""The tools that examples name, as the integration's own table declares them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from custom_components.homeagent.tools.declarations import (
    Declarations,
    load_declarations,
)

HOST_TOOLS = frozenset({"host_run"})


@dataclass(frozen=True, kw_only=True)
class Action:
    """An action: whether it is parallel safe, and what it acts on."""

    parallel_safe: bool
    output: str
    parameters: Mapping[str, object] | None = None

    def ordering_keys(self, arguments: Mapping[str, object]) -> Collection[str] | None:
        named = arguments.get("entity_id")
        listed = named if isinstance(named, list) else [named]
        entities = [f"entity:{each}" for each in listed if isinstance(each, str)]
        return [*entities, *([f"output:{self.output}"] if self.output else [])]


@dataclass(frozen=True)
class DeclaredActions:
    """Every action that the table has a row for; hosts run read-only commands."""

    table: Declarations

    def find(self, name: str) -> Action | None:
        if name in HOST_TOOLS:
            return Action(parallel_safe=True, output="")
        domain, _, action = name.partition(".")
        if not self.table.knows(domain, action):
            return None
        row = self.table.row(domain, action)
        return Action(parallel_safe=row.safe, output=(row.output or "").strip("="))


ACTIONS = DeclaredActions(load_declarations())
