"""Starting work and waiting for it, within limits.

Below the door and the batch; imports nothing of the kernel. Tasks start eagerly: work
that needs no waiting is done when `start` returns, which keeps an instant call cheap.
"""

import asyncio
from collections.abc import Coroutine
from enum import Enum, auto


class End(Enum):
    """How a wait ended."""

    DONE = auto()
    TIMEOUT = auto()
    CANCELLED = auto()


def start[T](work: Coroutine[object, object, T]) -> asyncio.Task[T]:
    """Start work as a task that runs at once up to its first wait."""
    return asyncio.Task(work, loop=asyncio.get_running_loop(), eager_start=True)


async def wait_for(task: asyncio.Task[object], limit: float | None) -> End:
    """Wait at most `limit` seconds; a cancellation of the waiter is an end, too.

    Never raises, and never cancels the task.
    """
    if task.done():
        return End.DONE
    try:
        await asyncio.wait({task}, timeout=limit)
    except asyncio.CancelledError:
        return End.CANCELLED
    return End.DONE if task.done() else End.TIMEOUT


async def cancel(task: asyncio.Task[object], grace: float) -> None:
    """Cancel a task and give it `grace` seconds to end; never raises."""
    task.cancel()
    await wait_for(task, grace)


def failure(task: asyncio.Task[object]) -> BaseException | None:
    """Return what a done task raised; a cancelled one gives its CancelledError."""
    if task.cancelled():
        return asyncio.CancelledError()
    return task.exception()
