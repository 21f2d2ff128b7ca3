"""Waiting in a dialog for what may take a while.

Below all flows. Home Assistant's frontend listens for the end of a progress only after it
has shown it; of an end before that it never hears, and waits for ever. So what ends soon
is no progress, its answer comes late; and what is shown lasts until somebody listens.
"""

import asyncio
from typing import Any, Final

SOON: Final = 1.0
"""Seconds that an answer may be late."""

LISTENS: Final = 3.0
"""Seconds after which the frontend listens, also from far away."""


async def ends_soon(task: asyncio.Future[Any]) -> bool:
    """Wait a moment for a task, without holding it; whether it has ended."""
    await asyncio.wait({task}, timeout=SOON)
    return task.done()


async def is_shown(task: asyncio.Future[Any]) -> None:
    """Last as long as a task does, and as it takes to listen; without holding it."""
    await asyncio.sleep(LISTENS)
    await asyncio.wait({task})
