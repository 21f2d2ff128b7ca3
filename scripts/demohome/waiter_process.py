"""A real `waiter` on this machine, with files of its own: paired, started, ended.

Beside process; imports api, errors and jsonish. Everything it writes lies in its folder.
"""

import asyncio
from collections.abc import Mapping
import contextlib
import json
import os
from pathlib import Path
import signal
import subprocess
import sys

from .api import HomeApi
from .errors import HomeError
from .jsonish import JsonObject, as_object

_LAUNCH = Path(__file__).with_name("launch.py")
_WAITER = Path(sys.executable).with_name("waiter")
FLOWS = "/api/config/config_entries/subentries/flow"
_POLL = 0.05
_PAIR_LIMIT = 60.0
# What would make this waiter another one than the user's own.
_NOT_PASSED_ON = ("COV", "NOTIFY", "PYTEST", "PYTHON", "STATE_DIRECTORY", "WATCHDOG")


class WaiterProcess:
    """A waiter named `name`, with its files in `folder`."""

    def __init__(
        self, folder: Path, *, name: str, url: str, options: Mapping[str, object] = {}
    ) -> None:
        """Write its configuration; `options` are further keys of waiter.yaml."""
        self.name = name
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self.configure({"url": url, "device_authorized": True, **options})

    @property
    def configuration(self) -> Path:
        """The file waiter.yaml."""
        return self.folder / "waiter.yaml"

    @property
    def key_file(self) -> Path:
        """The file that holds the key."""
        return self.folder / "state" / "key"

    @property
    def audit_log(self) -> Path:
        """The file that every decision is written to."""
        return self.folder / "state" / "audit.jsonl"

    @property
    def log(self) -> Path:
        """The file with all that it said."""
        return self.folder / "waiter.log"

    @property
    def pid(self) -> int:
        """The process id of the last start."""
        if self._process is None:
            raise HomeError(f"The waiter {self.name} was never started.")
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, None while it runs."""
        return None if self._process is None else self._process.poll()

    def configure(self, values: Mapping[str, object]) -> None:
        """Write waiter.yaml; JSON is YAML too."""
        own = {"name": self.name, "key_file": str(self.key_file)}
        self.configuration.write_text(json.dumps(own | dict(values)), encoding="utf-8")
        self.configuration.chmod(0o600)

    def start(self) -> None:
        """Start it; what it says is appended to its log."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-I", str(_LAUNCH), str(os.getpid())),
                    *(sys.executable, str(_WAITER), "run"),
                    *("--config", str(self.configuration)),
                ],
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self._process is not None and self._process.poll() is None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        """Kill it at once and collect it, with whatever it started."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    async def stop(self, seconds: float = 10.0) -> int | None:
        """Ask it to end and wait; return its exit code, None if it had to be killed."""
        self.signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.exit_code is None:  # noqa: ASYNC110
                    await asyncio.sleep(_POLL)
        code = self.exit_code
        self.kill()
        return code

    async def pair(self, code: str) -> str:
        """Run `waiter pair` and type the code; return what it said."""
        process = await asyncio.create_subprocess_exec(
            *(
                sys.executable,
                str(_WAITER),
                "pair",
                "--config",
                str(self.configuration),
            ),
            cwd=self.folder,
            env=self._environment(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            async with asyncio.timeout(_PAIR_LIMIT):
                said, _ = await process.communicate(f"{code}\n".encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode != 0:
            raise HomeError(f"waiter pair failed: {said.decode(errors='replace')}")
        return said.decode()

    def _environment(self) -> Mapping[str, str]:
        passed_on = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(_NOT_PASSED_ON)
        }
        return passed_on | {
            "HOME": str(self.folder),
            "STATE_DIRECTORY": str(self.folder / "state"),
        }


async def add_host(api: HomeApi, waiter: WaiterProcess) -> None:
    """Go through "Add NAS host" as a person does, with the code carried over."""
    entry_id = await kernel_entry(api)
    flow = await _flow(api, "POST", FLOWS, {"handler": [entry_id, "host"]})
    if flow.get("type") != "progress":
        raise HomeError(f"No code was shown: {flow}")
    shown = as_object(flow["description_placeholders"], "the placeholders")
    pairing = asyncio.ensure_future(waiter.pair(str(shown["code"])))
    try:
        await follow_flow(api, str(flow["flow_id"]), pairing)
    finally:
        await asyncio.gather(pairing, return_exceptions=True)
    await pairing


async def follow_flow(api: HomeApi, flow_id: str, pairing: asyncio.Future[str]) -> None:
    """Go on with the dialog until the host is added, as the frontend does."""
    async with asyncio.timeout(_PAIR_LIMIT):
        while True:
            flow = await _flow(api, "GET", f"{FLOWS}/{flow_id}")
            if flow["type"] == "create_entry":
                return
            if flow["type"] != "progress" or (pairing.done() and pairing.exception()):
                raise HomeError(f"The host was not added: {flow}")
            await asyncio.sleep(_POLL)


async def kernel_entry(api: HomeApi) -> str:
    """Return the id of the HomeAgent entry."""
    async with api.socket() as socket:
        entries = await socket.command("config_entries/get", domain="homeagent")
    assert isinstance(entries, list)
    for entry in entries:
        if entry["title"] == "HomeAgent":
            return str(entry["entry_id"])
    raise HomeError("HomeAgent is not added.")


async def wait_for_hosts(api: HomeApi, *names: str, seconds: float = 60.0) -> None:
    """Wait until Home Assistant says that these hosts are connected."""
    missing = set(names)
    async with asyncio.timeout(seconds):
        while missing:
            listed = await api.call_action("homeagent.host_list", {})
            hosts = listed.get("hosts")
            assert isinstance(hosts, list), listed
            missing = set(names) - {host["name"] for host in hosts if host["connected"]}
            await asyncio.sleep(_POLL if missing else 0)


async def _flow(
    api: HomeApi, method: str, path: str, body: Mapping[str, object] | None = None
) -> JsonObject:
    answer = await api.request(method, path, json=body)
    return as_object(answer, "a step of a dialog")
