"""Calls that arrive one by one, through one gate (page 1 §1.4).

Beside `batch`, above it and the gate: an entrance whose agent starts every call as its
own task makes one `OneByOne` per stream of calls. Nested calls of a run do not come
through here, so a call never waits for itself.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from .batch import Batch
from .contract import Caller, ToolCall, ToolResult
from .door import BUSY_WAIT, Door
from .errors import Reason, ToolError
from .gate import Gate
from .words import say

_BUSY = ToolError(
    reason=Reason.BUSY,
    detail=say("turn_too_late"),
    hint="Wait for their results, then try again.",
)

type OpenBatch = Callable[[Caller, Sequence[ToolCall]], Batch]


class OneByOne:
    """Keeps the order of calls whose agent knows none."""

    def __init__(
        self, *, door: Door, open_batch: OpenBatch, limit: float | None = None
    ) -> None:
        """Take the door and the way to it.

        `limit` is the time in seconds that waiting and call may take together.
        """
        self._door = door
        self._open_batch = open_batch
        self._limit = limit
        self._gate = Gate()

    async def call(self, caller: Caller, call: ToolCall) -> ToolResult:
        """Make one call when its turn comes; its place is taken before any waiting."""
        prepared = self._door.prepare(caller, call)
        place = self._gate.enter(self._door.facts(caller, prepared))
        begun = asyncio.get_running_loop().time()
        try:
            if not await self._gate.wait(place, self._patience()):
                return self._turned_away(caller, call)
            waited = asyncio.get_running_loop().time() - begun
            batch = await self._open_batch(caller, [self._bounded(call, waited)]).run()
            return batch.results[0]
        finally:
            self._gate.leave(place)

    def _turned_away(self, caller: Caller, call: ToolCall) -> ToolResult:
        """End a call whose turn did not come; it is written down like every other."""
        (result,) = self._open_batch(caller, [call]).turn_away(_BUSY, _BUSY.detail)
        return result

    def _patience(self) -> float:
        return BUSY_WAIT if self._limit is None else min(BUSY_WAIT, self._limit)

    def _bounded(self, call: ToolCall, waited: float) -> ToolCall:
        if self._limit is None:
            return call
        left = max(0.0, self._limit - waited)
        granted = left if call.timeout is None else min(left, call.timeout)
        return replace(call, timeout=granted)
