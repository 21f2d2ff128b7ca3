"""The time that something took, without what other programs took of it.

Lowest layer beside `figure`; imports nothing of ours. On a busy machine a program is put
aside in the middle of its work, and the longer of two things is hit more often: their
ratio would tell of the machine. Linux counts how long each thread was ready to run and
was not let; that is left out. Where a thread waits by itself counts in full.
"""

from pathlib import Path
import time

_SCHEDSTAT = Path("/proc/thread-self/schedstat")


def put_aside() -> float:
    """Return for how many seconds, so far, this thread was ready and did not run.

    Zero where the system does not tell.
    """
    try:
        _, waited, _ = _SCHEDSTAT.read_text(encoding="ascii").split()
    except OSError, ValueError:
        return 0.0
    return int(waited) / 1e9


class Stopwatch:
    """Started when it is made."""

    def __init__(self) -> None:
        """Start."""
        self._put_aside = put_aside()
        self._begin = time.perf_counter()

    def seconds(self) -> float:
        """Return the seconds since the start, those put aside left out."""
        end = time.perf_counter()
        return end - self._begin - (put_aside() - self._put_aside)
