"""The scripts: found through links, programs kept where nobody else can change them."""

import os
from pathlib import Path
import re
import subprocess

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
FIND_CACHE = (
    'set -euo pipefail; . scripts/lib/common; find_cache; echo "$HOMEAGENT_CACHE"'
)
TO_ROOT = re.compile(r"^# The work tree;.*?^\)$", re.MULTILINE | re.DOTALL)


def run(
    command: list[str], folder: Path, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    merged = {**os.environ, **environment}
    return subprocess.run(
        command,
        cwd=folder,
        env={name: value for name, value in merged.items() if value is not None},
        capture_output=True,
        text=True,
        check=False,
    )


def find_cache(
    home: Path | None, cache: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return run(
        ["bash", "-c", FIND_CACHE, "setup"],
        ROOT,
        HOME=None if home is None else str(home),
        XDG_CACHE_HOME=None if cache is None else str(cache),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is safe, though it lies in a folder for everybody."""
    tmp_path.chmod(0o1777)
    made = tmp_path / "own"
    made.mkdir(mode=0o700)
    return made


@pytest.mark.parametrize("name", ["setup", "seq"])
@pytest.mark.parametrize(
    "links",
    [
        {"link": "{scripts}/{name}"},
        {"link": "second", "second": "{scripts}/{name}"},
        {"link": "folder/{name}", "folder": "{scripts}"},
        {"link/{name}": "", "link": "{scripts}"},
    ],
    ids=["file", "link to link", "file in linked folder", "folder"],
)
def test_scripts_are_found_through_links(
    tmp_path: Path, links: dict[str, str], name: str
) -> None:
    start = tmp_path / next(iter(links)).format(name=name)
    for link, goal in links.items():
        if goal:
            (tmp_path / link).symlink_to(goal.format(scripts=SCRIPTS, name=name))
    argument = {"setup": "--quiet", "seq": "--help"}[name]
    done = run([str(start), argument], tmp_path, CDPATH="/")
    assert done.returncode == 0, done.stderr


def test_all_scripts_find_the_work_tree_in_one_way() -> None:
    """What finds the shared files cannot be one of them, so it stands in each."""
    scripts = [path for path in SCRIPTS.iterdir() if path.is_file()]
    found = {TO_ROOT.findall(path.read_text(encoding="utf-8"))[0] for path in scripts}
    assert len(scripts) > 5
    assert len(found) == 1


def test_programs_are_kept_in_the_home(folder: Path) -> None:
    done = find_cache(folder)
    assert done.stdout.strip() == str(folder / ".cache" / "homeagent"), done.stderr
    assert (folder / ".cache").stat().st_mode & 0o077 == 0


def test_a_cache_folder_of_their_own_comes_first(folder: Path) -> None:
    assert find_cache(None, folder).stdout.strip() == str(folder / "homeagent")


def test_without_home_it_is_the_users_own_and_never_a_shared_one() -> None:
    """The name that a folder in /tmp would have can be guessed by everybody."""
    home = os.path.expanduser(f"~{run(['id', '-un'], ROOT).stdout.strip()}")  # noqa: PTH111
    done = find_cache(None)
    if done.returncode == 0:
        assert done.stdout.strip() == f"{Path(home).resolve()}/.cache/homeagent"
    else:
        assert "XDG_CACHE_HOME" in done.stderr


@pytest.mark.parametrize(
    ("place", "mode", "words"),
    [
        (".", 0o777, "which others can change (chmod go-w"),
        (".", 0o770, "which others can change (chmod go-w"),
        ("homeagent", 0o770, "can be changed by others"),
        ("homeagent", 0o1777, "can be changed by others"),
    ],
)
def test_folders_that_others_can_change_are_refused(
    folder: Path, place: str, mode: int, words: str
) -> None:
    (folder / "homeagent").mkdir(mode=0o700)
    (folder / place).chmod(mode)
    done = find_cache(None, folder)
    assert done.returncode == 1
    assert words in done.stderr
    assert "set XDG_CACHE_HOME to a folder" in done.stderr


@pytest.mark.parametrize("place", [".", "homeagent"])
def test_folders_of_another_user_are_refused(folder: Path, place: str) -> None:
    (folder / "homeagent").mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(folder / place, 12345, 12345)
    else:
        # Only root can give a folder away; one of root's will do for everybody else.
        (folder / "homeagent").rmdir()
        (folder / "homeagent").symlink_to("/usr")
    done = find_cache(None, folder)
    assert done.returncode == 1
    assert "belongs to another user" in done.stderr


def test_a_folder_that_cannot_be_made_is_said(folder: Path) -> None:
    (folder / ".cache").write_text("")
    done = find_cache(folder)
    assert done.returncode == 1
    assert "cannot be made" in done.stderr


def test_setup_removes_what_a_killed_one_left() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    left = ROOT / f".setup.{ended.pid}"
    (left / "folder").mkdir(parents=True)
    done = run([str(SCRIPTS / "setup"), "--quiet"], ROOT)
    assert done.returncode == 0, done.stderr
    assert not left.exists()
