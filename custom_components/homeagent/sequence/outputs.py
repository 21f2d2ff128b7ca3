"""A run's report as the outcome of a tool call (page 2 §2.4, §2.5).

Below `engine`; imports the kernel's contract and the report. A run that is failed or
cancelled is a failed call: nobody is ever told success.
"""

from ..kernel.contract import ToolOutput
from ..kernel.errors import Reason, ToolError
from .report import NotCalled, RunReport, Status
from .run_words import say
from .summary import call_failed, went_without

_HINT = "The report names what ran, what failed and what was not run."


class RunValue(dict[str, object]):
    """A run's report as the value of a call: JSON already, and shared with nobody.

    Who answers with the value as it is need not convert it.
    """


def run_output(report: RunReport) -> ToolOutput:
    """Return the outcome of `seq_run`: the whole report is the value."""
    value = RunValue(report.as_dict())
    return ToolOutput(
        value=value,
        error=None if report.success else failed_error(report),
        text=str(value["text"]),
        nested=report,
        asks=report.asks,
    )


def call_output(report: RunReport, *, inside: bool) -> ToolOutput:
    """Return the outcome of a call by name: the callee's slots are the value.

    `inside` a run the report is nested into the caller's; outside, a failed call has it
    as its value.
    """
    if not report.success:
        value = None if inside else report.as_dict()
        return ToolOutput(
            value=value, error=failed_error(report), nested=report, asks=report.asks
        )
    warnings: tuple[str, ...] = ()
    if report.status is Status.PARTIAL:
        warnings = (went_without(report),)
    if report.skipped:
        return ToolOutput(text=f"skipped: {report.groups[0].why}", nested=report)
    return ToolOutput(value=report.value, warnings=warnings, nested=report)


def masked_output(output: ToolOutput) -> ToolOutput:
    """Return what a call by name from outside tells those who do not see everything."""
    if not isinstance(output.nested, RunReport):
        return output
    return call_output(output.nested.masked(), inside=False)


def not_called(why: str) -> ToolOutput:
    """Return the outcome of a call by name that its own `when` prevented."""
    return ToolOutput(text=f"skipped: {why}", nested=NotCalled(why=why))


def failed_error(report: RunReport) -> ToolError:
    """Return the error of a call whose run did not come to its end.

    One that only waits for a person's yes says so: nothing of it has run.
    """
    if report.asks:
        return report.errors[0].error
    if report.status is Status.CANCELLED:
        detail = say("call_cancelled_run", name=report.name)
    else:
        detail = call_failed(report)
    return ToolError(
        reason=Reason.FAILED,
        detail=detail,
        hint=_HINT,
    )
