"""Spans of time as models and people give them."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.util import dt as dt_util
from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.tools.reading_times import (
    Span,
    exact_time,
    local_time,
    parse_moment,
    read_span,
)

NOW = dt_util.utcnow()
DAY = timedelta(days=1)


def read(**arguments: object) -> Any:
    return read_span(
        arguments, NOW, default="24h", longest=7 * DAY, instead="do something else"
    )


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("24h", DAY),
        ("1d12h ago", 1.5 * DAY),
        ("2w", 14 * DAY),
        ("90m", timedelta(minutes=90)),
        ("1h 30m", timedelta(minutes=90)),
        ("30S", timedelta(seconds=30)),
        ("0s", timedelta()),
        pytest.param(exact_time(NOW - DAY), DAY, id="exact"),
        pytest.param((NOW - DAY).isoformat(), DAY, id="iso"),
    ],
)
def test_moments(text: str, ago: timedelta) -> None:
    assert parse_moment(text, NOW) == NOW - ago


def test_times_without_zone_are_local() -> None:
    local = dt_util.as_local(NOW - DAY)
    assert parse_moment(local.replace(tzinfo=None).isoformat(), NOW) == NOW - DAY
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    assert parse_moment(local.date().isoformat(), NOW) == midnight


@pytest.mark.parametrize(
    "text",
    ["", "h", "yesterday", "5", "1x", "24 hours", "0001-01-01", "99999w", "1h1h"],
)
def test_no_moments(text: str) -> None:
    assert parse_moment(text, NOW) is None
    error = read(start=text)
    assert (error.reason, error.field) == (Reason.VALUE, "start")


@pytest.mark.parametrize(
    ("arguments", "start", "end"),
    [
        ({}, DAY, timedelta()),
        ({"start": "3d", "end": "1d"}, 3 * DAY, DAY),
        ({"start": "7d"}, 7 * DAY, timedelta()),
        ({"end": exact_time(NOW + DAY)}, DAY, timedelta()),
    ],
)
def test_spans(arguments: dict[str, str], start: timedelta, end: timedelta) -> None:
    """What is still to come has not happened: a span ends now."""
    assert read(**arguments) == Span(start=NOW - start, end=NOW - end)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"start": "8d"}, "7 are allowed"),
        ({"start": "1h", "end": "2h"}, "not before"),
        ({"start": exact_time(NOW + DAY)}, "not before"),
    ],
)
def test_wrong_spans(arguments: dict[str, str], says: str) -> None:
    """A span is never changed in silence."""
    error = read(**arguments)
    assert error.reason is Reason.VALUE
    assert says in error.detail


@given(start=st.text(), end=st.text())
def test_total(start: str, end: str) -> None:
    assert isinstance(read(start=start, end=end), Span | ToolError)


def test_times_come_back() -> None:
    """What an answer tells can be asked with, to the microsecond where needed."""
    assert parse_moment(exact_time(NOW), NOW) == NOW
    assert datetime.fromisoformat(local_time(NOW)) == NOW.replace(microsecond=0)
