"""The table of runs: what runs now, and what came of the last ones.

Part of the engine; pure. A run can be asked for, awaited and cancelled by its id.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ..kernel.contract import Caller
from .report import RunReport

MAX_RUNS: Final = 10
"""How many runs of one sequence may go on at the same time."""

KEPT_RUNS: Final = 50
"""How many finished runs can still be asked for."""


@dataclass(slots=True, kw_only=True, eq=False)
class Run:
    """One run: going on while `report` is None, then finished.

    `started` is the clock's time in seconds, `group` the name of the group it is in.
    `parent` is the run out of which it was started through Home Assistant, `children`
    are the runs that were so started out of this one, and go on.
    """

    id: str
    sequence: str
    caller: Caller
    started: float
    args: Mapping[str, object] = field(default_factory=dict)
    parent: Run | None = None
    group: str | None = None
    report: RunReport | None = None
    cancelled: bool = False
    children: list[Run] = field(default_factory=list)
    _task: asyncio.Task[object] | None = None
    _cancels_before: int = 0
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    def enter(self) -> None:
        """Say that the current task is the one that runs this."""
        self._task = asyncio.current_task()
        if self._task is not None:
            self._cancels_before = self._task.cancelling()
        if self.parent is not None:
            self.parent.children.append(self)

    def cancel(self) -> bool:
        """Stop the run and what was started out of it; false when it had ended."""
        if self.report is not None:
            return False
        for child in self.children:
            child.cancel()
        if not self.cancelled and self._task is not None:
            self.cancelled = True
            self._task.cancel()
        return True

    def leave(self, report: RunReport) -> bool:
        """Finish with this report; true if nobody but `cancel` cancelled the task."""
        self.report = report
        self._ended.set()
        if self.parent is not None and self in self.parent.children:
            self.parent.children.remove(self)
        task, self._task = self._task, None
        if not self.cancelled or task is None:
            return False
        return task.uncancel() <= self._cancels_before

    def shed(self) -> None:
        """Let go of what it gave: others may hold on to an ended run for long."""
        if (report := self.report) is not None:
            self.report = replace(report, errors=(), groups=(), out={})

    async def wait(self) -> RunReport:
        """Return the report as soon as there is one."""
        await self._ended.wait()
        assert self.report is not None
        return self.report


class RunTable:
    """The runs by their id; of the finished ones only the last are kept."""

    def __init__(
        self,
        *,
        keep: int = KEPT_RUNS,
        begun: Callable[[Run], None] | None = None,
        finished: Callable[[Run], None] | None = None,
    ) -> None:
        """Start empty; `begun` and `finished` are told of each run."""
        self._keep = keep
        self._begun = begun
        self._finished = finished
        self._running: dict[str, Run] = {}
        self._done: dict[str, Run] = {}
        self._count: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Run]:
        """Go through the runs that go on, oldest first."""
        return iter(tuple(self._running.values()))

    def get(self, run_id: str) -> Run | None:
        """Return the run of that id, going on or among the last finished ones."""
        return self._running.get(run_id) or self._done.get(run_id)

    def begin(self, run: Run) -> bool:
        """Take up a run; false when as many of its sequence go on as may."""
        name = run.sequence.casefold()
        if self._count[name] >= MAX_RUNS:
            return False
        self._count[name] += 1
        self._running[run.id] = run
        run.enter()
        if self._begun is not None:
            self._begun(run)
        return True

    def end(self, run: Run, report: RunReport) -> bool:
        """Finish a run; true if its task was cancelled by `Run.cancel` alone."""
        del self._running[run.id]
        name = run.sequence.casefold()
        self._count[name] -= 1
        if not self._count[name]:
            del self._count[name]
        return self.record(run, report)

    def record(self, run: Run, report: RunReport) -> bool:
        """Keep the report of a run that ended, or that did not even begin."""
        own = run.leave(report)
        self._done[run.id] = run
        while len(self._done) > self._keep:
            self._done.pop(next(iter(self._done))).shed()
        if self._finished is not None:
            self._finished(run)
        return own
