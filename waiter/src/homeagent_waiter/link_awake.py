"""Link: whether this computer slept. Imports nothing of its own.

A clock that runs on while the computer sleeps goes ahead of one that does not.
"""

from __future__ import annotations

import time

SLEPT = 1.0
"""Seconds of sleep that count."""


def asleep() -> float:
    """Return the seconds that this computer has slept since it was started."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(
        time.CLOCK_MONOTONIC
    )
