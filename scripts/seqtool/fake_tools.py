"""Declared fake tools: what a dry run has in the place of a home's tools.

Imports the core's kernel only. The form in which they are declared is read in
`tools_file`.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from custom_components.homeagent.kernel.contract import (
    Arguments,
    Invocation,
    Tool,
    ToolDefinition,
)
from custom_components.homeagent.kernel.errors import ToolError
from custom_components.homeagent.kernel.function_tool import FunctionTool


@dataclass(frozen=True, slots=True, kw_only=True)
class Behavior:
    """What one call does after `delay` seconds: fails, echoes, or gives a value."""

    value: object = None
    echo: bool = False
    error: ToolError | None = None
    delay: float = 0.0

    def outcome(self, arguments: Arguments) -> object:
        """Return what the call gives."""
        if self.error is not None:
            return self.error
        return dict(arguments) if self.echo else self.value


ECHO: Final = Behavior(echo=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One tool as it is declared; the static checks ask it what it is.

    `behaviors` come in turn, the last one again and again.
    """

    name: str
    parallel_safe: bool = False
    parameters: Mapping[str, object] | None = None
    behaviors: tuple[Behavior, ...] = (ECHO,)

    def ordering_keys(self, arguments: Mapping[str, object]) -> Collection[str]:
        """Return nothing: a fake tool acts on nothing."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredTools:
    """All that are declared, for the static checks."""

    by_name: Mapping[str, Declared]

    def find(self, name: str) -> Declared | None:
        """Return the tool of that name."""
        return self.by_name.get(name)


@dataclass(slots=True, kw_only=True)
class FakeTools:
    """The tools themselves, for one dry run; `calls` counts what reached each."""

    declared: DeclaredTools
    calls: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Count from nothing."""
        self.calls = dict.fromkeys(self.declared.by_name, 0)

    def tools(self) -> Iterable[Tool]:
        """Make the tools."""
        for declared in self.declared.by_name.values():
            yield self._tool(declared)

    def _tool(self, declared: Declared) -> Tool:
        async def work(invocation: Invocation) -> object:
            return await self._call(declared, invocation)

        definition = ToolDefinition(
            name=declared.name,
            parallel_safe=declared.parallel_safe,
            parameters=declared.parameters or {},
        )
        return FunctionTool(definition=definition, work=work)

    async def _call(self, declared: Declared, invocation: Invocation) -> object:
        number = self.calls[declared.name]
        self.calls[declared.name] += 1
        behavior = declared.behaviors[min(number, len(declared.behaviors) - 1)]
        if behavior.delay:
            await asyncio.sleep(behavior.delay)
        return behavior.outcome(invocation.arguments)
