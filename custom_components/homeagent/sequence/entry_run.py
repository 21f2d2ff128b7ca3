"""One entry of a group while it runs: its attempts, and what came of the last one.

Below `group_run`; imports the kernel and the engine's pure parts. Nothing here awaits.
"""

from dataclasses import dataclass, field

from ..kernel.contract import ToolResult
from ..kernel.errors import Reason, ToolError
from ..kernel.phrases import Phrase
from .model import ABSENT, CALL_TOOLS, Group, Missing, OnError, ToolEntry
from .report import NotCalled, RunReport, Status, ToolReport
from .retrying import is_retried
from .slots import fallback_value, slot_value, write


@dataclass(slots=True, kw_only=True, eq=False)
class EntryRun:
    """The state of one entry; `value` is what its slot will take, absent for nothing."""

    index: int
    entry: ToolEntry
    group: Group
    status: Status = Status.NOT_RUN
    error: ToolError | None = None
    attempts: int = 0
    duration: float = 0.0
    nested: RunReport | None = None
    value: object = ABSENT
    _told: tuple[str, ...] = ()
    _notes: list[Phrase] = field(default_factory=list)

    @property
    def retriable(self) -> bool:
        """Whether the entry failed in a way that another attempt may mend."""
        return (
            self.status is Status.FAILED
            and self.error is not None
            and self.group.on_error is OnError.RETRY
            and is_retried(self.error, self.nested)
        )

    @property
    def lacking(self) -> bool:
        """Whether the group did without (a part of) what this entry does."""
        if self.status in {Status.MISSING, Status.DEGRADED}:
            return True
        return self.nested is not None and self.nested.status is Status.PARTIAL

    def reset(self) -> None:
        """Forget what came of the last attempt, before the next one."""
        self.status = Status.NOT_RUN
        self.error = None
        self.nested = None
        self.value = ABSENT
        self._told = ()

    def note(self, warning: Phrase) -> None:
        """Add a warning of the engine's own."""
        self._notes.append(warning)

    def fail(self, error: ToolError) -> None:
        """End the attempt without a call."""
        self.status, self.error = Status.FAILED, error

    def skip(self) -> None:
        """End without a call, as the entry's `when` says."""
        self.status = Status.SKIPPED

    def take(self, result: ToolResult, *, known: bool, cancelled: bool = False) -> None:
        """Take what came of a call.

        `known` tells whether the tool existed when the door was asked, `cancelled`
        that the run is being cancelled.
        """
        self.attempts += 1
        self.duration += result.duration
        self._told = result.warnings
        self.nested = result.nested if isinstance(result.nested, RunReport) else None
        if result.error is None:
            self._succeed(result)
        elif cancelled and result.error.reason is Reason.CANCELLED:
            self.status, self.error = Status.CANCELLED, result.error
        elif self._is_missing(result.error, known=known):
            self._miss(result.error)
        else:
            self.fail(result.error)

    def _succeed(self, result: ToolResult) -> None:
        if isinstance(result.nested, NotCalled) or (
            self.nested is not None and self.nested.skipped
        ):
            self.skip()
            return
        value = slot_value(self.entry, self.group, result.value)
        if isinstance(value, ToolError):
            self.fail(value)
        else:
            self.status, self.value = Status.OK, value

    def _is_missing(self, error: ToolError, *, known: bool) -> bool:
        """Whether the very tool or sequence that the entry names was not found (§8.2).

        A tool that exists may answer `not_found` about something further down: that
        is a failure. Only a call by name says so of the sequence itself.
        """
        if error.reason is not Reason.NOT_FOUND:
            return False
        return not known or (self.entry.tool in CALL_TOOLS and self.nested is None)

    def _miss(self, error: ToolError) -> None:
        self.error = error
        match self.group.missing:
            case Missing.FAIL:
                self.status = Status.FAILED
            case Missing.SKIP:
                self.status = Status.MISSING
            case Missing.DEGRADE:
                value = fallback_value(self.entry, self.group)
                if isinstance(value, ToolError):
                    self.fail(value)
                else:
                    self.status, self.value = Status.DEGRADED, value

    def write(self, slots: dict[str, object]) -> None:
        """Write the slot, if there is a value for it."""
        write(slots, self.entry, self.group, self.value)

    def report(self) -> ToolReport:
        """Return the entry's report as it stands."""
        return ToolReport(
            index=self.index,
            tool=self.entry.tool,
            status=self.status,
            error=self.error,
            warnings=(*self._told, *self._notes),
            attempts=self.attempts,
            duration=self.duration,
            run=self.nested,
        )
