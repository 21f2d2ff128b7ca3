"""Waiting in a dialog for what may take a while.

Below all flows. Home Assistant's frontend listens for the end of a progress only after it
has shown it; of an end before that it never hears, and waits for ever. So what ends soon
is no progress, its answer comes late; and what is shown lasts until somebody listens.
"""

import asyncio
from typing import Any, Final

from homeassistant.core import HomeAssistant

SOON: Final = 1.0
"""Seconds that an answer may be late."""

LISTENS: Final = 3.0
"""Seconds after which the frontend listens, also from far away."""


class Progress:
    """What is shown while a task goes on; the task itself is never held by it."""

    def __init__(self) -> None:
        """Start with nothing shown."""
        self._shown: asyncio.Task[None] | None = None

    async def async_of(
        self, hass: HomeAssistant, task: asyncio.Future[Any], name: str
    ) -> asyncio.Task[None] | None:
        """Return the progress to show for a task, None if it has ended before."""
        if self._shown is None and not await _ends_soon(task):
            # Somebody else may have waited as well, for the same answer that came twice.
            self._shown = self._shown or hass.async_create_background_task(
                _listened_to(task), name
            )
        return self._shown


async def _ends_soon(task: asyncio.Future[Any]) -> bool:
    await asyncio.wait({task}, timeout=SOON)
    return task.done()


async def _listened_to(task: asyncio.Future[Any]) -> None:
    await asyncio.sleep(LISTENS)
    await asyncio.wait({task})
