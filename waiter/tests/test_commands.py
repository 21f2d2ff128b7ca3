"""The commands check and once, as they are typed."""

from __future__ import annotations

import io
import json
from pathlib import Path
import sys
from typing import Any

from conftest import accepted_lines, json_lines, refused_lines
import pytest

from homeagent_waiter.cli import main
from homeagent_waiter.gate.grammars import GRAMMARS

KEYS = ["decision", "stage", "code", "token", "hint", "argv", "installed"]


@pytest.fixture
def config(tmp_path: Path) -> str:
    """A configuration that lists everything with a grammar."""
    file = tmp_path / "waiter.yaml"
    file.write_text(f"device_cmd_allowlist: [{', '.join([*sorted(GRAMMARS), 'awk'])}]")
    return str(file)


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Give a text to standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


@pytest.mark.parametrize(
    ("line", "code"), [("df -h", 0), ("df -h; id", 3), ("rm x", 3)]
)
def test_check_tells_by_its_exit_code(
    line: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 accepted, 3 refused; in words, also without a configuration."""
    assert main(["check", line]) == code
    said = capsys.readouterr().out
    assert said.startswith("accepted" if code == 0 else "refused (")


def test_check_prints_json(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One object with all keys."""
    assert main(["check", "--json", "df -h | head -3", "--config", config]) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said) == KEYS
    assert said["argv"] == [["df", "-h"], ["head", "-3"]]
    assert (said["decision"], said["installed"]) == ("accept", True)
    assert main(["--config", config, "check", "--json", "zpool list"]) == 0
    assert json.loads(capsys.readouterr().out)["installed"] is False
    assert main(["check", "--json", "sort -o x", "--config", config]) == 3
    said = json.loads(capsys.readouterr().out)
    assert [said[key] for key in KEYS[:4]] == ["refuse", "grammar", "option", "-o"]
    assert said["hint"].startswith("allowed are")


def test_check_reads_many_lines(
    config: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One JSON string a line in, one object a line out."""
    good, bad = accepted_lines(), refused_lines()
    feed(monkeypatch, "".join(json.dumps(line) + "\n" for line in [*good, *bad]))
    assert main(["check", "--json", "--stdin", "--config", config]) == 3
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["decision"] for each in said] == (
        ["accept"] * len(good) + ["refuse"] * len(bad)
    )
    assert all(list(each) == KEYS for each in said)


@pytest.mark.parametrize("raw", ["df -h", "5", "", "[1]", '"', "null", "\x00"])
def test_check_answers_what_is_no_string(
    raw: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every line has its answer."""
    feed(monkeypatch, raw + '\n"df"\n')
    assert main(["check", "--json", "--stdin"]) == 3
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["decision"] for each in said] == ["refuse", "accept"]


def test_once_runs(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    """Output, exit code, and a line in the audit log."""
    assert main(["once", "echo hello | tr a-z A-Z"]) == 0
    assert capsys.readouterr().out == "HELLO\n"
    assert main(["once", "grep nothing /proc/version"]) == 1
    log = (home / "state/audit.jsonl").read_text().splitlines()
    assert [json.loads(line)["exit_codes"] for line in log] == [[0, 0], [1]]


@pytest.mark.parametrize(
    "case", json_lines("commands-refused.jsonl"), ids=lambda case: repr(case["line"])
)
def test_once_refuses(
    case: dict[str, Any], config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As check does, and nothing runs."""
    assert main(["once", case["line"], "--config", config]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("refused (")


def test_once_tells_what_is_not_installed(
    config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line that passes, on a host without the program."""
    assert main(["once", "zpool list", "--config", config]) == 127
    assert "zpool is not installed" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    ["cat {config}", "grep -r x {folder}", "head {folder}/waiter.yaml", "find {config} -ls",
     "cat {folder}/../{name}/waiter.yaml", "cat /proc/self/root{config}", "cat {folder}/link",
     "cat {folder}/*", "cat /proc/*/environ", "ps auxe", "cat {state}/audit.jsonl",
     "grep -r x {state}", "cat {package}/cli.py", "grep -r x {package}"],
)  # fmt: skip
def test_own_things_cannot_be_read(
    line: str, config: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither configuration nor state nor installation."""
    folder = Path(config).parent
    (folder / "link").symlink_to(config)
    main(["once", "echo x"])
    capsys.readouterr()
    package = Path(sys.modules["homeagent_waiter"].__file__ or "").parent
    made = line.format(
        config=config,
        folder=folder,
        name=folder.name,
        state=home / "state",
        package=package,
    )
    assert main(["once", made, "--config", config]) == 3
    assert capsys.readouterr().out == ""


def test_invalid_configuration_ends_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the place and what is legal; nothing is judged by something else."""
    file = tmp_path / "bad.yaml"
    file.write_text("device_cmd_allowlist: [yes]")
    for command in ("check", "once"):
        with pytest.raises(SystemExit) as ended:
            main([command, "ls", "--config", str(file)])
        assert ended.value.code == 2
        assert (
            "line 1: device_cmd_allowlist.0: yes is a boolean"
            in capsys.readouterr().err
        )


@pytest.mark.parametrize(
    "words",
    [["check"], ["check", "--stdin"], ["check", "--stdin", "--json", "ls"], ["once"]],
)
def test_misuse_is_told(words: list[str]) -> None:
    """Exit code 2, as for every wrong call."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
