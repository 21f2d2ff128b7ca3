"""What came of a run in a few plain facts, for events, sensors and speech.

Pure; imports the report. Facts only: no arguments and no values, which can hold secrets
and are seen by everybody.
"""

from collections.abc import Iterator

from ..kernel.errors import Reason
from ..kernel.records import record
from .report import RunReport, Status


@record
class Failure:
    """One thing that went wrong; without a tool it was the run's or a group's own."""

    reason: Reason
    tool: str | None = None
    group: str | None = None


@record
class Digest:
    """A run in short. `failures` are in the order of the report, nested runs' inside.

    `duration` is in seconds, None for a run whose end nobody has seen.
    """

    run_id: str
    status: Status
    duration: float | None
    failures: tuple[Failure, ...]

    @property
    def failed_tools(self) -> list[str]:
        """The tools that failed or were missing, each once."""
        tools = (failure.tool for failure in self.failures)
        return list(dict.fromkeys(tool for tool in tools if tool is not None))

    @property
    def reasons(self) -> list[str]:
        """Why, each reason once."""
        return list(dict.fromkeys(failure.reason.value for failure in self.failures))

    def as_dict(self) -> dict[str, object]:
        """Return the attributes of an event."""
        return {
            "status": self.status.value,
            "failed_tools": self.failed_tools,
            "reasons": self.reasons,
            "run_id": self.run_id,
            "duration": None if self.duration is None else round(self.duration, 3),
        }


def digest(report: RunReport) -> Digest:
    """Return a run in short, as those may know it who do not see everything."""
    report = report.masked()
    return Digest(
        run_id=report.run_id,
        status=report.status,
        duration=report.duration,
        failures=tuple(_failures(report)),
    )


def cut_off(run_id: str) -> Digest:
    """Return a run in short that ended with Home Assistant itself."""
    return Digest(run_id=run_id, status=Status.CANCELLED, duration=None, failures=())


def _failures(report: RunReport) -> Iterator[Failure]:
    """Yield what went wrong; a call whose inner run failed is told by that run."""
    for placed in report.errors:
        yield Failure(reason=placed.error.reason, group=placed.group)
    for group in report.groups:
        for tool in group.tools:
            inner = () if tool.run is None else tuple(_failures(tool.run))
            if tool.error is not None and not inner:
                yield Failure(
                    reason=tool.error.reason, tool=tool.tool, group=group.name
                )
            yield from inner
