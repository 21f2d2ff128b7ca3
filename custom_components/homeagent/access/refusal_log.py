"""Refusals in the log: once per caller and tool a minute (page 3 §3.3).

Above the kernel's journal, whose records it reads; the clock and what is written with
are ports. Nothing of a call's arguments or values is told.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import override

from ..kernel.contract import Caller
from ..kernel.errors import Reason
from ..kernel.journal import CallRecord, Journal

QUIET = 60.0
"""Seconds in which the same refusal is not told again."""

REMEMBERED = 1024
"""Refusals whose time is remembered."""

LONGEST_LINE = 1000
"""Characters of a refusal that are told."""

type Key = tuple[object, ...]


class RefusalLog:
    """Tells refusals, each kind at most once a minute."""

    def __init__(
        self, *, now: Callable[[], float], write: Callable[[str], None]
    ) -> None:
        """Take the clock (seconds, never back) and what writes a line."""
        self._now = now
        self._write = write
        self._told: OrderedDict[Key, float] = OrderedDict()

    def refused(self, caller: Caller, tool: str, detail: str) -> bool:
        """Tell a refusal; false where it was told a moment ago."""
        key = (caller.entrance, caller.user_id, caller.device_id, tool)
        now = self._now()
        last = self._told.get(key)
        if last is not None and now - last < QUIET:
            return False
        self._told[key] = now
        self._told.move_to_end(key)
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        self._write(_one_line(f"Refused {tool} to {_shown(caller)}: {detail}"))
        return True


class RefusalJournal(Journal):
    """A journal that tells refusals on the way to the next one."""

    def __init__(self, inner: Journal, log: RefusalLog) -> None:
        """Take the next journal, and the log."""
        self._inner = inner
        self._log = log

    @override
    def batch_ended(self, records: Sequence[CallRecord]) -> None:
        """Tell refusals, and pass all records on."""
        for record in records:
            error = record.result.error
            if error is not None and error.reason is Reason.UNAUTHORIZED:
                self._log.refused(record.caller, record.call.tool, error.detail)
        self._inner.batch_ended(records)


def _one_line(text: str) -> str:
    """Return a text as a line of a log: a caller's words make no lines of their own."""
    line = "".join(
        letter if letter.isprintable() else ascii(letter)[1:-1]
        for letter in text[:LONGEST_LINE]
    )
    more = len(text) - LONGEST_LINE
    return f"{line}… ({more} more characters)" if more > 0 else line


def _shown(caller: Caller) -> str:
    who = f"user {caller.user_id}" if caller.user_id is not None else "no user"
    device = f", device {caller.device_id}" if caller.device_id is not None else ""
    return f"{who}{device} ({caller.entrance.value})"
