"""An event loop whose clock jumps: waiting costs nothing, and order is exact.

For dry runs and for the tests of the core; imports nothing of ours.
"""

import asyncio
from collections.abc import Coroutine
import selectors
from typing import override


class NothingLeftToWaitForError(Exception):
    """Everybody waits and no timer is set: the work would hang for good."""


class _Jumping(selectors.SelectSelector):
    """A selector that, instead of waiting, puts the clock forward."""

    now = 0.0

    @override
    def select(
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        if events := super().select(0):
            return events
        if timeout is None:
            raise NothingLeftToWaitForError
        self.now += max(timeout, 0.0)
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Starts at zero and jumps from timer to timer."""

    def __init__(self) -> None:
        """Take a selector that never waits."""
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    @override
    def time(self) -> float:
        return self._jumping.now


def run_virtual[T](work: Coroutine[object, object, T]) -> T:
    """Run work to its end on a fresh loop with a clock of its own."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)


class LoopClock:
    """The engine's clock, on whatever loop runs."""

    def monotonic(self) -> float:
        """Return the loop's time."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait on the loop."""
        await asyncio.sleep(seconds)
