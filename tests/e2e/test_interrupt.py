"""Ctrl-C at any moment ends the demo and leaves nothing behind."""

from pathlib import Path
import signal

import pytest

from .demo_process import DemoProcess
from .traces import left_behind, processes_of, wait_for

MOMENTS = {
    "at once": "",
    "before Python": "==> Ready",
    "while Home Assistant starts": "Starting Home Assistant",
    "while the home is furnished": "runs after",
    "while the sequence runs": "is checked and stored",
    "while Home Assistant stops": "Stopping Home Assistant",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "temporary").mkdir()
    return tmp_path / "temporary"


@pytest.mark.parametrize("words", MOMENTS.values(), ids=MOMENTS.keys())
def test_ctrl_c_leaves_nothing(folder: Path, words: str) -> None:
    with DemoProcess(folder) as demo:
        demo.wait_for(words)
        demo.press_ctrl_c()
        assert demo.wait() == 130, demo.text
    assert left_behind(folder) == []


def test_impatient_ctrl_c_leaves_nothing(folder: Path) -> None:
    """More Ctrl-C while the demo cleans up do not stop it from cleaning up."""
    with DemoProcess(folder) as demo:
        demo.wait_for("runs after")
        for _ in range(5):
            demo.press_ctrl_c()
        assert demo.wait() == 130, demo.text
    assert left_behind(folder) == []


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_signal_to_the_script_alone(
    folder: Path, number: signal.Signals, code: int
) -> None:
    with DemoProcess(folder) as demo:
        demo.wait_for("Starting Home Assistant")
        demo.process.send_signal(number)
        assert demo.wait() == code, demo.text
    assert left_behind(folder) == []


def test_killed_demo_takes_home_assistant_along(folder: Path) -> None:
    """Nobody can clean up after SIGKILL, but no process goes on alone."""
    with DemoProcess(folder, "--serve") as demo:
        demo.wait_for("Ctrl-C stops it")
        assert processes_of(folder)
        demo.process.kill()
        demo.wait()
        wait_for(lambda: not processes_of(folder), "the end of all processes")
