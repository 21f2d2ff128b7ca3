"""One group, from its `when` to its slots (page 2 §2.4).

Below `sequence_run`; imports the kernel and the engine's pure parts. It awaits batches
behind the door and, between attempts, the clock.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence as Many

from ..kernel.contract import Caller, Entrance, ToolCall
from ..kernel.errors import ToolError
from ..kernel.phrases import Phrase
from ..kernel.records import record
from ..kernel.time_text import seconds_text
from .entry_run import EntryRun
from .model import Group, OnError
from .ports import OpenedBatch, Ports
from .preflight import NO_INPUTS
from .preparing import judge, prepare
from .reach import Reach
from .report import GroupReport, Status
from .retrying import delay_before
from .run_words import say
from .scope import Place
from .values import Scope

DECLARED_SERIAL = say("declared_serial")
NO_CALL = say("nothing_called")
WHEN_FALSE = say("when_false")
CANCELLED = say("run_cancelled")

_NOBODY = Caller(entrance=Entrance.UNKNOWN)
"""Stands in a group until it is run."""


@record
class Ready:
    """An entry with its next call; `known` tells whether its tool exists now."""

    entry: EntryRun
    call: ToolCall
    known: bool


class GroupRun:
    """A group that is being run, was, or will not be; `report` tells at any time."""

    def __init__(self, group: Group, ports: Ports) -> None:
        """Take the group; nothing has run yet."""
        self.group = group
        self.status = Status.NOT_RUN
        self.why: str | None = None
        self.error: ToolError | None = None
        self.slots: dict[str, object] = {}
        self.entries = [
            EntryRun(index=index, entry=entry, group=group)
            for index, entry in enumerate(group.tools)
        ]
        self._ports = ports
        self._parallel: bool | None = None
        self._parallel_why: str | None = None
        self._duration = 0.0
        self._caller = _NOBODY
        self._place: Place | None = None
        self._scope = Scope(args=NO_INPUTS, out=self.slots)
        self._deadline = 0.0

    def leave_out(self, status: Status, why: Phrase) -> None:
        """Say that the group is not run to its end, and why."""
        self.status, self.why = status, why

    def report(self) -> GroupReport:
        """Return the group's report as it stands."""
        return GroupReport(
            name=self.group.name,
            status=self.status,
            why=self.why,
            parallel=self._parallel,
            parallel_why=self._parallel_why,
            duration=self._duration,
            tools=tuple(entry.report() for entry in self.entries),
        )

    async def run(
        self, caller: Caller, place: Place, inputs: Mapping[str, object]
    ) -> Status:
        """Run to a status; a cancellation leaves a full report and goes on.

        `place` is where the group's calls are made, and stands in the caller's run.
        """
        began = self._ports.clock.monotonic()
        self._caller, self._place = caller, place
        self._scope = Scope(args=inputs, out=self.slots)
        self._deadline = began + self.group.timeout
        self.status = Status.FAILED  # unless it comes to another end
        try:
            await self._run()
        except asyncio.CancelledError:
            self.leave_out(Status.CANCELLED, CANCELLED)
            raise
        finally:
            self._duration = self._ports.clock.monotonic() - began
        return self.status

    async def _run(self) -> None:
        wanted = judge(self.group.when, self._scope)
        if isinstance(wanted, ToolError):
            self.error = wanted
            self.status = self._after_failure()
        elif not wanted:
            self.leave_out(Status.SKIPPED, WHEN_FALSE)
        else:
            await (self._at_once() if self.group.parallel else self._declared_serial())
            self.status = self._judged()

    def _judged(self) -> Status:
        lacking = False
        for entry in self.entries:
            if entry.status is Status.FAILED:
                return self._after_failure()
            lacking = lacking or entry.lacking
        return Status.PARTIAL if lacking else Status.OK

    def _after_failure(self) -> Status:
        return Status.PARTIAL if self._goes_on() else Status.FAILED

    def _goes_on(self) -> bool:
        return self.group.on_error is OnError.CONTINUE

    async def _declared_serial(self) -> None:
        self._decided(parallel=False, why=DECLARED_SERIAL)
        await self._in_order(self.entries, first_attempt=1)

    async def _at_once(self) -> None:
        """Call all together; behind the barrier the slots are written in order."""
        pending = self.entries
        try:
            for attempt in range(1, self.group.retries + 2):
                if not await self._round(pending):
                    await self._in_order(pending, first_attempt=attempt)
                    break
                pending = [entry for entry in pending if entry.retriable]
                if not pending or not await self._back_off(attempt, pending):
                    break
        finally:
            for entry in self.entries:
                entry.write(self.slots)

    async def _round(self, pending: Iterable[EntryRun]) -> bool:
        """Make one attempt of each; false, with nothing called, if they need an order.

        Tools that do not exist go through the door, too, which tells it; they do not
        make the others wait for each other.
        """
        ready = [made for entry in pending if (made := self._prepare(entry))]
        known = [one for one in ready if one.known]
        if known:
            batch = self._open(known)
            plan = batch.decide()
            in_order = len(known) > 1 and not plan.parallel
            self._decided(parallel=plan.parallel, why=plan.why, anew=in_order)
            if in_order:
                return False
            await self._call(known, batch)
        self._decided(parallel=False, why=NO_CALL)
        for one in ready:
            if not one.known:
                await self._call([one], self._open([one]))
        return True

    async def _in_order(
        self, entries: Iterable[EntryRun], *, first_attempt: int
    ) -> None:
        """Take the entries one by one, with their retries, until one fails for good."""
        for entry in entries:
            entry.reset()
        for entry in entries:
            self._warn_of_unsafe(entry)
            try:
                await self._one(entry, first_attempt)
            finally:
                if not self.group.parallel:
                    entry.write(self.slots)
            if entry.status is Status.FAILED and not self._goes_on():
                break

    async def _one(self, entry: EntryRun, first_attempt: int) -> None:
        for attempt in range(first_attempt, self.group.retries + 2):
            if ready := self._prepare(entry):
                await self._call([ready], self._open([ready]))
            if not entry.retriable or not await self._back_off(attempt, [entry]):
                break

    def _prepare(self, entry: EntryRun) -> Ready | None:
        """Return the entry's next call; without one the entry has its outcome."""
        entry.reset()
        tool = self._ports.tools.find(entry.entry.tool)
        made = prepare(
            entry.entry,
            self._scope,
            tool,
            self._caller,
            timeout=self._deadline - self._ports.clock.monotonic(),
            call_id=f"{self.group.name}/{entry.index}/{entry.attempts + 1}",
            own_buttons=self._ports.own_buttons(),
        )
        match made:
            case ToolCall():
                return Ready(entry=entry, call=made, known=tool is not None)
            case ToolError():
                entry.fail(made)
            case None:
                entry.skip()
        return None

    def _open(self, ready: Many[Ready]) -> OpenedBatch:
        return self._ports.open_batch(self._caller, [one.call for one in ready])

    async def _call(self, ready: Many[Ready], batch: OpenedBatch) -> None:
        cancelled = True
        try:
            await batch.run()
            cancelled = False
        finally:
            for one, result in zip(ready, batch.results, strict=False):
                one.entry.take(result, known=one.known, cancelled=cancelled)

    async def _back_off(self, attempt: int, pending: Iterable[EntryRun]) -> bool:
        """Wait for the next attempt; false if there is none, or no time for it."""
        if attempt > self.group.retries:
            return False
        delay = delay_before(attempt)
        if self._ports.clock.monotonic() + delay >= self._deadline:
            for entry in pending:
                entry.note(
                    say("not_tried_again", seconds=seconds_text(self.group.timeout))
                )
            return False
        await self._ports.clock.sleep(delay)
        return True

    def _decided(self, *, parallel: bool, why: str, anew: bool = False) -> None:
        """Note how the first calls are made, or that it changed on the way."""
        if anew or self._parallel is None:
            self._parallel = parallel
            self._parallel_why = None if parallel else why

    def _warn_of_unsafe(self, entry: EntryRun) -> None:
        """Tell of an `unsafe_serial` that the entry would need now (§10, D2)."""
        if len(self.entries) < 2 or entry.entry.unsafe_serial or self._place is None:
            return
        reach = Reach(tools=self._ports.tools, sequences=self._ports.sequences)
        if not reach.declared_safe(entry.entry, self._place):
            entry.note(say("says_not_unsafe", tool=entry.entry.tool))
