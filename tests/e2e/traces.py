"""Find what a demo or a home left behind, by the folder that all of it lies in."""

from collections.abc import Callable
from pathlib import Path
import time

import psutil


def processes_of(folder: Path) -> list[str]:
    """Return the processes whose command, folder or environment names the folder."""
    marker = str(folder)
    found: list[str] = []
    for process in psutil.process_iter():
        try:
            command = process.cmdline()
            traces = [*command, process.cwd(), *process.environ().values()]
        except psutil.Error:
            continue
        if any(marker in trace for trace in traces):
            found.append(f"{process.pid}: {' '.join(command)}")
    return found


def left_behind(folder: Path) -> list[str]:
    """Return the processes and files left of what used `folder` for its own."""
    return [*processes_of(folder), *(str(path) for path in folder.iterdir())]


def wait_for(met: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
    """Wait until `met` is true; AssertionError naming `what` if it never is."""
    deadline = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < deadline, f"{what} did not happen in {seconds} s"
        time.sleep(0.02)
