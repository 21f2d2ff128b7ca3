"""Gate, beside ``places``: of /proc, /dev and /sys, what may be read. Pure.

Of ``/proc`` only what is listed, of ``/dev`` nothing, of ``/sys`` no debugging.
"""

from __future__ import annotations

import os
import re

from .plan import Code
from .refused import RefusedError, shown
from .secret_names import within

_PROC = frozenset(
    "/proc/" + name
    for name in (
        "cpuinfo meminfo mdstat loadavg uptime stat diskstats mounts version partitions"
        " swaps vmstat net/dev"
    ).split()
)
# Where /etc/mtab leads.
_OWN_MOUNTS = re.compile(rf"/proc/{os.getpid()}/mounts", re.ASCII)
# Kernel interfaces below /sys where reading waits or takes something away.
_SYS = ("/sys/kernel/debug", "/sys/kernel/tracing", "/sys/fs/pstore")
# What no folder may hold that is read to any depth.
KERNEL = ("/proc", "/dev", *_SYS)


def check_kernel(text: str, written: str, real: str, usual: str) -> None:
    """Refuse /dev, and of /proc all but what is listed.

    ``text`` is the word; the others are its path as written, after all links, and as it
    would be where its kind of file system usually is.
    """
    if written in _PROC and (real in _PROC or real.startswith("/proc/")):
        return
    if usual in _PROC or (written == "/etc/mtab" and _OWN_MOUNTS.fullmatch(real)):
        return
    for path in (written, real, usual):
        if within(path, "/dev"):
            hint = "no device; what is in /dev is never read"
            raise RefusedError(Code.DEVICE, shown(text), hint)
        if within(path, "/proc"):
            code = Code.SECRET if _of_a_process(path) else Code.DEVICE
            hint = "of /proc only " + " ".join(sorted(_PROC))
            raise RefusedError(code, shown(text), hint)
        if any(within(path, folder) for folder in _SYS):
            hint = "no debugging interface of the kernel"
            raise RefusedError(Code.DEVICE, shown(text), hint)


def _of_a_process(path: str) -> bool:
    """Return whether a path in /proc leads to what others or the kernel keep secret."""
    inside = path.removeprefix("/proc").lstrip("/")
    return inside[:1].isdigit() or inside.startswith(
        ("self", "thread-self", "kcore", "key", "sys/kernel/random")
    )
