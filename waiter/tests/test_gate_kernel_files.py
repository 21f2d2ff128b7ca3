"""The kernel's own files: where they are mounted, and which may be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from homeagent_waiter.gate.kernel_files import check_kernel
from homeagent_waiter.gate.mounts import Mounts
from homeagent_waiter.gate.refused import RefusedError

TABLE = (
    rb"""
22 27 0:21 / /p rw,relatime - proc proc rw
24 27 0:6 / /dev rw,relatime - devtmpfs devtmpfs rw
26 27 0:22 / /sys rw - sysfs sysfs rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
31 30 0:21 /sys /host/a\040b ro shared:1 - proc proc rw
32 27 0:24 / /host/bad-"""
    + bytes([255])
    + rb""" ro - proc proc rw
33 27 0:7 / /debug ro - debugfs a - b rw
34 27 0:8 / /hidden ro - proc proc rw
35 27 0:9 / /hidden ro - tmpfs tmpfs rw
36 27 0:9 /kernel/debug /part ro - sysfs sysfs rw
no line of a mount
"""
)


@pytest.fixture
def mounts(tmp_path: Path) -> Mounts:
    """A table of mounts with doubtful entries."""
    (tmp_path / "table").write_bytes(TABLE)
    return Mounts(table=str(tmp_path / "table"))


@pytest.mark.parametrize(
    ("real", "usual"),
    [
        ("/p", "/proc"),
        ("/p/1/environ", "/proc/1/environ"),
        ("/pp/1", "/pp/1"),
        ("/srv/file", "/srv/file"),
        ("/", "/"),
        ("/host/a b/kernel", "/proc/sys/kernel"),
        (os.fsdecode(b"/host/bad-\xff/1"), "/proc/1"),
        ("/debug/x", "/sys/kernel/debug/x"),
        ("/hidden/1", "/hidden/1"),
        ("/sys/class", "/sys/class"),
    ],
)
def test_path_is_told_by_its_kind(mounts: Mounts, real: str, usual: str) -> None:
    """By the innermost and last mount that it is in."""
    assert mounts.usual(real) == usual


def test_proc_may_be_all_there_is(tmp_path: Path) -> None:
    """Also at the root, and nothing is told without a table."""
    (tmp_path / "table").write_text("1 2 0:1 / / rw - proc proc rw\n")
    assert Mounts(table=str(tmp_path / "table")).usual("/1/mem") == "/proc/1/mem"
    point = "/host/a\u3000b/proc"
    (tmp_path / "table").write_text(f"1 2 0:1 / {point} rw - proc proc rw\n", "utf-8")
    assert (
        Mounts(table=str(tmp_path / "table")).usual(f"{point}/1/mem") == "/proc/1/mem"
    )
    nothing = Mounts(table=str(tmp_path / "none"))
    assert nothing.usual("/1/mem") == "/1/mem"
    assert nothing.points() == nothing.all_points() == []


def test_what_is_not_to_be_read_is_listed(mounts: Mounts) -> None:
    """Where something is mounted, and what of that is the kernel's."""
    bad = os.fsdecode(b"/host/bad-\xff")
    kernel = ["/p", "/dev", "/host/a b", bad, "/debug", "/hidden", "/part"]
    assert mounts.points() == kernel
    assert mounts.all_points() == [
        *["/p", "/dev", "/sys", "/", "/host/a b", bad, "/debug"],
        *["/hidden", "/hidden", "/part"],
    ]


OWN = f"/proc/{os.getpid()}/mounts"
LISTED = (
    "of /proc only /proc/cpuinfo /proc/diskstats /proc/loadavg /proc/mdstat"
    " /proc/meminfo /proc/mounts /proc/net/dev /proc/partitions /proc/stat /proc/swaps"
    " /proc/uptime /proc/version /proc/vmstat"
)
DEV = "no device; what is in /dev is never read"


@pytest.mark.parametrize(
    ("written", "real", "usual", "told"),
    [
        ("/proc/cpuinfo", "/proc/cpuinfo", "/proc/cpuinfo", None),
        ("/proc/mounts", OWN, OWN, None),
        ("/proc/cpuinfo", "/srv/x", "/srv/x", ("device", LISTED)),
        ("/srv/x", "/host/cpuinfo", "/proc/cpuinfo", None),
        ("/etc/mtab", OWN, OWN, None),
        ("/etc/mtab", f"{OWN}x", f"{OWN}x", ("secret", LISTED)),
        ("/etc/mtab", "/proc/1/mounts", "/proc/1/mounts", ("secret", LISTED)),
        ("/srv/mtab", OWN, OWN, ("secret", LISTED)),
        ("/srv/x", "/proc/self/x", "/proc/self/x", ("secret", LISTED)),
        ("/srv/x", "/srv/y", "/proc/kallsyms", ("device", LISTED)),
        ("/dev/x", "/srv/y", "/srv/y", ("device", DEV)),
        ("/srv/x", "/dev/x", "/dev/x", ("device", DEV)),
        ("/srv/x", "/host/x", "/dev/x", ("device", DEV)),
        ("/srv/x", "/srv/y", "/srv/y", None),
    ],
)
def test_file_of_the_kernel(
    written: str, real: str, usual: str, told: tuple[str, str] | None
) -> None:
    """As it is written, after all links, and by its kind."""
    if told is None:
        check_kernel("word", written, real, usual)
        return
    with pytest.raises(RefusedError) as refused:
        check_kernel("word", written, real, usual)
    refusal = refused.value.refusal
    assert (refusal.code, refusal.token, refusal.hint) == (told[0], "word", told[1])
