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
    "x",
    "*ab",
    "?q",
    "X1",
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
     "'['*", "\\[*", "**", "*/", "sub/", "'[x]'*", "\\[x*", "'*'a*", "\\?*", "b-*",
     "X*", "X?", "[X]*", "s?b/[d]", "*/d"],
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
    assert expand(word, str(folder / "sub")) == expand(word)


def test_pattern_without_a_folder_is_from_the_root() -> None:
    """That is where commands run."""
    assert "./etc" in expand(lex("x et*")[0].words[1])


@pytest.mark.parametrize(
    ("count", "pattern", "hint"),
    [
        (MOST_NAMES, "*", f"a pattern may match at most {MOST_NAMES} names"),
        (MOST_SEEN, "x*", f"folders with more than {MOST_SEEN} entries are too many"),
    ],
)
def test_too_much_is_refused(
    tmp_path: Path, count: int, pattern: str, hint: str
) -> None:
    """As much as is allowed passes; not one match or one entry more."""
    folder = tmp_path / "f"
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}").touch()
    word = lex(f"x f/{pattern}")[0].words[1]
    assert len(expand(word, str(tmp_path))) == (count if pattern == "*" else 1)
    (folder / "one more").touch()
    with pytest.raises(RefusedError) as refused:
        expand(word, str(tmp_path))
    refusal = refused.value.refusal
    assert (refusal.code, refusal.token) == ("count", f"f/{pattern}")
    assert refusal.hint == hint
    assert code_of(f"ls {folder}/{pattern}") == "count"


@pytest.mark.parametrize("pattern", ["[é]*", "b[~]", "[a\\ b]*"])
def test_brackets_are_plain(folder: Path, pattern: str) -> None:
    """What else may mean different things to different readers."""
    with pytest.raises(RefusedError) as refused:
        expand(lex("x " + pattern)[0].words[1], str(folder))
    refusal = refused.value.refusal
    hint = "in brackets only letters, digits, ranges and _ . , + = @ % :"
    assert (refusal.code, refusal.token, refusal.hint) == ("line", pattern, hint)


def test_pattern_with_many_stars_is_quick(tmp_path: Path) -> None:
    """Matching takes time linear in the name."""
    (tmp_path / ("a" * 200)).touch()
    word = lex(f"x {tmp_path}/{'*a' * 50}b")[0].words[1]
    assert expand(word) == [word.text]
