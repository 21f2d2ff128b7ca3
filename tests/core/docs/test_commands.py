"""Every command line in the documents is one that exists, with options that exist."""

import io
from pathlib import Path
import re
import shlex
from typing import Final

import pytest
from seqtool.command import main as seq

from homeagent_waiter.cli import parser as waiter_parser

from .documents import Line, command_lines
from .markdown import ROOT, fences, read

OTHERS: Final = {"pipx", "apt", "docker", "systemctl", "journalctl", ".venv/bin/mutmut"}
"""Programs of others: only that the line can be read is tried."""
LINES: Final = list(command_lines())
STANDS_FOR: Final = {
    "FILE": "evening.json",
    "TOOLS.json": "tools.json",
    "JSON": '{"room": "kitchen"}',
    "LINE": "df -h",
    "URL": "http://homeassistant.local:8123",
}
"""What is put in the place of a word in capitals."""


def words(text: str) -> list[str]:
    """Take a line apart as a shell does, without `sudo`."""
    taken = [STANDS_FOR.get(each, each) for each in shlex.split(text)]
    return taken[1:] if taken[0] == "sudo" else taken


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand where the files of the language reference are."""
    monkeypatch.chdir(tmp_path)
    for fence in fences(read("docs/sequences.md")):
        if fence.info.startswith("json file="):
            Path(fence.info.partition("=")[2]).write_text(fence.text, "utf-8")


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.page}: {line.text}")
def test_line(line: Line) -> None:
    """scripts/seq is run, the waiter's line is parsed, another script has the options."""
    program, *rest = words(line.text)
    if program == "waiter":
        waiter_parser().parse_args(rest)
    elif program == "scripts/seq":
        assert not rest or seq(rest, io.BytesIO()) == 0
    elif program.startswith("scripts/"):
        check_script(ROOT / program, rest)
    else:
        assert program in OTHERS


def check_script(script: Path, rest: list[str]) -> None:
    """The script is there, can be run, and names each option in its first lines."""
    assert script.stat().st_mode & 0o111
    head = "".join(script.read_text("utf-8").splitlines(keepends=True)[:40])
    for option in rest:
        if option.startswith("--"):
            told = re.search(rf"{re.escape(option)}(?![\w-])", head)
            assert told, (script.name, option)


def test_there_are_lines_of_all_kinds() -> None:
    """Otherwise the test above would prove nothing."""
    programs = {words(line.text)[0] for line in LINES}
    assert {"waiter", "scripts/seq", "scripts/test", "pipx"} <= programs
