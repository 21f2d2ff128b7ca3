"""A report as those see it who do not see everything (page 1 §1.1).

Beside `summary`; imports the kernel and the report's types. What is refused and what does
not exist look alike, also in the words that a call by name says of its callee.
"""

from dataclasses import replace

from ..kernel.masking import mask_error
from .report import RunReport, ToolReport
from .summary import call_failed, failures, went_without


def masked(report: RunReport) -> RunReport:
    """Return the report with all its errors masked, those of nested runs too."""
    if next(report.tool_errors(), None) is None:
        return report
    return replace(
        report,
        errors=tuple(
            replace(placed, error=mask_error(placed.error)) for placed in report.errors
        ),
        groups=tuple(
            replace(group, tools=tuple(_tool(tool) for tool in group.tools))
            for group in report.groups
        ),
    )


def _tool(tool: ToolReport) -> ToolReport:
    error = None if tool.error is None else mask_error(tool.error)
    if tool.run is None:
        return replace(tool, error=error)
    run = masked(tool.run)
    if error is not None and error.detail == failures(tool.run):
        error = replace(error, detail=call_failed(run))
    told, telling = went_without(tool.run), went_without(run)
    warnings = tuple(telling if each == told else each for each in tool.warnings)
    return replace(tool, error=error, warnings=warnings, run=run)
