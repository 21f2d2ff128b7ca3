"""How long the link waits, what it says, and what it gives the watchdog."""

from __future__ import annotations

import os
from pathlib import Path
import socket

import pytest

from homeagent_waiter.daemon_notify import notify, watchdog_interval
from homeagent_waiter.link_awake import asleep
from homeagent_waiter.link_backoff import Backoff
from homeagent_waiter.link_words import trouble_text
from homeagent_waiter.protocol import Close

TEN = range(10)


@pytest.mark.parametrize(
    ("code", "luck", "waits"),
    [
        (Close.NORMAL, 1.0, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]),
        (Close.RESTARTING, 0.5, [0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30]),
        (Close.SILENT, 0.0, [0] * 10),
        (1006, 1.0, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]),
        (Close.BAD_KEY, 0.0, [300, 600, 1200, 2400, *[3600] * 6]),
        (Close.REVOKED, 0.0, [300, 600, 1200, 2400, *[3600] * 6]),
        (Close.VERSION, 0.0, [300, 600, 1200, 2400, *[3600] * 6]),
        (Close.DUPLICATE, 0.0, [60, 120, 240, 480, *[600] * 6]),
    ],
)
def test_waits(code: int, luck: float, waits: list[float]) -> None:
    backoff = Backoff(lambda: luck)
    assert [backoff.after(code, 0) for _ in TEN] == waits


@pytest.mark.parametrize(("lasted", "wait"), [(59.9, 16), (60, 1)])
def test_connection_that_lasted_begins_anew(lasted: float, wait: float) -> None:
    backoff = Backoff(lambda: 1.0)
    for _ in range(4):
        backoff.after(Close.NORMAL, 0)
    assert backoff.after(Close.NORMAL, lasted) == wait


def test_thousands_of_tries_are_no_overflow() -> None:
    backoff = Backoff(lambda: 1.0)
    assert {backoff.after(Close.NORMAL, 0) for _ in range(5000)} >= {60}


@pytest.mark.parametrize("code", [*Close, 1006, 4999])
def test_every_end_has_words(code: int) -> None:
    assert trouble_text(code).startswith("not connected: ")
    assert trouble_text(code, "the reason") == "not connected: the reason"


def test_awake_computer_did_not_sleep_just_now() -> None:
    before = asleep()
    assert asleep() - before < 1


@pytest.mark.parametrize(
    ("environment", "interval"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 10.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 10.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "³"}, None),
    ],
)
def test_watchdog(environment: dict[str, str], interval: float | None) -> None:
    assert watchdog_interval(environment) == interval


def test_systemd_is_told(tmp_path: Path) -> None:
    """A socket that listens hears; none, or one that is gone, hurts nobody."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(path))
        notify("READY=1", {"NOTIFY_SOCKET": str(path)})
        assert listening.recv(100) == b"READY=1"
    notify("READY=1", {"NOTIFY_SOCKET": str(path)})
    notify("READY=1", {"NOTIFY_SOCKET": "relative"})
    notify("READY=1", {})
