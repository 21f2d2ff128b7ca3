"""Which program runs: whose file it is, and whose implementation."""

from __future__ import annotations

import os
from pathlib import Path

from conftest import code_of, plan_of
import pytest

from homeagent_waiter.gate import Policy
from homeagent_waiter.gate.grammars import GRAMMARS, MARKERS
from homeagent_waiter.gate.programs import PATH, Programs, Unsafe


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of programs."""
    here = tmp_path / "bin"
    here.mkdir()
    return here


@pytest.fixture
def policy(folder: Path) -> Policy:
    """A policy that looks for programs only there; they may be this user's."""
    owners = frozenset({0, os.geteuid()})
    programs = Programs(path=(str(folder),), owners=owners, markers=MARKERS)
    return Policy(allowed=frozenset(GRAMMARS), programs=programs)


def program(folder: Path, name: str, content: bytes, mode: int = 0o755) -> Path:
    """Make a program."""
    file = folder / name
    file.write_bytes(content)
    file.chmod(mode)
    return file


def test_missing_program_is_judged_all_the_same(policy: Policy) -> None:
    """As the usual implementation; the plan says that it is not there."""
    assert plan_of("ls -la", policy).installed is False
    assert code_of("sort -o x f", policy) == "option"


def test_program_that_others_may_write_is_refused(folder: Path, policy: Policy) -> None:
    """Whoever may write it decides what it does."""
    program(folder, "ls", b"GNU coreutils", 0o757)
    assert code_of("ls", policy) == "not_allowed"


def test_program_of_another_user_is_refused(folder: Path) -> None:
    """It must be root's."""
    file = program(folder, "ls", b"GNU coreutils")
    programs = Programs(path=(str(folder),), owners=frozenset({12345}), markers=MARKERS)
    assert code_of("ls", Policy(programs=programs)) == "not_allowed"
    why = "it does not belong to root"
    assert programs.find("ls") == Unsafe(file=str(file), why=why)


def test_link_is_judged_by_the_real_file(folder: Path, policy: Policy) -> None:
    """A link of root's to a file that others may write is none of root's."""
    real = program(folder, "real", b"GNU coreutils", 0o757)
    (folder / "ls").symlink_to(real)
    assert code_of("ls", policy) == "not_allowed"
    real.chmod(0o755)
    assert plan_of("ls", policy).stages[0].program == str(real)


@pytest.mark.parametrize("first", ["folder", "0o644", "0o600", "missing"])
def test_what_cannot_run_is_passed_over(tmp_path: Path, first: str) -> None:
    """The next folder of the path is looked into, as a shell does."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for each in folders:
        each.mkdir()
    if first == "folder":
        (folders[0] / "ls").mkdir()
    elif first != "missing":
        program(folders[0], "ls", b"x", int(first, 8))
    right = program(folders[1], "ls", b"GNU coreutils")
    found = Programs(
        path=tuple(map(str, folders)), owners=frozenset({os.geteuid()}), markers=MARKERS
    ).find("ls")
    assert found is not None
    assert found.file == str(right)


@pytest.mark.parametrize(
    "mode", [0o744, 0o754, 0o745, 0o700, 0o711, 0o655, 0o641, 0o654]
)
def test_whoever_may_run_it_it_is_a_program(folder: Path, mode: int) -> None:
    """One right to run it is enough to be found."""
    file = program(folder, "ls", b"GNU coreutils", mode)
    found = Programs(path=(str(folder),), owners=frozenset({os.geteuid()})).find("ls")
    assert found is not None
    assert found.file == str(file)


BUSYBOX = b"\0BusyBox v1.36.1 (Debian)\0GNU sed version 4.0\0"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ls -la", "accepted"),
        ("ls --almost-all", "option"),
        ("ps", "accepted"),
        ("ps -o pid,args", "accepted"),
        ("ps -T -l -w -ww w ww -ef -e aux -aux", "accepted"),
        ("ps -o", "option"),
        ("ps -o environ", "option"),
        ("ps -Z", "option"),
        ("ps e", "option"),
        ("ps -o pid x", "option"),
        ("sed -n 1p f", "accepted"),
        ("sed -i p f", "option"),
        ("sed -n 'w x' f", "operand"),
        ("date -s 1", "option"),
        ("date 0101", "operand"),
        ("uniq a b", "operand"),
        ("sort -o x f", "option"),
        ("mount -t ext4", "option"),
        ("dmesg -c", "option"),
        ("hostname x", "operand"),
        ("find . -delete", "option"),
        ("find . -exec x ;", "line"),
        ("ip l set eth0 up", "operand"),
        ("tail -f f", "option"),
        ("grep -f f x", "option"),
        ("top -b -n 1", "accepted"),
        ("top -b", "count"),
        ("ping -c 1 192.0.2.1", "accepted"),
        ("cat /etc/shadow", "secret"),
        ("lsblk", "no_grammar_here"),
        ("file f", "no_grammar_here"),
        ("journalctl -n 1", "no_grammar_here"),
    ],
)
def test_busybox_has_its_own_grammars(
    folder: Path, policy: Policy, line: str, code: str
) -> None:
    """A link to busybox is judged as busybox, where there is a grammar for it."""
    busybox = program(folder, "busybox", BUSYBOX)
    (folder / line.split(maxsplit=1)[0]).symlink_to(busybox)
    assert code_of(line, policy) == code


@pytest.mark.parametrize(
    "content", [b"uutils coreutils 0.2", b"toybox 0.8.9", b"?", b""]
)
def test_other_implementation_has_no_grammar_here(
    folder: Path, policy: Policy, content: bytes
) -> None:
    """What is not known is not judged by a grammar of something else."""
    program(folder, "ls", content)
    assert code_of("ls", policy) == "no_grammar_here"


def test_unchecked_command_runs_with_plain_words(folder: Path, policy: Policy) -> None:
    """Any words but shell grammar and secrets; a grammar that there is still counts."""
    program(folder, "mytool", b"x")
    allowing = Policy(unchecked=frozenset({"mytool", "sort"}), programs=policy.programs)
    assert plan_of("mytool --any -x thing", allowing).unchecked
    assert code_of("mytool $HOME", allowing) == "line"
    assert code_of("mytool --from=/etc/shadow", allowing) == "secret"
    assert code_of("mytool /root/.ssh/id_rsa", allowing) == "secret"
    assert code_of("sort -o x f", allowing) == "option"
    listed = Policy(allowed=frozenset({"mytool"}), programs=policy.programs)
    assert code_of("mytool x", listed) == "no_grammar"


def test_programs_of_this_host_are_recognized() -> None:
    """Whatever is installed here has a grammar, if it is what grammars are for."""
    programs = Programs(markers=MARKERS)
    for name in ("ls", "cat", "grep", "sort"):
        found = programs.find(name)
        assert found is not None
    assert "/tmp" not in PATH
