"""Gate, beside ``places``: file systems of the kernel that are mounted elsewhere, too.

``/host/proc`` in a container is another ``/proc``; by its name nothing tells. Reads the
table of mounts, as it is now, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
import os
from pathlib import Path
import re

from .kernel_files import KERNEL
from .secret_names import within

# Types of file systems, and where they usually are.
_USUAL = {
    "proc": "/proc",
    "devtmpfs": "/dev",
    "devpts": "/dev/pts",
    "sysfs": "/sys",
    "debugfs": "/sys/kernel/debug",
    "tracefs": "/sys/kernel/tracing",
    "pstore": "/sys/fs/pstore",
}
_ESCAPED = re.compile(r"\\([0-7]{3})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mounts:
    """What is mounted where, by ``table``: a file as ``/proc/self/mountinfo``."""

    table: str = "/proc/self/mountinfo"

    def all_points(self) -> list[str]:
        """Return where anything is mounted."""
        return [point for point, _ in self._read()]

    def points(self) -> list[str]:
        """Return where parts of the kernel are mounted that are not to be read."""
        return [
            point
            for point, usual in self._read()
            if any(within(usual, folder) for folder in KERNEL)
        ]

    def usual(self, real: str) -> str:
        """Return a path without links as it would be where its kind usually is."""
        best, found = "", ""
        for point, usual in self._read():
            # A later mount hides an earlier one; what is no kernel's has no usual place.
            inside = real == point or real.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, found = point, usual
        if not found:
            return real
        return os.path.normpath(found + "/" + real[len(best) :])

    def _read(self) -> tuple[tuple[str, str], ...]:
        """Return all places of mounts, each with its usual place or nothing."""
        try:
            text = Path(self.table).read_text("utf-8", "surrogateescape")
        except OSError:
            # No table: no system where such things could be mounted elsewhere.
            return ()
        return _places(text)


@lru_cache(maxsize=4)
def _places(table: str) -> tuple[tuple[str, str], ...]:
    return tuple(_place(line) for line in table.split("\n") if " - " in line)


def _place(line: str) -> tuple[str, str]:
    about, _, system = line.partition(" - ")
    # The kernel escapes its blanks; others are part of names.
    fields = about.split(" ")
    root, point = (_ESCAPED.sub(_unescaped, each) for each in fields[3:5])
    usual = _USUAL.get(system.split(" ")[0], "")
    return point, os.path.normpath(usual + "/" + root) if usual else ""


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 8))
