"""What the soaked process holds at a moment, and what goes wrong behind everybody's back.

Above `soak_ledger`.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
import gc
import logging
import sys
from typing import NamedTuple, override

from homeassistant.core import HomeAssistant
import psutil

from custom_components.homeagent.tools.history import History

from .soak_ledger import Faults

_MOST_GROWN = 6
_NOT_OURS = ("aiohttp", "RequestHandler")
"""Connections that stay open for the next request."""

_REFUSALS = "custom_components.homeagent.access.refusal_log"


class TaskKind(NamedTuple):
    """What a task does, and the name it was given or got."""

    does: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """Bytes of memory, blocks of Python's own, objects by type, all tasks."""

    rss: int
    blocks: int
    objects: Counter[str]
    tasks: tuple[TaskKind, ...]


async def footprint(hass: HomeAssistant, history: History) -> Footprint:
    """Measure, after everything that only waited to be thrown away is gone."""
    await hass.async_block_till_done()
    # What the history keeps is brought into its last form when it is first written.
    history.export()
    await come_to_rest(hass)
    objects = Counter(type(each).__name__ for each in gc.get_objects())
    return Footprint(
        rss=psutil.Process().memory_info().rss,
        blocks=sys.getallocatedblocks(),
        objects=objects,
        tasks=tuple(tasks_now()),
    )


async def come_to_rest(hass: HomeAssistant) -> None:
    """Throw away what nobody holds; then nothing is under way until the next `await`."""
    await asyncio.to_thread(gc.collect)
    # Meanwhile it may have been time to write what was changed seconds ago.
    await hass.async_block_till_done()
    gc.collect()


def tasks_now() -> Iterator[TaskKind]:
    """Return the tasks that there are."""
    for task in asyncio.all_tasks():
        does = getattr(task.get_coro(), "__qualname__", repr(task))
        if not any(part in repr(task) for part in _NOT_OURS):
            yield TaskKind(str(does), task.get_name())


def left_behind(before: Footprint, after: Footprint) -> list[str]:
    """Return what the tasks do that are more than before, with all names of their kind."""
    names: dict[str, list[str]] = {}
    for task in after.tasks:
        names.setdefault(task.does, []).append(task.name)
    earlier = Counter(task.does for task in before.tasks)
    more = Counter(task.does for task in after.tasks) - earlier
    return [
        f"{does} ({', '.join(sorted(names[does]))})" for does in sorted(more.elements())
    ]


def grown(before: Footprint, after: Footprint) -> Mapping[str, int]:
    """Return the types of which there are most more than before."""
    return dict((after.objects - before.objects).most_common(_MOST_GROWN))


@dataclass(slots=True)
class Watched:
    """How many exceptions nobody handled."""

    unhandled: int = 0


class _Errors(logging.Handler):
    """Counts what is logged as an error: by asyncio, Home Assistant or HomeAgent."""

    def __init__(self, watched: Watched, faults: Faults) -> None:
        """Take where to count."""
        super().__init__(logging.ERROR)
        self._watched = watched
        self._faults = faults

    @override
    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        error = "" if record.exc_info is None else f" {record.exc_info[1]!r}"
        self._watched.unhandled += 1
        self._faults.add(f"logged by {record.name}: {record.getMessage()}{error}")


@contextmanager
def watched(faults: Faults) -> Iterator[Watched]:
    """Count unhandled exceptions inside the block; each is a fault."""
    counts = Watched()
    handler = _Errors(counts, faults)
    refusals = logging.getLogger(_REFUSALS)
    level = refusals.level
    # The guest is refused again and again, which is as it should be.
    refusals.setLevel(logging.ERROR)
    logging.getLogger().addHandler(handler)
    try:
        yield counts
    finally:
        logging.getLogger().removeHandler(handler)
        refusals.setLevel(level)
