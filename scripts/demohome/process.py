"""One `hass` process in a group of its own, started, watched and surely ended.

Imports only our errors. Starting and killing are plain calls without an await: a
cancellation can never fall between a process and the record of it.
"""

import asyncio
from collections.abc import Mapping
import contextlib
import os
from pathlib import Path
import signal
import socket
import subprocess
import sys

import psutil

_LAUNCH = Path(__file__).with_name("launch.py")
_POLL = 0.05
# What would make this Home Assistant another one than the user's own.
_NOT_PASSED_ON = ("COV", "HASSIO", "PYTEST", "PYTHON", "SETUP_PORT", "SUPERVISOR")


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that nobody listens on now.

    Another process can still take it first; whoever starts a server on it has to look
    whether the server got it (`HassProcess.listens`) and take another one if not.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class HassProcess:
    """`hass -c CONFIG`, with everything it starts."""

    def __init__(
        self, *, config: Path, output: Path, temporary: Path, extra: Mapping[str, str]
    ) -> None:
        """Start it; what it prints is appended to `output`."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(_NOT_PASSED_ON)
        }
        environment |= {"TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1", **extra}
        command = [
            *(sys.executable, "-I", str(_LAUNCH), str(os.getpid())),
            *(sys.executable, "-m", "homeassistant"),
            *("--config", str(config), "--log-no-color"),
        ]
        self._over = False
        with output.open("ab") as stream:
            self._process = subprocess.Popen(
                command,
                cwd=config,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The process id, which is also its group's."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, None while it runs; negative: the signal that ended it."""
        return self._process.poll()

    def listens(self, port: int) -> bool:
        """Tell whether this very process listens on the port."""
        try:
            connections = psutil.Process(self.pid).net_connections(kind="tcp")
        except psutil.Error:
            return False
        return any(
            connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            for connection in connections
        )

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait for its end, at most that long if given; tell whether it has ended."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                # asyncio's own subprocesses would tell of their end, but can be
                # cancelled while they start.
                while self.exit_code is None:  # noqa: ASYNC110
                    await asyncio.sleep(_POLL)
        return self.exit_code is not None

    async def stop(self, seconds: float) -> bool:
        """Ask it to end, wait, kill what is left; tell whether it ended by itself."""
        try:
            self._signal(signal.SIGTERM)
            return await self.wait(seconds)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill it and everything of its group, and collect it."""
        self._signal(signal.SIGKILL)
        self._process.wait()
        # From now on the number of the group may become somebody else's.
        self._over = True

    def _signal(self, number: signal.Signals) -> None:
        if not self._over:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)
