"""Secrets under a second name: hard links, and folders that are mounted once more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import os
from pathlib import Path
import shutil
import subprocess
import sys

from conftest import code_of, plan_of
import pytest

from homeagent_waiter.gate import Policy, Refusal, decide, other_names
from homeagent_waiter.gate.grammars import BUILT_IN
from homeagent_waiter.gate.mounts import Mounts
from homeagent_waiter.gate.places import Places


def grow(folder: Path, *names: str) -> None:
    """Make files, with the folders above them."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """A fixed folder and file with hard links to them, and a link that is fixed.

    ``way`` stands for a mount: what is fixed there has another name in ``data``.
    """
    grow(tmp_path, "keys/top", "keys/a/b/deep", "one", "data/plain", "data/real/in/key")
    os.link(tmp_path / "keys/top", tmp_path / "data/first")
    os.link(tmp_path / "keys/a/b/deep", tmp_path / "data/second")
    os.link(tmp_path / "one", tmp_path / "data/third")
    os.link(tmp_path / "data/plain", tmp_path / "data/fourth")
    (tmp_path / "way").symlink_to("data/real")
    (tmp_path / "keys/circle").symlink_to("..")
    (tmp_path / "keys/link").symlink_to("../data/plain")
    return tmp_path


@pytest.fixture
def policy(host: Path) -> Policy:
    """A policy with these places, which also runs any words of ``my``."""
    fixed = tuple(f"{host}/{name}" for name in ("keys", "one", "way", "not-there"))
    places = Places(fixed=fixed, folder=str(host))
    return Policy(allowed=BUILT_IN, unchecked=frozenset({"my"}), places=places)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("cat data/first", "secret"),
        ("cat data/second", "secret"),
        ("cat data/third", "secret"),
        ("head -n 1 data/plain data/second", "secret"),
        ("sed -n p data/second", "secret"),
        ("cat data/plain", "accepted"),
        ("cat data/fourth", "accepted"),
        ("ls -l data/second", "accepted"),
        ("cat data/real/in/key", "secret"),
        ("cat data/real/new", "secret"),
        ("ls data/real", "secret"),
        ("ls data/real/in/key", "secret"),
        ("find data/real/in", "secret"),
        ("grep -r x data/real/in", "secret"),
        ("my data/second", "secret"),
        ("my --of=data/second", "secret"),
        ("my data/real/in", "secret"),
        ("my data/fourth", "accepted"),
        ("ls data", "accepted"),
    ],
)
def test_second_name_is_known(policy: Policy, line: str, code: str) -> None:
    """Of fixed files, of files at any depth of fixed folders, and of the folders."""
    assert code_of(line, policy) == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("find -name x", "secret"),
        ("find", "secret"),
        ("find /usr -name x", "accepted"),
        ("grep -r x", "secret"),
        ("grep x", "accepted"),
        ("grep --regexp=x", "accepted"),
        ("grep --regexp=x /usr", "accepted"),
    ],
)
def test_command_without_a_place_means_its_folder(
    tmp_path: Path, line: str, code: str
) -> None:
    """Where a program looks there by itself, that is judged."""
    places = Places(fixed=(str(tmp_path),), folder=str(tmp_path))
    assert code_of(line, Policy(places=places)) == code


@pytest.mark.parametrize("option", ["-r", "-R"])
def test_search_leaves_them_out(policy: Policy, option: str) -> None:
    """The program gets the other files by name, and the answer says so."""
    plan = plan_of(f"grep {option} x data", policy)
    assert plan.stages[0].argv[5:] == ("data/fourth", "data/plain")
    told = "grep: left out 4 that may hold secrets, such as data/first"
    assert plan.notes == (told,)


def test_search_leaves_out_what_a_link_leads_into(host: Path, policy: Policy) -> None:
    """Also below the top of a secret place, by that place's other name."""
    (host / "links").mkdir()
    (host / "links/folder").symlink_to("../data/real/in")
    (host / "links/key").symlink_to("../data/real/in/key")
    (host / "links/plain").symlink_to("../data/plain")
    plan = plan_of("grep -R x links", policy)
    assert plan.stages[0].argv[5:] == ("links/plain",)
    told = "grep: left out 2 that may hold secrets, such as links/folder"
    assert plan.notes == (told,)


