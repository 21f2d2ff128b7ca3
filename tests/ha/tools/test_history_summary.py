"""What recorded states come to."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from custom_components.homeagent.tools.history_summary import Change, summarize

START = datetime(2026, 10, 1, tzinfo=UTC)


def summary(states: Sequence[str], *, each: float = 10) -> dict[str, object]:
    """Summarize states of `each` seconds."""
    changes = [
        Change(time=START + timedelta(seconds=each * index), state=state)
        for index, state in enumerate(states)
    ]
    return summarize(changes, START + timedelta(seconds=each * len(states)))


@pytest.mark.parametrize(
    ("states", "told"),
    [
        ([], {}),
        (["20", "22"], {"min": 20, "max": 22, "mean": 21}),
        (["20", "unavailable", "22.5"], {"min": 20, "max": 22.5, "mean": 21.25}),
        (["on", "off", "on"], {"seconds": {"on": 20, "off": 10}}),
        (["20", "on"], {"seconds": {"20": 10, "on": 10}}),
        (["nan"], {"seconds": {"nan": 10}}),
        (["unknown"], {"seconds": {"unknown": 10}}),
    ],
)
def test_summary(states: list[str], told: dict[str, object]) -> None:
    assert summary(states) == told


def test_mean_is_weighted_by_time() -> None:
    changes = [
        Change(time=START, state="0"),
        Change(time=START + timedelta(seconds=30), state="40"),
    ]
    assert summarize(changes, START + timedelta(seconds=40))["mean"] == 10


def test_mean_of_no_time() -> None:
    assert summary(["10", "20"], each=0)["mean"] == 15


def test_very_many_states_are_counted() -> None:
    told = summary([f"s{number}" for number in range(25)])
    assert isinstance(told["seconds"], dict)
    assert (len(told["seconds"]), told["other_states"]) == (20, 5)
