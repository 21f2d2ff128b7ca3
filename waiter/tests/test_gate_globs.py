"""Patterns, expanded as a shell does, bounded."""

from __future__ import annotations

from pathlib import Path
import subprocess

from conftest import code_of
import pytest

from homeagent_waiter.gate.globs import MOST_NAMES, MOST_SEEN, expand
from homeagent_waiter.gate.lexer import lex
from homeagent_waiter.gate.refused import RefusedError

NAMES = [
    "-delete",
    ".hidden",
    "a",
    "a.txt",
    "ab",
    "b-c",
    "a b",
    "[x]",
    "A",
    "0",
    "sub/d",
    "sub/e",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with names of all kinds."""
    here = tmp_path / "here"
    for name in NAMES:
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).touch()
    return here


@pytest.mark.parametrize(
    "pattern",
    ["*", "a*", "?", "??", "*.txt", ".*", ".h*", "[ab]*", "[a-c]", "[!a]", "[^a]*", "*/*",
     "sub/*", "s*/d", "./*", "nothing*", "a\\*", "'a'*", "'*'", "*b",
     "'['*", "\\[*", "**", "*/", "sub/"],
)  # fmt: skip
def test_same_names_as_a_shell(folder: Path, pattern: str) -> None:
    """A shell is asked; relative names have ``./`` in front, unless nothing matched."""
    if "!" in pattern:
        pattern = pattern.replace("!", "^")
    script = f"LC_ALL=C; cd {folder} && printf '%s\\n' {pattern}"
    bash = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True
    )
    given = bash.stdout.splitlines()
    found = expand(lex("x " + pattern)[0].words[1], str(folder))
    plain = [name.removeprefix("./").rstrip("/") for name in found]
    assert plain == [
        name.removeprefix("./").rstrip("/")
        for name in given
        if name not in (".", "..", "./", "../")
    ]


def test_name_cannot_become_an_option(folder: Path) -> None:
    """A file named like an option stays a file."""
    word = lex("x *delete")[0].words[1]
    assert expand(word, str(folder)) == ["./-delete"]


def test_pattern_from_the_root(folder: Path) -> None:
    """An absolute pattern gives absolute names."""
    word = lex(f"x {folder}/a*")[0].words[1]
    names = ["a", "a b", "a.txt", "ab"]
    assert expand(word) == [f"{folder}/{name}" for name in names]


@pytest.mark.parametrize(
    ("count", "hint"), [(MOST_NAMES, "names"), (MOST_SEEN, "entries")]
)
def test_too_much_is_refused(tmp_path: Path, count: int, hint: str) -> None:
    """Neither too many matches nor too large a folder."""
    for number in range(count + 1):
        (tmp_path / f"{number}").touch()
    pattern = "*" if hint == "names" else "x*"
    word = lex(f"x {tmp_path}/{pattern}")[0].words[1]
    with pytest.raises(RefusedError) as refused:
        expand(word)
    assert refused.value.refusal.code == "count"
    assert hint in refused.value.refusal.hint
    assert code_of(f"ls {tmp_path}/{pattern}") == "count"


def test_pattern_with_many_stars_is_quick(tmp_path: Path) -> None:
    """Matching takes time linear in the name."""
    (tmp_path / ("a" * 200)).touch()
    word = lex(f"x {tmp_path}/{'*a' * 50}b")[0].words[1]
    assert expand(word) == [word.text]
