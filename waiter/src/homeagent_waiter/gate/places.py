"""Gate, fourth stage: which files may be read. Reads names and links, no content.

A place is judged as it is written and as it is after all links (design page 4, §4.3).
"""

from __future__ import annotations

from dataclasses import dataclass, field
import fnmatch
from itertools import pairwise
import os
from pathlib import PurePosixPath
import re
import stat

from .mounts import Mounts
from .plan import Code
from .refused import RefusedError, shown

# Files and folders that hold keys and passwords, also where there are none yet.
FIXED = (
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/security/opasswd",
    "/etc/krb5.keytab",
    "/etc/ssl/private",
    "/etc/pki/tls/private",
    "/etc/letsencrypt",
    "/etc/wireguard",
    "/etc/openvpn",
    "/etc/ipsec.secrets",
    "/etc/ppp/chap-secrets",
    "/etc/ppp/pap-secrets",
    "/etc/NetworkManager/system-connections",
    "/etc/homeagent",
    "/etc/stunnel",
    "/etc/luks",
    "/etc/luks-keys",
    "/etc/cryptsetup-keys.d",
    "/etc/credstore",
    "/etc/credstore.encrypted",
    "/etc/config/shadow",
    "/etc/config/ssh",
    "/boot/config/shadow",
    "/boot/config/smbpasswd",
    "/boot/config/ssh",
    "/boot/config/ssl",
    "/data/pwenc_secret",
    "/data/freenas-v1.db",
    "/usr/syno/etc",
    "/root/.ssh",
    "/run/secrets",
    "/run/credentials",
    "/run/credstore",
    "/run/cryptsetup-keys.d",
    "/var/lib/samba/private",
    "/var/lib/homeagent-waiter",
    "/var/lib/NetworkManager",
    "/var/lib/systemd/credential.secret",
    "/var/lib/docker/containers",
)
# Names of files and folders that hold such things wherever they are.
NAMES = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".storage",
    ".env*",
    "*.env",
    "*.key",
    "*.pfx",
    "*.p12",
    "*.jks",
    "*.kdbx",
    "*.keytab",
    "*.ovpn",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "ssh_host_*_key",
    "*.pem",
    "*.ppk",
    "*credentials*",
    "*_history",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".pypirc",
    ".npmrc",
    "secrets.yaml",
    "secrets.yml",
    "secrets.json",
    "smbpasswd",
    "passdb.tdb",
    "secrets.tdb",
    "shadow",
    "shadow[-._~]*",
    "gshadow",
    "gshadow[-._~]*",
    "rclone.conf",
    "wp-config.php",
    "*.keyfile",
    "*.agekey",
    "*.luks",
    "age[-_]key*",
    "keys.txt",
    "luks[-_]*key*",
    "crypto_keyfile*",
    "wpa_supplicant*.conf",
    "hostapd*.conf",
    "sasl_passwd*",
    "msmtprc",
    ".msmtprc",
    "upsd.users*",
    ".vault-token",
    "credstore",
    "credstore.encrypted",
    ".password-store",
)
# The same, where only the folder tells what a name stands for.
PAIRS = (
    ".docker/config.json",
    "mosquitto*/passw*",
    "age/key*",
    "luks/*",
)
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
_SPECIAL = (stat.S_ISCHR, stat.S_ISBLK, stat.S_ISFIFO, stat.S_ISSOCK)
_CHARACTER_DISKS = ("/dev/nvme", "/dev/sg", "/dev/ng", "/dev/bsg/")


def within(path: str, folder: str) -> bool:
    """Return whether a path is a folder or in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """What is secret here: fixed places, names, and the owner's own patterns."""

    fixed: tuple[str, ...] = FIXED
    patterns: tuple[str, ...] = ()
    folder: str = "/"
    mounts: Mounts = field(default_factory=Mounts)

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

    def check_list(self, text: str) -> None:
        """Refuse to show what a secret place or a device is."""
        for path in self.resolved(text):
            if self.secret(path):
                raise _secret(text)
        self._check_kernel(text)

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
        if self._linked(facts):
            raise _secret(text)

    def check_tree(self, text: str) -> None:
        """Refuse to read to any depth what is, holds or lies in a fixed place."""
        self.check_read(text)
        for path in self.resolved(text):
            for folder in (*self.fixed, "/proc", "/dev", *self.mounts.points()):
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
            paths = self.resolved(text)
            return any(map(self.secret, paths)) or self._linked(os.stat(paths[1]))
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
        if any(within(path, folder) for folder in self.fixed):
            return True
        parts = [part.casefold() for part in PurePosixPath(path).parts[1:]]
        if any(
            fnmatch.fnmatchcase(part, name)
            for part in parts
            for name in NAMES
            if not part.endswith(".pub")
        ):
            return True
        if any(
            fnmatch.fnmatchcase(f"{folder}/{name}", pair)
            for folder, name in pairwise(parts)
            for pair in PAIRS
        ):
            return True
        parents = [path, *map(str, PurePosixPath(path).parents)]
        return any(
            fnmatch.fnmatchcase(parent, pattern)
            for parent in parents
            for pattern in self.patterns
        )

    def _check_kernel(self, text: str) -> None:
        """Refuse /dev, and of /proc all but what is listed."""
        written, real = self.resolved(text)
        usual = self.mounts.usual(real)
        if written in _PROC and (real in _PROC or real.startswith("/proc/")):
            return
        if usual in _PROC or (written == "/etc/mtab" and _OWN_MOUNTS.fullmatch(real)):
            return
        for path in (written, real, usual):
            if within(path, "/dev"):
                raise _device(text, "no device; what is in /dev is never read")
            if within(path, "/proc"):
                inside = path.removeprefix("/proc").lstrip("/")
                about = inside[:1].isdigit() or inside.startswith(
                    ("self", "thread-self", "kcore", "key", "sys/kernel/random")
                )
                hint = "of /proc only " + " ".join(sorted(_PROC))
                raise (_secret if about else _device)(text, hint)
            if any(within(path, folder) for folder in _SYS):
                raise _device(text, "no debugging interface of the kernel")

    def _linked(self, facts: os.stat_result) -> bool:
        """Return whether a file with several names is one of the fixed ones."""
        if not stat.S_ISREG(facts.st_mode) or facts.st_nlink < 2:
            return False
        return (facts.st_dev, facts.st_ino) in self.inodes()

    def inodes(self) -> frozenset[tuple[int, int]]:
        """Return what tells the fixed files, and those right in fixed folders, apart.

        A hard link to one of them has a harmless name, but the same device and inode.
        """
        found = set()
        for place in self.fixed:
            for file in (place, *_names_in(place)):
                try:
                    facts = os.stat(file)
                except OSError:
                    continue
                if stat.S_ISREG(facts.st_mode):
                    found.add((facts.st_dev, facts.st_ino))
        return frozenset(found)


def _names_in(folder: str) -> list[str]:
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder)]
    except OSError:
        return []


def _secret(
    text: str, hint: str = "no place of keys, passwords or tokens"
) -> RefusedError:
    return RefusedError(Code.SECRET, shown(text), hint)


def _device(text: str, hint: str) -> RefusedError:
    return RefusedError(Code.DEVICE, shown(text), hint)
