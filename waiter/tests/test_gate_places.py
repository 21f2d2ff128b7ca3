"""Files that may not be read, whatever way leads to them."""

from __future__ import annotations

import os
from pathlib import Path
import socket

from conftest import code_of, plan_of
import pytest

from homeagent_waiter.config import Config
from homeagent_waiter.gate import Policy
from homeagent_waiter.gate.grammars import GRAMMARS
from homeagent_waiter.gate.places import Places


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """A folder with a secret, ways to it, and something harmless."""
    folder = tmp_path / "host"
    (folder / "keys").mkdir(parents=True)
    (folder / "keys/waiter.key").write_text("SECRET")
    (folder / "conf.yaml").write_text("SECRET")
    (folder / "plain.txt").write_text("plain")
    (folder / "link").symlink_to("conf.yaml")
    (folder / "twice").symlink_to("link")
    (folder / "up").symlink_to(folder / "keys/../conf.yaml")
    (folder / "keys/in").symlink_to(folder)
    os.link(folder / "conf.yaml", folder / "hard")
    os.mkfifo(folder / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "socket"))
    return folder


@pytest.fixture
def policy(host: Path) -> Policy:
    """A policy whose own files are in that folder."""
    config = Config(
        source=host / "conf.yaml",
        key_file=host / "keys/waiter.key",
        device_cmd_allowlist=sorted(GRAMMARS),
        device_cmd_unchecked=["plain"],
        read_deny=[str(host / "den*")],
    )
    return Policy.from_config(config)


@pytest.mark.parametrize(
    "path",
    ["conf.yaml", "link", "twice", "up", "hard", "keys/in/conf.yaml", "./conf.yaml",
     "keys/../conf.yaml", "keys/in/keys/in/link", "keys/waiter.key", "den", "den/x",
     "denied"],
)  # fmt: skip
@pytest.mark.parametrize(
    "command", ["cat", "head -n 1", "grep -r x", "sort", "tac", "plain"]
)
def test_own_secret_is_refused(
    host: Path, policy: Policy, command: str, path: str
) -> None:
    """By links, hard links, dots, and the owner's own patterns."""
    assert code_of(f"{command} {host}/{path}", policy) == "secret"


@pytest.mark.parametrize(
    "pattern", ["conf*", "*.yaml", "l?nk", "k*/*.key", "[c]onf.yaml"]
)
def test_pattern_that_matches_a_secret_is_refused(
    host: Path, policy: Policy, pattern: str
) -> None:
    """What a pattern stands for is judged, not the pattern."""
    assert code_of(f"cat {host}/{pattern}", policy) == "secret"


def test_relative_pattern_stands_for_names_in_the_waiters_folder(host: Path) -> None:
    """There the programs run, too."""
    policy = Policy(places=Places(folder=str(host)))
    plan = plan_of("ls pl*", policy)
    assert list(plan.stages[0].argv) == ["ls", "./plain.txt"]


def test_way_through_proc_is_refused(host: Path, policy: Policy) -> None:
    """Links of /proc lead anywhere; also a link to them."""
    (host / "root").symlink_to("/proc/self/root")
    (host / "environ").symlink_to("/proc/self/environ")
    for path in ("root/etc/shadow", "environ", f"root{host}/conf.yaml"):
        assert code_of(f"cat {host}/{path}", policy) == "secret"
    assert code_of(f"cat /proc/{os.getpid()}/environ", policy) == "secret"
    assert code_of(f"cat /proc/self/root{host}/conf.yaml", policy) == "secret"


@pytest.mark.parametrize("path", ["fifo", "socket"])
def test_what_waits_is_refused(host: Path, policy: Policy, path: str) -> None:
    """A FIFO would hang, a socket is somebody's door; listing them is fine."""
    assert code_of(f"cat {host}/{path}", policy) == "device"
    assert code_of(f"ls {host}/{path}", policy) == "accepted"


def test_harmless_file_passes(host: Path, policy: Policy) -> None:
    """Nothing else is refused."""
    assert code_of(f"cat {host}/plain.txt", policy) == "accepted"
    assert code_of(f"cat {host}/not-there", policy) == "accepted"


def test_folder_with_own_files_is_not_searched(host: Path, policy: Policy) -> None:
    """To any depth no folder may be read that holds or lies in a fixed place."""
    for folder in (host, host / "keys/in", host.parent, Path("/")):
        assert code_of(f"grep -r x {folder}", policy) == "secret"
    assert code_of(f"find {host} -ls", policy) == "accepted"


def test_names_of_secrets_are_left_out_of_a_search(tmp_path: Path) -> None:
    """The other files stand there by name, and a note says so."""
    folder = tmp_path / "data"
    for name in (
        "a.txt",
        ".env",
        "sub/b.log",
        "sub/id_rsa",
        "skip/c.txt",
        "id_rsa.pub",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("needle")
    (folder / "out").symlink_to("/etc")
    plan = plan_of(f"grep -rn needle {folder} --exclude-dir=skip -m 1")
    names = ["a.txt", "id_rsa.pub", "sub/b.log"]
    argv = ["grep", "-r", "-n", "--exclude-dir=skip", "-m", "1", "-H", "--", "needle"]
    assert list(plan.stages[0].argv) == [*argv, *(f"{folder}/{name}" for name in names)]
    assert "left out 2" in plan.notes[0]


def test_search_without_secrets_stays_as_it_is(tmp_path: Path) -> None:
    """Nothing to leave out: the program walks by itself."""
    (tmp_path / "a.txt").write_text("needle")
    plan = plan_of(f"grep -rn needle {tmp_path}")
    assert list(plan.stages[0].argv) == ["grep", "-rn", "needle", str(tmp_path)]


def test_following_search_looks_behind_links(tmp_path: Path) -> None:
    """With -R a link to a secret is left out, and a circle ends."""
    (tmp_path / "a.txt").write_text("needle")
    (tmp_path / "leak").symlink_to("/etc/shadow")
    (tmp_path / "circle").symlink_to(tmp_path)
    plan = plan_of(f"grep -R needle {tmp_path}")
    assert list(plan.stages[0].argv)[-2:] == ["needle", f"{tmp_path}/a.txt"]


def test_search_of_too_much_is_refused(tmp_path: Path) -> None:
    """More than 10,000 entries are not walked."""
    for number in range(101):
        (tmp_path / str(number)).mkdir()
        for inner in range(100):
            (tmp_path / str(number) / str(inner)).touch()
    assert code_of(f"grep -r x {tmp_path}") == "count"
    assert code_of(f"grep -r x {tmp_path}/1") == "accepted"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("smartctl -a /dev/sda", "accepted"),
        ("smartctl -a /dev/disk/by-id/ata-X_1", "accepted"),
        ("lsblk /dev/does-not-exist", "accepted"),
        ("smartctl -a /dev/null", "device"),
        ("smartctl -a /dev/shm/x/../../../etc/passwd", "device"),
        ("mdadm -D /dev", "operand"),
        ("lsblk sda", "operand"),
    ],
)
def test_block_devices(line: str, code: str) -> None:
    """Only operands that a grammar calls a disk may be in /dev, and only disks."""
    assert code_of(line) == code


@pytest.mark.parametrize(
    "name",
    "cpuinfo meminfo mdstat loadavg uptime stat diskstats mounts net/dev version"
    " partitions swaps vmstat".split(),
)
def test_listed_part_of_proc_may_be_read(name: str) -> None:
    """And only by its own name."""
    assert code_of(f"cat /proc/{name}") == "accepted"
    assert code_of(f"cat /proc/self/{name}") != "accepted"
