"""One started process: waits without reaping, so that its group keeps its number.

As long as a leader is not reaped, no other process gets its number, and killing its
group can hit no stranger. Linux 5.3 tells by a file that a process ended; on the older
kernels of some NAS systems it is looked at again and again.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess

_PAUSE = 0.02


class Process:
    """A process that leads a group of its own."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen = popen
        self._reaped = False

    @property
    def pid(self) -> int:
        """Return its number."""
        return self._popen.pid

    @property
    def exit_code(self) -> int | None:
        """Return its exit code, negative for a signal; ``None``: not reaped."""
        return self._popen.returncode if self._reaped else None

    async def ended(self) -> None:
        """Wait until it has ended; it stays to be reaped."""
        if self._has_ended():
            return
        try:
            fd = os.pidfd_open(self._popen.pid)
        except (AttributeError, OSError):
            while not self._has_ended():  # noqa: ASYNC110
                await asyncio.sleep(_PAUSE)
            return
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(fd, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(fd)
            os.close(fd)

    def signal_group(self, number: signal.Signals) -> None:
        """Send a signal to its whole group, unless it was reaped."""
        if self._reaped:
            return
        try:
            os.killpg(self._popen.pid, number)
        except (ProcessLookupError, PermissionError):
            # A group of the dead, or one that now belongs to somebody else.
            return

    def reap(self) -> bool:
        """Take its exit code if it has ended; return whether it had."""
        if not self._reaped and self._has_ended():
            self._popen.wait()
            self._reaped = True
        return self._reaped

    def _has_ended(self) -> bool:
        if self._reaped:
            return True
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._popen.pid, flags) is not None
