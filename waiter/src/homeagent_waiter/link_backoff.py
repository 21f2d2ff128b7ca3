"""Link: how long to wait before the next try. Pure; imports ``protocol`` only.

Never gives up. Many waiters that lost the same Home Assistant come back spread over the
whole wait (full jitter), design page 4 §4.1.
"""

from __future__ import annotations

from collections.abc import Callable

from .protocol import Close

SHORTEST = 1.0
LONGEST = 60.0
STABLE_AFTER = 60.0
"""Seconds that a connection must have lasted for the waits to begin anew."""

BAD_KEY = (300.0, 3600.0)
DUPLICATE = (60.0, 600.0)

_SLOW = {
    Close.BAD_KEY: BAD_KEY,
    Close.REVOKED: BAD_KEY,
    Close.VERSION: BAD_KEY,
    Close.DUPLICATE: DUPLICATE,
}
"""First and longest wait after what a person has to mend."""


class Backoff:
    """Counts the tries. ``random`` gives numbers from 0 to below 1."""

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._tries = 0
        self._slow_tries = 0

    def reset(self) -> None:
        """Begin anew: something has changed."""
        self._tries = self._slow_tries = 0

    def after(self, code: int, lasted: float) -> float:
        """Return the seconds to wait after a connection that ended so.

        ``lasted`` is how many seconds it was bound, 0 if it never was.
        """
        if lasted >= STABLE_AFTER:
            self.reset()
        if slow := _SLOW.get(Close(code) if code in _CODES else Close.NORMAL):
            first, longest = slow
            wait = min(first * 2.0 ** min(self._slow_tries, 16), longest)
            self._slow_tries += 1
            return wait
        self._slow_tries = 0
        most = min(SHORTEST * 2.0 ** min(self._tries, 16), LONGEST)
        self._tries += 1
        return self._random() * most


_CODES = frozenset(Close)