def test_secret_places_are_read_once_for_a_line(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many files with several names it has."""
    scans: list[None] = []
    scan = other_names._all_below

    def counted(places: Iterable[str], text: str) -> Iterator[str]:
        scans.append(None)
        return scan(places, text)

    monkeypatch.setattr(other_names, "_all_below", counted)
    assert code_of("cat data/fourth data/plain data/fourth", policy) == "accepted"
    assert code_of("grep -r x data", policy) == "accepted"
    assert len(scans) == 2


def test_what_is_mounted_in_a_fixed_folder_is_known(tmp_path: Path) -> None:
    """By the table of mounts: the file itself has one name only."""
    grow(tmp_path, "keys/mounted", "data/origin", "data/other")
    table = tmp_path / "table"
    point = tmp_path / "keys/file"
    point.symlink_to(tmp_path / "data/origin")
    table.write_text(
        f"1 2 8:1 /data/origin {point} rw - ext4 /dev/sda1 rw\n"
        f"1 2 8:1 /data/other {tmp_path}/else rw - ext4 /dev/sda1 rw\n"
    )
    places = Places(fixed=(f"{tmp_path}/keys",), mounts=Mounts(table=str(table)))
    policy = Policy(places=places)
    assert code_of(f"cat {tmp_path}/data/origin", policy) == "secret"
    assert code_of(f"cat {tmp_path}/data/other", policy) == "accepted"


def test_what_cannot_be_compared_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With too much in the places of keys no file with two names can be told apart."""
    monkeypatch.setattr(other_names, "MOST_FILES", 4)
    grow(tmp_path, "keys/a/b", "keys/c/d", "one", "plain")
    os.link(tmp_path / "one", tmp_path / "two")
    policy = Policy(places=Places(fixed=(f"{tmp_path}/keys",), folder=str(tmp_path)))
    assert code_of("cat two", policy) == "accepted"
    (tmp_path / "keys/link").symlink_to("/")
    refused = decide("cat two", policy)
    assert isinstance(refused, Refusal)
    hint = "a file with one name; too many are in the places of keys to compare it with"
    assert (refused.code, refused.token, refused.hint) == ("secret", "two", hint)
    assert code_of("cat plain", policy) == "accepted"


MOUNTED = """
import sys
sys.path[:0] = {path!r}
from homeagent_waiter.gate import Policy, decide
from homeagent_waiter.gate.places import Places
policy = Policy(places=Places(fixed=("{host}/keys",)))
for line in ("cat {host}/again/a/b/deep", "ls {host}/again", "grep -r x {host}/again"):
    print(getattr(decide(line, policy), "code", "accepted"))
"""


def test_folder_that_is_really_mounted_once_more(host: Path) -> None:
    """In a name space of its own, where the kernel lets us make one."""
    unshare = shutil.which("unshare")
    assert unshare is not None
    (host / "again").mkdir()
    script = MOUNTED.format(path=sys.path, host=host)
    mount = f'mount --bind "{host}/keys" "{host}/again"'
    own = [unshare, "-rm", "sh", "-c"]
    if subprocess.run([*own, mount], capture_output=True, check=False).returncode:
        # Some kernels and containers do not; the other tests stand for it.
        return
    ran = subprocess.run(
        [*own, f'{mount} && exec "$0" -I -c "$1"', sys.executable, script],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["secret"] * 3


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("'/mnt/My Keys/x'", "secret"),
        ("'if=/mnt/My Keys/x'", "secret"),
        ("'file:/mnt/My Keys/x'", "secret"),
        ("--of=/volume1/@appdata/x", "secret"),
        ("if=/volume1/@appdata/x", "secret"),
        ("bs=1,if=/volume1/@appdata/x", "secret"),
        ("@/volume1/@appdata/x", "secret"),
        ("'if=/mnt/My Films/x'", "accepted"),
        ("if=/volume1/appdata/x", "accepted"),
    ],
)
def test_paths_in_words_may_hold_any_sign(word: str, code: str) -> None:
    """A word is not cut where a sign belongs to the path."""
    places = Places(patterns=("/mnt/My Keys/*", "/volume1/@appdata/*"))
    policy = Policy(unchecked=frozenset({"my"}), places=places)
    assert code_of(f"my {word}", policy) == code
