"""The command as a process of its own."""

import json
import os
from pathlib import Path
import subprocess

ROOT = Path(__file__).resolve().parents[3]
GOOD = (
    '{"name": "巡检", "groups": [{"name": "g", "tools": "{\\"tool\\":\\"t.a\\"} ;"}]}'
)


def seq(*arguments: str, folder: Path, stdin: str = "") -> tuple[int, str, str]:
    """Call scripts/seq from some folder, in an environment that knows no UTF-8."""
    ran = subprocess.run(
        [ROOT / "scripts" / "seq", *arguments],
        cwd=folder,
        env=os.environ | {"LC_ALL": "C"},
        input=stdin.encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


def test_file_and_standard_input(tmp_path: Path) -> None:
    """Files count from where the person is; - is standard input; nothing else is said."""
    (tmp_path / "巡检.json").write_text(GOOD, "utf-8")
    # What lies about in that folder is no part of the command.
    (tmp_path / "json.py").write_text("raise SystemExit('not this one')\n", "utf-8")
    told = seq("check", "巡检.json", folder=tmp_path)
    assert told == (0, "巡检.json: ok\n", "")
    code, out, err = seq("plan", "-", folder=tmp_path, stdin=GOOD)
    assert (code, out.splitlines()[0], err) == (0, "巡检", "")


def test_run(tmp_path: Path) -> None:
    """A dry run, in a process that does not even have Home Assistant's parts loaded."""
    (tmp_path / "tools.json").write_text('{"t.a": {}}', "utf-8")
    code, out, err = seq(
        *("run", "-", "--tools", "tools.json", "--json"), folder=tmp_path, stdin=GOOD
    )
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert (answer["sequence"], answer["calls"]) == ("巡检", {"t.a": 1})


def test_no_home_assistant() -> None:
    """Everything that the command imports is there without Home Assistant."""
    code = (
        "import sys; sys.modules['homeassistant'] = None\n"
        "from seqtool.bare_core import use_bare_parents; use_bare_parents()\n"
        "from seqtool.command import main; sys.exit(main(['check', '-']))\n"
    )
    ran = subprocess.run(
        [ROOT / ".venv" / "bin" / "python", "-c", code],
        env={"PYTHONPATH": str(ROOT / "scripts")},
        input=GOOD.encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_full_disk() -> None:
    """An answer that nobody gets is no success."""
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [ROOT / "scripts" / "seq", "format", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            input=GOOD.encode(),
            check=False,
            timeout=60,
        )
    told = b"seq: the answer cannot be written: No space left on device\n"
    assert (ran.returncode, ran.stderr) == (2, told)


def test_bad_usage(tmp_path: Path) -> None:
    """The exit code comes through, and so does the reason."""
    code, out, err = seq("check", "missing.json", folder=tmp_path)
    assert (code, out) == (2, "")
    assert err == "seq: there is no file missing.json\n"
