"""First come, first served: for calls that arrive one by one (page 1 §1.4).

Home Assistant's chat log starts every tool call as its own task the moment it is
streamed, and knows no order. One gate stands before each such stream of calls: a safe
call may overlap others unless one of them acts on what it acts on, an unsafe call runs
alone, and no call overtakes an earlier one. Imports the contract only.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from .contract import CallFacts


@dataclass(slots=True, eq=False)
class Place:
    """A place in line; `started` is set when the call's turn has come."""

    facts: CallFacts
    started: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Gate:
    """The line before one stream of calls."""

    def __init__(self) -> None:
        """Nobody waits, nothing runs."""
        self._line: deque[Place] = deque()
        self._running: set[Place] = set()

    def enter(self, facts: CallFacts) -> Place:
        """Take a place in line, at once; `leave` must follow in every case."""
        place = Place(facts=facts)
        self._line.append(place)
        self._advance()
        return place

    async def wait(self, place: Place, seconds: float) -> bool:
        """Wait for the turn of a place; false if it did not come in time."""
        if not place.started.done():
            await asyncio.wait({place.started}, timeout=seconds)
        return place.started.done()

    def leave(self, place: Place) -> None:
        """Give the place up, whether its call ran or not."""
        if place in self._running:
            self._running.discard(place)
        else:
            self._line.remove(place)
        self._advance()

    def _advance(self) -> None:
        while self._line and self._may_start(self._line[0].facts):
            place = self._line.popleft()
            self._running.add(place)
            place.started.set_result(None)

    def _may_start(self, facts: CallFacts) -> bool:
        return not any(_conflict(facts, other.facts) for other in self._running)


def _conflict(one: CallFacts, other: CallFacts) -> bool:
    """Whether two calls must not run at the same time."""
    if not (one.parallel_safe and other.parallel_safe):
        return True
    if one.keys is None or other.keys is None:
        return True
    return not one.keys.isdisjoint(other.keys)
