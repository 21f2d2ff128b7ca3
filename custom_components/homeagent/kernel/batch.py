"""Several calls in one reply: at the same time, or in order (§6.2, page 1 §1.3).

Top layer of the kernel: entrances and the engine come in here, with one call or many.
The rule is `plan`, a pure function; `Batch` carries it out through the door.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from .contract import Caller, CallFacts, ToolCall, ToolResult
from .door import Door
from .errors import ToolError
from .ids import unique_ids
from .journal import CallRecord, Journal
from .masking import mask_error
from .records import record
from .underway import Prepared, cancelled_error, internal_error
from .waiting import failure
from .words import say

ONE_CALL = say("one_call")
ALL_SAFE = say("all_safe")


@record
class Plan:
    """How a batch is run, and the reason in one sentence."""

    parallel: bool
    why: str


_ALONE = Plan(parallel=False, why=ONE_CALL)


@record
class BatchResult:
    """What came of a batch: results in the order of the calls."""

    id: str
    parallel: bool
    why: str
    results: tuple[ToolResult, ...]


def plan(tools: Sequence[str], facts: Sequence[CallFacts]) -> Plan:
    """Decide how a batch runs: concurrently only if nothing speaks against it.

    It needs more than one call, every call declared parallel safe, and no ordering key
    in two of them. There is no partial concurrency.
    """
    if len(tools) < 2:
        return _ALONE
    for tool, fact in zip(tools, facts, strict=True):
        if not fact.parallel_safe:
            return Plan(parallel=False, why=say("not_safe", tool=tool))
    seen: dict[str, str] = {}
    for tool, fact in zip(tools, facts, strict=True):
        if fact.keys is None:
            return Plan(parallel=False, why=say("keys_unknown", tool=tool))
        for key in sorted(fact.keys):
            if key in seen:
                return Plan(parallel=False, why=say("acts_twice", key=key))
            seen[key] = tool
    return Plan(parallel=True, why=ALL_SAFE)


type _Begun = ToolResult | asyncio.Task[ToolResult]
"""A call that was dispatched: its result, or the task that will have it."""


class Batch:
    """One batch on its way through the door.

    `results` is complete when `run` has ended, in whatever way: also after a
    cancellation every call has exactly one result.
    """

    def __init__(
        self,
        *,
        door: Door,
        journal: Journal,
        caller: Caller,
        calls: Sequence[ToolCall],
        batch_id: str,
        mask: bool = True,
    ) -> None:
        """Take the calls of one reply; `mask` is false for the engine behind the door."""
        self.id = batch_id
        self.results: list[ToolResult] = []
        self._door = door
        self._journal = journal
        self._caller = caller
        self._calls = calls
        self._ids = unique_ids([call.id for call in calls])
        self._mask = mask and not door.policy.sees_everything(caller)
        self._prepared: list[Prepared] = []
        self._plan: Plan | None = None
        self._begun: list[_Begun] = []

    def decide(self) -> Plan:
        """Take all calls through the gates and tell how they will run; runs nothing."""
        if self._plan is None:
            self._prepared = [
                self._door.prepare(self._caller, call) for call in self._calls
            ]
            self._plan = self._decided()
        return self._plan

    def _decided(self) -> Plan:
        if len(self._prepared) < 2:
            return _ALONE
        tools = [call.tool for call in self._calls]
        facts = [self._door.facts(self._caller, one) for one in self._prepared]
        return plan(tools, facts)

    async def run(self) -> BatchResult:
        """Run all calls; a cancellation ends them first, then goes on."""
        decided = self.decide()
        try:
            if decided.parallel:
                await self._run_at_once()
            else:
                await self._run_in_order()
        except asyncio.CancelledError:
            await self._end_all()
            self._finish(decided)
            raise
        self._finish(decided)
        return BatchResult(
            id=self.id,
            parallel=decided.parallel,
            why=decided.why,
            results=tuple(self.results),
        )

    def turn_away(self, error: ToolError, why: str) -> tuple[ToolResult, ...]:
        """End a batch that did not get its turn: every call has this error, none ran."""
        self._begun = [
            ToolResult(call_id=own_id, tool=call.tool, error=error)
            for own_id, call in zip(self._ids, self._calls, strict=True)
        ]
        self._finish(Plan(parallel=False, why=why))
        return tuple(self.results)

    async def _run_at_once(self) -> None:
        for index, one in enumerate(self._prepared):
            self._start(index, one)
        if running := self._running():
            await asyncio.wait(running)

    async def _run_in_order(self) -> None:
        for index, one in enumerate(self._prepared):
            # An earlier call may have changed tools, rights or states.
            now = self._door.prepare(self._caller, one.call) if index else one
            begun = self._start(index, now)
            if isinstance(begun, asyncio.Task):
                await asyncio.wait({begun})

    def _start(self, index: int, prepared: Prepared) -> _Begun:
        begun = self._door.dispatch(self._caller, prepared, self._ids[index])
        self._begun.append(begun)
        return begun

    def _running(self) -> set[asyncio.Task[ToolResult]]:
        return {
            one
            for one in self._begun
            if isinstance(one, asyncio.Task) and not one.done()
        }

    async def _end_all(self) -> None:
        """End what runs; a second cancellation does not cut this short."""
        running = self._running()
        for task in running:
            task.cancel()
        while running:
            try:
                _, running = await asyncio.wait(running)
            except asyncio.CancelledError:
                continue

    def _finish(self, decided: Plan) -> None:
        """Collect the results and write them down, in index order."""
        records = [
            CallRecord(
                batch_id=self.id,
                index=index,
                caller=self._caller,
                call=call,
                result=self._result(index, call),
                parallel=decided.parallel,
                why=decided.why,
            )
            for index, call in enumerate(self._calls)
        ]
        self._journal.batch_ended(records)
        self.results.extend(self._masked(record.result) for record in records)

    def _result(self, index: int, call: ToolCall) -> ToolResult:
        if index >= len(self._begun):
            error = cancelled_error()
        elif isinstance(begun := self._begun[index], ToolResult):
            return begun
        elif raised := failure(begun):
            error = internal_error(call.tool, raised)
        else:
            return begun.result()
        return ToolResult(call_id=self._ids[index], tool=call.tool, error=error)

    def _masked(self, result: ToolResult) -> ToolResult:
        if not self._mask or result.error is None:
            return result
        return replace(result, error=mask_error(result.error))
