"""Run `scripts/demo` as a person does, in a terminal, and press Ctrl-C there."""

import os
from pathlib import Path
import pty
import signal
import subprocess
import sys
from types import TracebackType
from typing import Self

import psutil

from .traces import wait_for

DEMO = Path(__file__).resolve().parents[2] / "scripts" / "demo"

# Opening the terminal makes it the one whose Ctrl-C reaches this session. What runs the
# tests in the background, as nohup does, may ignore signals, and bash cannot trap those
# that were ignored when it began; a person's shell ignores none.
_IN_TERMINAL = """
import os, signal, sys
for name in "SIGHUP SIGINT SIGQUIT SIGPIPE SIGTERM".split():
    signal.signal(getattr(signal, name), signal.SIG_DFL)
os.close(os.open(os.ttyname(0), os.O_RDWR))
os.execv(sys.argv[1], sys.argv[1:])
"""


class DemoProcess:
    """A demo in a terminal of its own, with `folder` for all its temporary files."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        """Start it in some other folder; what it prints goes to a file beside."""
        self._output = folder.with_suffix(".out")
        self._controller, self._terminal = pty.openpty()
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _IN_TERMINAL, str(DEMO), *arguments],
                cwd=folder.parent,
                env=os.environ | {"TMPDIR": str(folder)},
                stdin=self._terminal,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        """Go on once the script itself runs, and so the terminal is its own."""
        script = psutil.Process(self.process.pid)
        wait_for(lambda: str(DEMO) in script.cmdline()[:2], "the script's start")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.wait()
        os.close(self._terminal)
        os.close(self._controller)

    @property
    def text(self) -> str:
        """What it printed so far."""
        return self._output.read_text(encoding="utf-8")

    def wait_for(self, words: str) -> None:
        """Wait until it printed `words`; fail when it ended without."""

        def met() -> bool:
            if words in self.text:
                return True
            assert self.process.poll() is None, self.text
            return False

        wait_for(met, words, seconds=300)

    def press_ctrl_c(self) -> None:
        """Press Ctrl-C in its terminal."""
        os.write(self._controller, b"\x03")

    def wait(self) -> int:
        """Wait for its end; return its exit code as a shell shows it."""
        code = self.process.wait(timeout=120)
        return 128 - code if code < 0 else code
