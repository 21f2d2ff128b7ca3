"""One sequence, or one group of it, from its inputs to its report (page 2 §2.4).

Below `engine`; imports the kernel and the engine's parts.
"""

from collections.abc import Mapping

from ..kernel.contract import Agreed, Caller
from ..kernel.phrases import Phrase
from .group_run import CANCELLED, GroupRun
from .ports import Ports
from .report import PlacedError, RunReport, Status
from .run_words import say
from .runs import Run
from .scope import Callee, Place, RunScope, acting_in

CALL_ONLY = say("call_only")
NOT_STARTED = say("not_started")


class SequenceRun:
    """What is being run of one sequence; `report` tells at any time."""

    def __init__(
        self, callee: Callee, ports: Ports, run: Run, *, tells_group: bool = False
    ) -> None:
        """Take what is to be run, as a part of a run; the outermost part tells where."""
        self._callee = callee
        self._ports = ports
        self._part_of = run
        self._tells_group = tells_group
        self._began = ports.clock.monotonic()
        self._groups = [GroupRun(group, ports) for group in callee.groups]
        self._errors: tuple[PlacedError, ...] = ()
        self._asks: frozenset[Agreed] = frozenset()
        self._cancelled = False

    def refuse(
        self, errors: tuple[PlacedError, ...], asks: frozenset[Agreed] = frozenset()
    ) -> None:
        """Say why nothing is run, and what a person must agree to if that is all."""
        self._errors = errors
        self._asks = asks
        for group in self._groups:
            group.leave_out(Status.NOT_RUN, NOT_STARTED)

    def cancelled(self) -> None:
        """Say that the run was cancelled: what has not run by now will not."""
        self._cancelled = True
        self._leave_out_the_rest(CANCELLED)

    async def run(
        self, caller: Caller, place: Place, inputs: Mapping[str, Mapping[str, object]]
    ) -> None:
        """Run the groups in their order; a cancellation ends the running one and goes on.

        `place` is the sequence's, `inputs` has those of each group that takes part.
        """
        for group in self._groups:
            if not self._callee.runs(group.group):
                group.leave_out(Status.PASSED_BY, CALL_ONLY)
                continue
            if self._tells_group:
                self._part_of.group = group.group.name
            inner = place.inside(group.group)
            scope = RunScope(run=self._part_of, place=inner)
            name = group.group.name
            inside = acting_in(caller, scope)
            if await group.run(inside, inner, inputs[name]) is Status.FAILED:
                self._leave_out_the_rest(say("group_failed", group=name))
                return

    def _leave_out_the_rest(self, why: Phrase) -> None:
        for group in self._groups:
            if group.status is Status.NOT_RUN:
                group.leave_out(Status.NOT_RUN, why)

    def report(self) -> RunReport:
        """Return the report as it stands."""
        callee = self._callee
        return RunReport(
            run_id=self._part_of.id,
            sequence=callee.sequence.name,
            status=self._status(),
            duration=self._ports.clock.monotonic() - self._began,
            errors=self._errors + tuple(self._group_errors()),
            groups=tuple(group.report() for group in self._groups),
            out={
                group.group.name: group.slots
                for group in self._groups
                if group.status not in {Status.NOT_RUN, Status.PASSED_BY}
            },
            group=None if callee.group is None else callee.group.name,
            asks=self._asks,
        )

    def _group_errors(self) -> list[PlacedError]:
        return [
            PlacedError(error=group.error, group=group.group.name)
            for group in self._groups
            if group.error is not None
        ]

    def _status(self) -> Status:
        statuses = {group.status for group in self._groups}
        if self._cancelled:
            return Status.CANCELLED
        if self._errors or Status.FAILED in statuses:
            return Status.FAILED
        return Status.PARTIAL if Status.PARTIAL in statuses else Status.OK
