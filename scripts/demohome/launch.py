"""Become the command given, and end when the process that started us ends.

Run as a script, before Home Assistant: `launch.py PARENT_PID COMMAND…`. Only Linux can
bind a process to its parent; elsewhere this just starts the command. Imports nothing
of ours.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int) -> None:
    """Ask the system for SIGTERM when `parent` ends; exit if it has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        raise SystemExit("the process that should watch over this one is gone")


if __name__ == "__main__":
    end_with_parent(int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - the caller chose it
