"""Which failures are worth another attempt, and when it is made (page 2 §2.4).

Pure; imports the kernel's errors and the report only.
"""

from typing import Final

from ..kernel.errors import Reason, ToolError
from .report import RunReport

FIRST_DELAY: Final = 0.5
"""Seconds before the second attempt; each further wait is twice as long."""

_RETRIED: Final = frozenset(
    {Reason.FAILED, Reason.TIMEOUT, Reason.UNAVAILABLE, Reason.BUSY}
)


def delay_before(attempt: int) -> float:
    """Return the seconds to wait before an attempt; the first retry is number 1."""
    return FIRST_DELAY * 2.0 ** (attempt - 1)


def is_retried(error: ToolError, nested: RunReport | None) -> bool:
    """Whether a failed call may be made again: nothing of it may still be running."""
    if error.reason not in _RETRIED or error.still_running:
        return False
    inner = () if nested is None else nested.tool_errors()
    return not any(each.still_running for each in inner)
