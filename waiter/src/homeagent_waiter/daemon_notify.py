"""Daemon: tells systemd that the waiter runs, and that it still does.

systemd listens at the socket that it names in the environment. Imports nothing of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
import os
import socket


def notify(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Tell systemd something, such as ``READY=1``; nothing happens without systemd."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
        try:
            out.connect(address)
            out.sendall(state.encode())
        except OSError:
            # Whoever does not listen is not told.
            return


def watchdog_interval(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return how often, in seconds, systemd wants a sign of life; None: never."""
    text = environment.get("WATCHDOG_USEC", "")
    if not text.isascii() or not text.isdecimal() or int(text) <= 0:
        return None
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(text) / 1_000_000 / 3


async def keep_watchdog_quiet() -> None:
    """Give signs of life for as long as the event loop turns."""
    interval = watchdog_interval()
    if interval is None:
        return
    while True:
        notify("WATCHDOG=1")
        await asyncio.sleep(interval)
