"""Gate, beside ``places``: secret places that have a second name. Reads no content.

A hard link, or a folder that is mounted once more (``./state`` of a container below a
mounted ``/volume1``), has a harmless name, but the same device and inode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
import os
from pathlib import PurePosixPath
import stat

from .mounts import Mounts
from .plan import Code
from .refused import RefusedError, shown
from .secret_names import within

MOST_FILES = 50_000
_TOO_MUCH = (
    "a file with one name; too many are in the places of keys to compare it with"
)


@dataclass(slots=True)
class OtherNames:
    """Tells the fixed places by device and inode, as they are when it is first asked."""

    fixed: tuple[str, ...]
    mounts: Mounts
    _places: frozenset[tuple[int, int]] | None = field(default=None, init=False)
    _files: frozenset[tuple[int, int]] | None = field(default=None, init=False)

    def lead_into(self, path: str) -> bool:
        """Return whether a path is or lies in a fixed place, whatever it is called."""
        parents = [path, *map(str, PurePosixPath(path).parents)]
        return any(self.place(facts) for facts in map(_facts, parents) if facts)

    def place(self, facts: os.stat_result) -> bool:
        """Return whether a file or folder is a fixed place, or mounted in one."""
        if self._places is None:
            self._places = frozenset(_numbers(self._tops()))
        return (facts.st_dev, facts.st_ino) in self._places

    def file(self, facts: os.stat_result, text: str) -> bool:
        """Return whether a file with several names is in a fixed place, at any depth.

        ``text`` is what a refusal names: raises ``RefusedError`` with ``secret`` when
        there is too much in the fixed places to tell.
        """
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink < 2:
            return False
        if self._files is None:
            self._files = frozenset(_numbers(_all_below(self.fixed, text)))
        return (facts.st_dev, facts.st_ino) in self._files

    def _tops(self) -> Iterator[str]:
        yield from self.fixed
        for point in self.mounts.all_points():
            if any(within(point, place) for place in self.fixed):
                yield point


def _numbers(paths: Iterable[str]) -> Iterator[tuple[int, int]]:
    for facts in map(_facts, paths):
        if facts is not None:
            yield facts.st_dev, facts.st_ino


def _facts(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _all_below(places: Iterable[str], text: str) -> Iterator[str]:
    """Give the places and the files in them; follows no links in them."""
    seen = 0
    folders = list(places)
    while folders:
        folder = folders.pop()
        # A place may be a file; of others only folders come here.
        yield folder
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MOST_FILES:
                        raise RefusedError(Code.SECRET, shown(text), _TOO_MUCH)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.is_file(follow_symlinks=False):
                        yield entry.path
        except OSError:
            continue
