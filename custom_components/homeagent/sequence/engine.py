"""The engine: runs sequences, and what they call by name (§7, §8; page 2 §2.4, §2.5).

Top of the package's running half. Imports the kernel and the engine's parts; Home
Assistant is behind the ports, and tools are behind the door.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from ..kernel.contract import Caller, CallFacts, ToolOutput
from ..kernel.errors import Reason, ToolError
from .calls import find_callee, no_group
from .model import Condition, Sequence
from .outputs import call_output, not_called
from .ports import Ports
from .preflight import check_inputs
from .preparing import judge
from .reach import Reach
from .refusals import look_ahead
from .report import PlacedError, RunReport
from .run_words import say
from .runs import MAX_RUNS, Run, RunTable
from .scope import Callee, Place, RunScope, enter, scope_of
from .sequence_run import SequenceRun
from .values import Scope

_UNWIND: Final = 8
"""A nested call starts at once, on its caller's stack; from this depth it unwinds."""


class Engine:
    """Runs what is asked for, on the AST as it is at that moment."""

    def __init__(
        self,
        ports: Ports,
        *,
        begun: Callable[[Run], None] | None = None,
        finished: Callable[[Run], None] | None = None,
    ) -> None:
        """Take the ports; `begun` and `finished` are told of each run (the history)."""
        self.ports = ports
        self.runs = RunTable(begun=begun, finished=finished)
        self._reach = Reach(tools=ports.tools, sequences=ports.sequences)

    def find(self, name: str) -> Callee | ToolError:
        """Return what `name`, `#name` or `#name/group` names now, from outside."""
        target = name if name.strip().startswith("#") else f"#{name}"
        return find_callee(target, None, self.ports.sequences)

    def facts_of(self, caller: Caller, target: object, args: object) -> CallFacts:
        """Return safety and ordering keys of a call by name: those of all it reaches."""
        return self._reach.facts(target, args, caller)

    async def run(
        self,
        sequence: Sequence,
        args: Mapping[str, object],
        caller: Caller,
        *,
        run_id: str | None = None,
        group: str | None = None,
    ) -> RunReport:
        """Run a sequence, or one group of it, as a run with an id of its own.

        A run that `Run.cancel` stopped gives its report. If the task that waits here is
        cancelled, the report is recorded and the cancellation goes on. A caller inside
        a run, come back through Home Assistant, counts for that run's depth.
        """
        callee = Callee(sequence=sequence)
        missing = None
        if group is not None:
            found = sequence.group(group)
            callee = Callee(sequence=sequence, group=found)
            missing = None if found else no_group(group, sequence, Reason.NOT_FOUND)
        return await self._run(callee, args, caller, run_id=run_id, error=missing)

    async def call_target(
        self,
        caller: Caller,
        target: object,
        args: Mapping[str, object],
        *,
        when: Condition | None = None,
    ) -> ToolOutput | ToolError:
        """Make a call by name for `seq_call` and `seq_when_call`; for the door only.

        Inside a run it is a part of that run, and ends with its report also when it is
        cancelled: the door, whose task this is, keeps its own error for the call.
        `when` reads `args`; inside a run the engine has judged the entry's already.
        """
        wanted = judge(when, Scope(args=args))
        if isinstance(wanted, ToolError):
            return wanted
        if not wanted:
            return not_called(say("when_false"))
        outer = scope_of(caller)
        place = None if outer is None else outer.place
        callee = find_callee(target, place, self.ports.sequences)
        if isinstance(callee, ToolError):
            return callee
        if outer is None:
            report = await self._run(callee, args, caller)
            return call_output(report, inside=False)
        return await self._part(callee, args, caller, outer)

    async def _part(
        self,
        callee: Callee,
        args: Mapping[str, object],
        caller: Caller,
        outer: RunScope,
    ) -> ToolOutput | ToolError:
        place = enter(callee, outer.place)
        if isinstance(place, ToolError):
            return place
        part = SequenceRun(callee, self.ports, outer.run)
        try:
            if len(outer.place.frames) >= _UNWIND:
                await self.ports.clock.sleep(0)
            await self._execute(part, callee, args, caller, place)
        except asyncio.CancelledError:
            part.cancelled()
        return call_output(part.report(), inside=True)

    async def _run(
        self,
        callee: Callee,
        args: Mapping[str, object],
        caller: Caller,
        *,
        run_id: str | None = None,
        error: ToolError | None = None,
    ) -> RunReport:
        outer = scope_of(caller)
        run = Run(
            id=run_id or self.ports.new_id(),
            sequence=callee.sequence.name,
            caller=caller,
            started=self.ports.clock.monotonic(),
            args=args,
            parent=None if outer is None else outer.run,
        )
        part = SequenceRun(callee, self.ports, run, tells_group=True)
        place = error or enter(callee, None if outer is None else outer.place)
        if not isinstance(place, ToolError) and not self.runs.begin(run):
            place = _busy(callee.sequence)
        if isinstance(place, ToolError):
            part.refuse((PlacedError(error=place),))
            self.runs.record(run, part.report())
            return part.report()
        try:
            await self._execute(part, callee, args, caller, place)
        except asyncio.CancelledError:
            part.cancelled()
            if not self.runs.end(run, part.report()):
                raise
            assert run.report is not None
            return run.report
        except BaseException:
            self.runs.end(run, part.report())
            raise
        report = part.report()
        self.runs.end(run, report)
        return report

    async def _execute(
        self,
        part: SequenceRun,
        callee: Callee,
        args: Mapping[str, object],
        caller: Caller,
        place: Place,
    ) -> None:
        """Look at everything first, then run the groups."""
        flight = check_inputs(callee, args)
        looked = look_ahead(
            callee, flight, place, caller, self._reach, self.ports.can_use
        )
        if errors := (*flight.errors, *looked.refused):
            part.refuse(errors)
        elif looked.asks:
            part.refuse((looked.unconfirmed(),), looked.asks)
        else:
            await part.run(caller, place, flight.inputs)


def _busy(sequence: Sequence) -> ToolError:
    return ToolError(
        reason=Reason.BUSY,
        detail=say("too_many_runs", name=sequence.name, most=str(MAX_RUNS)),
        hint="Wait until one of its runs has ended, or cancel one.",
    )
