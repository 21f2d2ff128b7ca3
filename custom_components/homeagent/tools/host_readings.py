"""What a host has told of itself, as values that can be shown (page 4 §4.4).

Beside `host_signals`; imports nothing of Home Assistant. A host may be of any version and
tell anything: what is no such value is None, or left out.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
import re
from typing import Final

from ..hosts.host import Host

MOST_MOUNTS: Final = 50

_PROGRAM: Final = re.compile(r"[A-Za-z0-9._+-]{1,32}")

type Value = float | str | datetime | None


def measured(key: str) -> Callable[[Host], float | None]:
    """Return what reads a number that was measured."""
    return lambda host: _number(host.metrics.get(key))


def load(host: Host) -> float | None:
    """Return how many processes were at work, over the last minute."""
    told = host.metrics.get("load")
    return _number(told[0]) if isinstance(told, list) and told else None


def boot(host: Host) -> datetime | None:
    """Return when the host was started."""
    seconds = _number(host.metrics.get("boot"))
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except OverflowError, ValueError, OSError:
        return None


def mounts(host: Host) -> Mapping[str, float]:
    """Return how full each mounted disk is, in percent, by its mount point."""
    disks = host.metrics.get("disks")
    return {
        disk["mount"]: used
        for disk in (disks[:MOST_MOUNTS] if isinstance(disks, list) else ())
        if isinstance(disk, Mapping)
        and isinstance(disk.get("mount"), str)
        and (used := _number(disk.get("used"))) is not None
    }


def mount_sum(mount: str) -> str:
    """Return a short sum by which mount points with one slug are told apart."""
    return f"{sum(mount.encode()) % 997:x}"


def program_of(line: str) -> str | None:
    """Return the program of a command line, if that can be shown: it holds no secret."""
    first = line.split(maxsplit=1)[:1]
    return first[0] if first and _PROGRAM.fullmatch(first[0]) else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)
