"""The key file: private, whole at every moment, and never trusted when it is open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from homeagent_waiter.keys import HostKey, KeyFile, KeyFileError

KEY = HostKey("nas", bytes(range(32)))
OTHER = HostKey("nas", bytes(32))


def test_key_is_kept_and_private(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "new" / "key")
    file.store(KEY)
    file.store(OTHER)
    assert file.load() == OTHER
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert file.path.parent.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in file.path.parent.iterdir()] == ["key"]


def test_key_never_shows() -> None:
    assert "key=" not in repr(KEY)
    assert str(KEY.key) not in repr(KEY)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o777])
def test_open_file_is_not_trusted(tmp_path: Path, mode: int) -> None:
    file = KeyFile(tmp_path / "key")
    file.store(KEY)
    file.path.chmod(mode)
    with pytest.raises(KeyFileError, match="chmod 600"):
        file.load()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'{"id": "nas", "key": "AAAA"}',
        b'{"id": "nas", "key": 7}',
        b'{"id": "", "key": "' + b"A" * 43 + b'="}',
    ],
)
def test_damaged_file_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="pair this host again"):
        KeyFile(path).load()


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    """A link, a folder, and nothing at all."""
    file = KeyFile(tmp_path / "key")
    with pytest.raises(KeyFileError, match="waiter pair"):
        file.load()
    KeyFile(tmp_path / "real").store(KEY)
    file.path.symlink_to(tmp_path / "real")
    with pytest.raises(KeyFileError, match="cannot be read"):
        file.load()
    with pytest.raises(KeyFileError):
        KeyFile(tmp_path).load()


@pytest.mark.parametrize("bad", [HostKey("nas", b"short"), HostKey("", bytes(32))])
def test_what_is_no_key_does_not_replace_one(tmp_path: Path, bad: HostKey) -> None:
    file = KeyFile(tmp_path / "key")
    file.store(KEY)
    with pytest.raises(KeyFileError, match="the old one stays"):
        file.store(bad)
    assert file.load() == KEY


def test_write_that_fails_leaves_the_old_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = KeyFile(tmp_path / "key")
    file.store(KEY)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KeyFileError, match="cannot be written"):
        file.store(OTHER)
    assert file.load() == KEY
    assert [path.name for path in tmp_path.iterdir() if "key" in path.name] == ["key"]
