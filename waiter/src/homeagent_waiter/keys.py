"""Keys: the file that holds this host's id and key. Imports nothing of its own.

Readable by its owner only. It is written beside its place and moved there, so that it is
whole at every moment (design page 4 §4.1).
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
import json
import os
from pathlib import Path
import secrets
import stat

KEY_BYTES = 32
MOST_BYTES = 4096

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class KeyFileError(Exception):
    """The key cannot be read or stored; the text says why and what to do."""


@dataclass(frozen=True)
class HostKey:
    """What Home Assistant knows this host by. The key never shows."""

    id: str
    key: bytes = field(repr=False)


@dataclass(frozen=True)
class KeyFile:
    """The file at ``path``."""

    path: Path

    def exists(self) -> bool:
        """Return whether there is a key."""
        return self.path.exists()

    def load(self) -> HostKey:
        """Return the key; KeyFileError where there is none that can be trusted."""
        try:
            descriptor = os.open(self.path, _READ)
        except FileNotFoundError:
            raise KeyFileError(
                f"there is no key at {self.path}: pair this host first, with"
                " 'waiter pair'"
            ) from None
        except OSError as error:
            raise KeyFileError(f"{self.path} cannot be read: {error}") from error
        try:
            self._trust(os.fstat(descriptor))
            return self._read(os.read(descriptor, MOST_BYTES))
        finally:
            os.close(descriptor)

    def store(self, key: HostKey) -> None:
        """Put a key in the place of the old one, surely on the disk."""
        if len(key.key) != KEY_BYTES or not 1 <= len(key.id) <= 64:
            raise KeyFileError("that is no key; the old one stays")
        data = {"id": key.id, "key": base64.b64encode(key.key).decode()}
        beside = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                _write(beside, json.dumps(data).encode() + b"\n")
                beside.replace(self.path)
            finally:
                beside.unlink(missing_ok=True)
            _sync_folder(self.path.parent)
            stored = self.load()
        except OSError as error:
            raise KeyFileError(f"{self.path} cannot be written: {error}") from error
        if stored != key:
            raise KeyFileError(f"{self.path} does not hold what was written")

    def remove(self) -> None:
        """Remove the key, if there is one."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise KeyFileError(f"{self.path} cannot be removed: {error}") from error

    def _trust(self, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            raise KeyFileError(f"{self.path} is no plain file")
        trusted = {os.geteuid()}
        if os.geteuid() == 0:
            # Root works here for the user whose folder it is.
            trusted.add(self.path.parent.stat().st_uid)
        if status.st_uid not in trusted:
            raise KeyFileError(
                f"{self.path} belongs to user {status.st_uid}, not to"
                f" {os.geteuid()}, who runs the waiter"
            )
        if status.st_mode & 0o077:
            raise KeyFileError(
                f"{self.path} is open to others (mode {status.st_mode & 0o777:o});"
                f" make it private: chmod 600 {self.path}"
            )

    def _read(self, data: bytes) -> HostKey:
        try:
            held = json.loads(data)
            key = HostKey(str(held["id"]), base64.b64decode(held["key"], validate=True))
        except (ValueError, KeyError, TypeError, binascii.Error) as error:
            raise KeyFileError(
                f"{self.path} holds no key; pair this host again"
            ) from error
        if len(key.key) != KEY_BYTES or not 1 <= len(key.id) <= 64:
            raise KeyFileError(f"{self.path} holds no key; pair this host again")
        return key


def _write(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, 0o600), "wb") as stream:
        os.fchmod(stream.fileno(), 0o600)
        if os.geteuid() == 0:
            # What root stores in a service's folder must be that service's.
            folder = path.parent.stat()
            os.fchown(stream.fileno(), folder.st_uid, folder.st_gid)
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
