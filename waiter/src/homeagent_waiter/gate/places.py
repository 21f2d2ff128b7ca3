"""Gate, fourth stage: which files may be read. Reads names and links, no content.

A place is judged as it is written and as it is after all links (design page 4, §4.3).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
import os
import stat

from .kernel_files import KERNEL, check_kernel
from .mounts import Mounts
from .other_names import OtherNames
from .plan import Code
from .refused import RefusedError, shown
from .secret_names import FIXED, denied, named_secret, within

_SPECIAL = (stat.S_ISCHR, stat.S_ISBLK, stat.S_ISFIFO, stat.S_ISSOCK)
_CHARACTER_DISKS = ("/dev/nvme", "/dev/sg", "/dev/ng", "/dev/bsg/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """What is secret here: fixed places, names, and the owner's own patterns."""

    fixed: tuple[str, ...] = FIXED
    patterns: tuple[str, ...] = ()
    folder: str = "/"
    mounts: Mounts = field(default_factory=Mounts)
    others: OtherNames | None = field(default=None, compare=False)

    def as_they_are(self) -> Places:
        """Return the places for one decision: second names are looked for once."""
        return replace(self, others=OtherNames(self.fixed, self.mounts))

    def resolved(self, text: str) -> tuple[str, str]:
        """Return the absolute path as written and as it is after all links.

        Raises ``RefusedError`` for links that cannot be read, such as those of /proc
        that lead into other processes.
        """
        path = os.path.join(self.folder, text)
        try:
            real = os.path.realpath(path)
        except OSError as err:
            raise _secret(text, "a place whose links can be read") from err
        # POSIX keeps two leading slashes apart; Linux does not.
        return "/" + os.path.normpath(path).lstrip("/"), real

    def other_names(self) -> OtherNames:
        """Return what tells the fixed places under other names, as they are now."""
        return self.others or OtherNames(self.fixed, self.mounts)

    def check_list(self, text: str) -> None:
        """Refuse to show what a secret place or a device is."""
        written, real = self.resolved(text)
        if self.secret(written) or self.secret(real):
            raise _secret(text)
        check_kernel(text, written, real, self.mounts.usual(real))
        folder = real if os.path.isdir(real) else os.path.dirname(real)
        if self.other_names().lead_into(folder):
            raise _secret(text)

    def check_read(self, text: str) -> None:
        """Refuse to read a secret place, a device, or what waits."""
        self.check_list(text)
        _, real = self.resolved(text)
        try:
            facts = os.stat(real)
        except (OSError, ValueError):
            return
        if any(special(facts.st_mode) for special in _SPECIAL):
            raise _device(text, "a file; this is a device, a FIFO or a socket")
        others = self.other_names()
        if others.place(facts) or others.file(facts, text):
            raise _secret(text)

    def check_tree(self, text: str) -> None:
        """Refuse to read to any depth what is, holds or lies in a fixed place."""
        self.check_read(text)
        for path in self.resolved(text):
            for folder in (*self.fixed, *KERNEL, *self.mounts.points()):
                if within(folder, path):
                    raise _secret(text, f"another folder; {folder} is in it")

    def check_block(self, text: str) -> None:
        """Refuse what is no block device below /dev."""
        written, real = self.resolved(text)
        if not (within(written, "/dev") and within(real, "/dev")) or written == "/dev":
            raise _device(text, "a block device such as /dev/sda")
        try:
            mode = os.stat(real).st_mode
        except OSError:
            return
        disk = stat.S_ISCHR(mode) and real.startswith(_CHARACTER_DISKS)
        if not stat.S_ISBLK(mode) and not disk:
            raise _device(text, "a block device such as /dev/sda")

    def hides(self, text: str) -> bool:
        """Return whether a word, taken as a path, leads to a secret place."""
        try:
            written, real = self.resolved(text)
            others = self.other_names()
            return (
                self.secret(written)
                or self.secret(real)
                or others.lead_into(real)
                or others.file(os.stat(real), text)
            )
        except RefusedError:
            return True
        except (OSError, ValueError):
            return False

    def kernel(self, text: str) -> bool:
        """Return whether a word, taken as a path, leads into /dev or /proc."""
        _, real = self.resolved(text)
        usual = self.mounts.usual(real)
        return within(usual, "/dev") or within(usual, "/proc")

    def secret(self, path: str) -> bool:
        """Return whether an absolute path is or lies in a secret place."""
        return (
            any(within(path, folder) for folder in self.fixed)
            or named_secret(path)
            or denied(path, self.patterns)
        )


def _secret(
    text: str, hint: str = "no place of keys, passwords or tokens"
) -> RefusedError:
    return RefusedError(Code.SECRET, shown(text), hint)


def _device(text: str, hint: str) -> RefusedError:
    return RefusedError(Code.DEVICE, shown(text), hint)
