"""What is written down about calls, and the port that takes it.

Third layer of the kernel. Arguments and values may hold secrets: a record carries them
for the history, and whoever turns a record into an event leaves them out (page 1 §1.3).
"""

from collections.abc import Sequence
from typing import Protocol

from .contract import Caller, ToolCall, ToolResult
from .records import record


@record
class CallRecord:
    """One finished call of a batch, and how the batch was run."""

    batch_id: str
    index: int
    caller: Caller
    call: ToolCall
    result: ToolResult
    parallel: bool
    why: str


class Journal(Protocol):
    """Takes the records of a batch, in index order, after its last call ended."""

    def batch_ended(self, records: Sequence[CallRecord]) -> None:
        """Write down the calls of one batch; must not raise."""
        ...


class NoJournal:
    """A journal for those who keep none."""

    def batch_ended(self, records: Sequence[CallRecord]) -> None:
        """Forget the records."""
