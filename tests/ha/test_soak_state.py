"""What the soak counts: what is left for good, told by name, and nothing that ends."""

import asyncio
from collections import Counter
from collections.abc import Iterator
import gc

from homeassistant.core import HomeAssistant
import pytest

from benchmarks.soak_state import (
    Footprint,
    TaskKind,
    come_to_rest,
    left_behind,
    tasks_now,
)


@pytest.fixture
def _collected_when_asked() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


class Litter:
    """Garbage; Home Assistant begins to write something while it is collected."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.me = self
        self._hass = hass

    def __del__(self) -> None:
        self._hass.loop.call_soon_threadsafe(self._hass.async_create_task, write())


async def write() -> None:
    """Write, which takes a while."""
    for _ in range(20):
        await asyncio.sleep(0)


async def stay() -> None:
    """End never."""
    await asyncio.Event().wait()


def looked_at(*tasks: TaskKind) -> Footprint:
    return Footprint(rss=1, blocks=1, objects=Counter(), tasks=tasks)


@pytest.mark.usefixtures("_collected_when_asked")
async def test_what_was_begun_meanwhile_has_ended(hass: HomeAssistant) -> None:
    """As a delayed writing of Home Assistant's that falls into the look."""
    before = looked_at(*tasks_now())
    Litter(hass)
    await come_to_rest(hass)
    assert left_behind(before, looked_at(*tasks_now())) == []


async def test_what_stays_is_told_by_what_it_does_and_by_name(
    hass: HomeAssistant,
) -> None:
    before = looked_at(*tasks_now())
    task = hass.async_create_background_task(stay(), "the one that stays")
    await come_to_rest(hass)
    assert left_behind(before, looked_at(*tasks_now())) == ["stay (the one that stays)"]
    task.cancel()


def test_each_that_is_more_counts() -> None:
    """Which of a kind was there too long nobody knows: all its names are told."""
    before = looked_at(TaskKind("read", "1"), TaskKind("write", "2"))
    after = looked_at(*(TaskKind("read", str(number)) for number in (1, 3, 4)))
    assert left_behind(before, after) == ["read (1, 3, 4)"] * 2
    assert left_behind(after, before) == ["write (2)"]
