"""What a span of recorded states comes to: pure, without Home Assistant's recorder."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from typing import Final

MOST_STATES: Final = 20
"""States whose time is told; what a text sensor shows may be endless."""

_NOTHING_KNOWN: Final = frozenset({"unknown", "unavailable"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A state and the moment since which it was so."""

    time: datetime
    state: str


def summarize(changes: Sequence[Change], end: datetime) -> dict[str, object]:
    """Return minimum, maximum and mean of numbers, or how long each state was.

    `changes` are in order; each state lasts to the next, the last one to `end`. The mean
    is weighted by time. Nothing for no changes.
    """
    if not changes:
        return {}
    lasting = _lasting(changes, end)
    numbers = [
        (number, seconds)
        for state, seconds in lasting
        if state not in _NOTHING_KNOWN and (number := _number(state)) is not None
    ]
    known = [state for state, _ in lasting if state not in _NOTHING_KNOWN]
    if numbers and len(numbers) == len(known):
        return _of_numbers(numbers)
    return _of_states(lasting)


def _lasting(changes: Sequence[Change], end: datetime) -> list[tuple[str, float]]:
    """Return each state and the seconds it lasted."""
    ends = [*(change.time for change in changes[1:]), end]
    return [
        (change.state, max((until - change.time) / timedelta(seconds=1), 0.0))
        for change, until in zip(changes, ends, strict=True)
    ]


def _of_numbers(numbers: Sequence[tuple[float, float]]) -> dict[str, object]:
    values = [number for number, _ in numbers]
    time = sum(seconds for _, seconds in numbers)
    if time > 0:
        mean = sum(number * (seconds / time) for number, seconds in numbers)
    else:
        mean = sum(value / len(values) for value in values)
    return {"min": min(values), "max": max(values), "mean": round(mean, 3)}


def _of_states(lasting: Sequence[tuple[str, float]]) -> dict[str, object]:
    seconds: dict[str, float] = {}
    for state, lasted in lasting:
        seconds[state] = seconds.get(state, 0.0) + lasted
    longest = sorted(seconds, key=lambda state: -seconds[state])
    told: dict[str, object] = {
        "seconds": {state: round(seconds[state], 1) for state in longest[:MOST_STATES]}
    }
    if len(longest) > MOST_STATES:
        told["other_states"] = len(longest) - MOST_STATES
    return told


def _number(state: str) -> float | None:
    try:
        number = float(state)
    except ValueError:
        return None
    return number if isfinite(number) else None
