"""A dry run: the real engine, batch and door, on fake tools and a clock that jumps.

Imports the core only. Nothing waits for real: a delay of an hour takes no time, and is an
hour in the report.
"""

from collections.abc import Iterable, Mapping, Sequence as Many
from dataclasses import dataclass
from typing import Final

from custom_components.homeagent.kernel.batch import Batch
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Decision,
    Entrance,
    Tool,
    ToolCall,
    Verdict,
)
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.kernel.journal import NoJournal
from custom_components.homeagent.sequence.engine import Engine
from custom_components.homeagent.sequence.library import Library
from custom_components.homeagent.sequence.model import Sequence
from custom_components.homeagent.sequence.ports import Ports
from custom_components.homeagent.sequence.report import RunReport

from .calls_by_name import calls_by_name
from .fake_tools import DeclaredTools, FakeTools
from .virtual_time import LoopClock, run_virtual

_RUN_ID: Final = "dry-run"
_CALLER: Final = Caller(entrance=Entrance.DIRECT)


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """What came of it; `calls` tells how often each declared tool was called."""

    report: RunReport
    calls: Mapping[str, int]

    def as_dict(self) -> dict[str, object]:
        """Return the run's result, with the calls added."""
        return {**self.report.as_dict(), "calls": dict(self.calls)}


def dry_run(
    sequence: Sequence, args: Mapping[str, object], declared: DeclaredTools
) -> DryRun:
    """Run a sequence to its report; there are no other tools and no other sequences."""
    fakes = FakeTools(declared=declared)
    engine = _engine(sequence, fakes.tools())
    report = run_virtual(engine.run(sequence, args, _CALLER))
    return DryRun(report=report, calls=fakes.calls)


class _Registry:
    """The tools by name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        self.add(tools)

    def add(self, tools: Iterable[Tool]) -> None:
        self._tools.update({tool.definition.name: tool for tool in tools})

    def find(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def names(self) -> Iterable[str]:
        return list(self._tools)


class _Everything:
    """A policy for a home in which there is nothing to protect."""

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        return Decision(verdict=Verdict.ALLOW)

    def sees_everything(self, caller: Caller) -> bool:
        return True


def _engine(sequence: Sequence, tools: Iterable[Tool]) -> Engine:
    """Put an engine together as the integration does, around one sequence."""
    registry, policy = _Registry(tools), _Everything()
    door = Door(registry=registry, policy=policy)
    library = Library()
    library.put(sequence.name, sequence)

    def open_batch(caller: Caller, calls: Many[ToolCall]) -> Batch:
        return Batch(
            door=door,
            journal=NoJournal(),
            caller=caller,
            calls=calls,
            batch_id=_RUN_ID,
            mask=False,
        )

    engine = Engine(
        Ports(
            tools=registry,
            open_batch=open_batch,
            can_use=policy.can_use,
            sequences=library,
            clock=LoopClock(),
            new_id=_new_id,
        )
    )
    registry.add(calls_by_name(engine))
    return engine


def _new_id() -> str:
    return _RUN_ID
