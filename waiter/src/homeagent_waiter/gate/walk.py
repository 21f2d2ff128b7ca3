"""Gate, fourth stage: looks through a folder before a program reads it to any depth.

Bounded. Where it meets a secret, the program gets the other files by name instead of
the folder (design page 4, §4.3). Reads names and links, no content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
import fnmatch
import os

from .grammar import Parsed, count
from .other_names import OtherNames
from .places import Places
from .refused import RefusedError

MOST_ENTRIES = 10_000
# What is left of ARG_MAX on small systems.
MOST_BYTES = 1_000_000


@dataclass(slots=True)
class Walk:
    """One walk: the files met, those left out, and how many entries were seen."""

    places: Places
    follow: bool
    skipped: Sequence[str] = ()
    files: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    seen: int = 0
    others: OtherNames = field(init=False)

    def look(self, root: str) -> None:
        """Walk a root; raise ``RefusedError`` with ``count`` when it is too much."""
        if not os.path.isdir(os.path.join(self.places.folder, root)):
            self.files.append(root)
            return
        visited: set[tuple[int, int]] = set()
        self.others = self.places.other_names()
        folders = [root]
        while folders:
            folder = folders.pop()
            for entry in self._entries(folder, root, visited):
                path = f"{folder.rstrip('/')}/{entry.name}"
                if self._secret(path) or self._other_name(entry, path):
                    self.left_out.append(path)
                elif _is(entry.is_dir, self.follow):
                    if not self._skips(entry.name):
                        folders.append(path)
                elif _is(entry.is_file, self.follow):
                    self.files.append(path)

    def _entries(
        self, folder: str, root: str, visited: set[tuple[int, int]]
    ) -> Iterator[os.DirEntry[str]]:
        full = os.path.join(self.places.folder, folder)
        try:
            facts = os.stat(full)
            with os.scandir(full) as scan:
                if (facts.st_dev, facts.st_ino) in visited:
                    return
                visited.add((facts.st_dev, facts.st_ino))
                entries = []
                for entry in scan:
                    self.seen += 1
                    if self.seen > MOST_ENTRIES:
                        hint = f"a folder with at most {MOST_ENTRIES} entries in it"
                        raise count(root, hint)
                    entries.append(entry)
        except OSError:
            return
        yield from sorted(entries, key=lambda entry: entry.name)

    def _secret(self, path: str) -> bool:
        if not self.follow:
            # Links are not followed, so what they lead to does not matter.
            return self.places.secret(os.path.join(self.places.folder, path))
        try:
            ways = self.places.resolved(path)
        except RefusedError:
            return True
        return any(map(self.places.secret, ways)) or self.places.kernel(path)

    def _other_name(self, entry: os.DirEntry[str], path: str) -> bool:
        """Return whether an entry is another name of a secret place or file."""
        try:
            facts = entry.stat(follow_symlinks=self.follow)
        except OSError:
            return False
        if self.follow and entry.is_symlink():
            # It may lead below the top of a secret place, by that place's other name.
            _, real = self.places.resolved(path)
            if self.others.lead_into(real):
                return True
        return self.others.place(facts) or self.others.file(facts, path)

    def _skips(self, name: str) -> bool:
        return any(fnmatch.fnmatchcase(name, each.rstrip("/")) for each in self.skipped)


def _is(asks: Callable[..., bool], follow: bool) -> bool:
    """Return whether an entry is of a kind; one that cannot be looked at is not."""
    try:
        return asks(follow_symlinks=follow)
    except OSError:
        return False


def spelled_out(
    argv: Sequence[str], parsed: Parsed, places: Places
) -> tuple[list[str], list[str]]:
    """Return the words for the program, and the places that they leave out.

    The words stay as they are unless a folder of ``grep -r`` holds a secret; then the
    other files of all folders stand there by name.
    """
    trees = [claim for claim in parsed.claims if claim.tree]
    if not trees:
        return list(argv), []
    skipped = [
        value
        for name, value in parsed.options
        if name == "--exclude-dir" and value is not None
    ]
    walk = Walk(places=places, follow=trees[0].follow, skipped=skipped)
    for claim in trees:
        walk.look(claim.text)
    if not walk.left_out:
        return list(argv), []
    if sum(len(os.fsencode(file)) + 1 for file in walk.files) > MOST_BYTES:
        raise count(trees[0].text, "a smaller folder; there are secrets in this one")
    pattern = [] if parsed.has("-e", "--regexp") else parsed.operands[:1]
    options = _options(argv, parsed)
    # Named files get no prefix by themselves when there is one; an empty file stands
    # for the folder when nothing is left.
    named = [] if parsed.has("-h", "--no-filename") else ["-H"]
    files = walk.files or [os.devnull]
    return [*options, *named, "--", *pattern, *files], walk.left_out


def _options(argv: Sequence[str], parsed: Parsed) -> list[str]:
    """Write the options anew, each as one word, without those for folders."""
    words = [argv[0]]
    for name, value in parsed.options:
        if value is None or name == "-N":
            words.append(name if value is None else f"-{value}")
        elif name.startswith("--"):
            words.append(f"{name}={value}")
        else:
            words += [name, value]
    return words
