"""Metrics: what this host is doing, by psutil (design page 4 §4.4). Imports nothing else.

Blocks for a moment; whoever asks does so in a thread. No disk is woken: only the file
systems' own figures are read, network mounts are left out, and so are the temperatures
that a disk would have to be asked for.
"""

from __future__ import annotations

import os
from typing import Any

import psutil

MOST_DISKS = 50
MOST_PROCESSES = 10

_NETWORK = frozenset(
    """
    9p afs autofs ceph cifs davfs fuse.curlftpfs fuse.davfs2 fuse.glusterfs
    fuse.mergerfs.remote fuse.rclone fuse.s3fs fuse.sshfs gfs2 glusterfs lustre ncpfs
    nfs nfs4 ocfs2 smb2 smb3 smbfs
    """.split()
)
_NO_DISK = frozenset("devtmpfs overlay proc ramfs squashfs sysfs tmpfs".split())
# These are read by asking the disk, which wakes it.
_WAKING = frozenset({"drivetemp", "nvme"})
# What is nearest to "how warm is this computer", best first.
_PROCESSOR = ("coretemp", "k10temp", "zenpower", "cpu_thermal", "soc_thermal", "acpitz")


def measure() -> dict[str, object]:
    """Return what is measured: percentages, loads, seconds since 1970, Celsius.

    CPU use is that since the last call. What cannot be read is left out.
    """
    measured: dict[str, object] = {
        "cpu": psutil.cpu_percent(),
        "memory": psutil.virtual_memory().percent,
        "load": [round(value, 2) for value in os.getloadavg()],
        "boot": int(psutil.boot_time()),
        "disks": disks(),
    }
    if (warmth := temperature()) is not None:
        measured["temperature"] = warmth
    return measured


def disks() -> list[dict[str, Any]]:
    """Return how full the mounted disks are: percent, and bytes in all and free."""
    found: list[dict[str, Any]] = []
    seen: set[tuple[str, int, int]] = set()
    for part in psutil.disk_partitions(all=False):
        kind = part.fstype.lower()
        if kind in _NETWORK or kind in _NO_DISK or kind.startswith("nfs"):
            continue
        try:
            usage = psutil.disk_usage(part.mountpoint)
        except OSError:
            # Unmounted meanwhile, or not for us to see.
            continue
        # One disk mounted at several places, as containers have it, counts once.
        same = (part.device, usage.total, usage.free)
        if usage.total and same not in seen:
            seen.add(same)
            found.append(
                {
                    "mount": _text(part.mountpoint),
                    "used": usage.percent,
                    "total": usage.total,
                    "free": usage.free,
                }
            )
    return found[:MOST_DISKS]


def temperature() -> float | None:
    """Return how warm the processor is, None where nothing tells."""
    sensors = getattr(psutil, "sensors_temperatures", None)
    try:
        groups = sensors() if sensors is not None else {}
    except (OSError, ValueError):
        return None
    usual = [name for name in _PROCESSOR if name in groups]
    others = sorted(set(groups) - _WAKING - set(usual))
    for name in (*usual, *others):
        values = [one.current for one in groups[name] if one.current]
        if values:
            return float(max(values))
    return None


def busiest() -> list[dict[str, Any]]:
    """Return the processes that use most of the processor and memory, by name.

    Their arguments stay out: they can hold secrets.
    """
    rows = []
    for process in psutil.process_iter():
        try:
            with process.oneshot():
                rows.append(
                    {
                        "pid": process.pid,
                        "name": _text(process.name()[:64]),
                        "cpu": process.cpu_percent(),
                        "memory": round(process.memory_percent(), 1),
                    }
                )
        except psutil.Error:
            continue
    rows.sort(key=lambda row: (row["cpu"], row["memory"]), reverse=True)
    return rows[:MOST_PROCESSES]


def _text(name: str) -> str:
    """Return a name whose bytes need not be UTF-8 as a text that can be passed on."""
    return name.encode(errors="replace").decode()
