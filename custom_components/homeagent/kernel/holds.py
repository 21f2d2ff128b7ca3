"""Ordering keys of calls that the door stopped waiting for.

A Home Assistant action is not cancelled at its time limit: half a script leaves a home
half done. It goes on, and until it ends nothing else may act on the same entity or
output channel (page 1 §1.1, step 6). Imports nothing of the kernel.
"""

import asyncio


class Holds:
    """Which running tasks hold which ordering keys."""

    def __init__(self) -> None:
        """Hold nothing."""
        self._holders: dict[str, set[asyncio.Task[object]]] = {}

    def __bool__(self) -> bool:
        """Whether anything is held."""
        return bool(self._holders)

    def hold(self, keys: frozenset[str], task: asyncio.Task[object]) -> None:
        """Hold the keys until the task ends."""
        for key in keys:
            self._holders.setdefault(key, set()).add(task)
        task.add_done_callback(lambda done: self._release(keys, done))

    def _release(self, keys: frozenset[str], task: asyncio.Task[object]) -> None:
        for key in keys:
            holders = self._holders[key]
            holders.discard(task)
            if not holders:
                del self._holders[key]

    def held(self, keys: frozenset[str]) -> frozenset[str]:
        """Return those of the keys that are held now."""
        return frozenset(key for key in keys if key in self._holders)

    async def wait(self, keys: frozenset[str], seconds: float) -> frozenset[str]:
        """Wait until none of the keys is held; return those still held at the end."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while blocked := self.held(keys):
            left = end - loop.time()
            if left <= 0:
                return blocked
            holders = {task for key in blocked for task in self._holders[key]}
            await asyncio.wait(holders, timeout=left)
        return frozenset()
