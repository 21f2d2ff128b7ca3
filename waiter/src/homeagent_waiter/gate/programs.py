"""Gate, second stage: finds the program of a name, and whose implementation it is.

Reads files, runs none: which implementation a program is, is told by texts in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
import mmap
import os
from pathlib import Path
import stat

# Where programs are, with the folders of NAS systems; never from the environment.
PATH = (
    "/usr/local/sbin",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/bin",
    "/sbin",
    "/bin",
    "/usr/syno/sbin",
    "/usr/syno/bin",
    "/usr/builtin/sbin",
    "/usr/builtin/bin",
    "/opt/bin",
)


class Family(StrEnum):
    """Whose implementation a program is."""

    USUAL = "usual"
    BUSYBOX = "busybox"
    TOYBOX = "toybox"
    UUTILS = "uutils"
    UNKNOWN = "unknown"


_FOREIGN = (
    (b"BusyBox v", Family.BUSYBOX),
    (b"toybox 0.", Family.TOYBOX),
    (b"uutils coreutils", Family.UUTILS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that may run: its real file and its bytes' family texts."""

    file: str
    texts: frozenset[bytes]

    def family(self, marker: bytes | None) -> Family:
        """Return the implementation; ``marker`` is a text that the usual one has."""
        for text, family in _FOREIGN:
            if text in self.texts:
                return family
        if marker is None or marker in self.texts:
            return Family.USUAL
        return Family.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsafe:
    """A program that may not run, and why."""

    file: str
    why: str


@dataclass(slots=True)
class Programs:
    """Finds programs in ``path``; their owner must be root or one of ``owners``."""

    path: tuple[str, ...] = PATH
    owners: frozenset[int] = frozenset({0})
    markers: frozenset[bytes] = frozenset()
    _seen: dict[tuple[str, int, int, int], frozenset[bytes]] = field(
        default_factory=dict, repr=False
    )

    def find(self, name: str) -> Program | Unsafe | None:
        """Return the program of a name, why it may not run, or ``None``: not there."""
        for folder in self.path:
            try:
                file = Path(folder, name).resolve(strict=True)
                facts = file.stat()
            except (OSError, RuntimeError):
                continue
            if not stat.S_ISREG(facts.st_mode) or not facts.st_mode & 0o111:
                continue
            if facts.st_uid not in self.owners:
                return Unsafe(file=str(file), why="it does not belong to root")
            if facts.st_mode & 0o022:
                return Unsafe(file=str(file), why="others may write it")
            return Program(file=str(file), texts=self._texts(str(file), facts))
        return None

    def _texts(self, file: str, facts: os.stat_result) -> frozenset[bytes]:
        """Return which of the family texts are in a file; remembered per version."""
        key = (file, facts.st_mtime_ns, facts.st_size, facts.st_ino)
        if key not in self._seen:
            wanted = self.markers | {text for text, _ in _FOREIGN}
            self._seen[key] = _contained(file, wanted)
        return self._seen[key]


def _contained(file: str, wanted: frozenset[bytes]) -> frozenset[bytes]:
    try:
        with (
            Path(file).open("rb") as opened,
            mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            return frozenset(text for text in wanted if content.find(text) >= 0)
    except (OSError, ValueError):
        return frozenset()
