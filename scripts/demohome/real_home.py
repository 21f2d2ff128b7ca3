"""A real `hass` process in a temporary folder: started, used, stopped, wiped away.

    async with RealHome(HomeOptions(configuration=YAML)) as home:
        response = await home.api.call_action("homeagent.seq_run", {"name": "s"})

Everything is bounded in time; what fails says so in a sentence with the end of Home
Assistant's log. However the block is left, no process and no folder remains. Imports
api, folder, http_storage, onboarding and process.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
import shutil
import tempfile
import time
from types import TracebackType
from typing import Self

from . import folder, http_storage
from .api import HomeApi
from .errors import ApiError, HomeError
from .onboarding import Owner, create_owner, log_in
from .process import HassProcess, free_port

_POLL = 0.1
_PORT_TRIES = 3
_LOG_LINES = 30
_HURRY = 3.0
_PORT_TAKEN = "error while attempting to bind on address"


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeOptions:
    """How a home is made; times in seconds.

    `files` are texts by their names relative to the config folder. `environment` is
    added to our own variables, which Home Assistant gets but for Python's and pytest's.
    """

    configuration: str = folder.LEAN_CONFIGURATION
    files: Mapping[str, str] = field(default_factory=dict)
    integration: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    owner: Owner = field(default_factory=Owner)
    start_timeout: float = 300.0
    stop_timeout: float = 30.0


class RealHome:
    """One Home Assistant; `api` is its owner's, logged in, while it runs."""

    def __init__(self, options: HomeOptions | None = None) -> None:
        """Make nothing yet."""
        self.options = options or HomeOptions()
        self.owner = self.options.owner
        self._root: Path | None = None
        self._process: HassProcess | None = None
        self._api: HomeApi | None = None
        self._port = 0
        self._has_owner = False

    async def __aenter__(self) -> Self:
        """Make the folder, start Home Assistant, make its owner and log in."""
        try:
            self._make_folder()
            await self.start()
        except BaseException:
            await self._leave()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it, in a hurry after an error, and remove the folder."""
        if kind is not None:
            await self._leave()
            return
        try:
            await self.stop()
        finally:
            self._remove_folder()

    @property
    def root(self) -> Path:
        """The temporary folder; all that this home writes lies in it."""
        if self._root is None:
            raise HomeError("The home has no folder; enter it first.")
        return self._root

    @property
    def config(self) -> Path:
        """Home Assistant's config folder."""
        return self.root / "config"

    @property
    def url(self) -> str:
        """The address of Home Assistant, without a slash at its end."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def api(self) -> HomeApi:
        """The API as its owner."""
        if self._api is None:
            raise HomeError("Home Assistant is not running.")
        return self._api

    @property
    def pid(self) -> int:
        """The process id of the last start."""
        if self._process is None:
            raise HomeError("Home Assistant was never started.")
        return self._process.pid

    def log_text(self) -> str:
        """Return all that Home Assistant logged and printed, of every start."""
        return self._output.read_text(encoding="utf-8", errors="replace")

    def install_integration(self) -> None:
        """Copy HomeAgent into the config folder; the next start finds it."""
        folder.copy_integration(self.config)

    async def start(self) -> None:
        """Start Home Assistant and log in; on another port if its own was taken."""
        if self._process is not None and self._process.exit_code is None:
            raise HomeError("Home Assistant is already running.")
        await self._end_process(0)
        deadline = time.monotonic() + self.options.start_timeout
        for _ in range(_PORT_TRIES):
            earlier = len(self.log_text())
            self._process = HassProcess(
                config=self.config,
                output=self._output,
                temporary=self.root / "tmp",
                extra=self.options.environment,
            )
            if await self._wait_for_port(deadline, earlier):
                break
            self._process.kill()
            self._port = free_port()
            http_storage.write(self.config, address="127.0.0.1", port=self._port)
        else:
            raise self._failure(f"found no free port in {_PORT_TRIES} tries")
        self._api = HomeApi(self.url)
        await self._log_in(deadline)
        await self._wait_until_running(deadline)

    async def stop(self) -> None:
        """Stop Home Assistant and keep its folder; HomeError if it had to be killed."""
        seconds = self.options.stop_timeout
        if not await self._end_process(seconds):
            raise self._failure(f"did not stop within {seconds:.0f} s, was killed")

    async def restart(self) -> None:
        """Stop and start it again, with the same folder and port."""
        await self.stop()
        await self.start()

    async def kill(self) -> None:
        """Kill it at once, as a power cut does; the folder stays."""
        if self._process is not None:
            self._process.kill()
        await self._end_process(0)

    async def wait_until_ended(self) -> int:
        """Wait, without a limit, until Home Assistant ends; return its exit code."""
        if self._process is None:
            raise HomeError("Home Assistant was never started.")
        await self._process.wait()
        code = self._process.exit_code
        assert code is not None
        return code

    @property
    def _output(self) -> Path:
        return self.root / "output.log"

    def _make_folder(self) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="homeagent-home-"))
        (self.root / "tmp").mkdir()
        self._output.touch()
        self.config.mkdir()
        self._port = free_port()
        folder.write_storage(self.config, port=self._port)
        folder.write_configuration(self.config, self.options.configuration)
        folder.write_files(self.config, self.options.files)
        if self.options.integration:
            self.install_integration()

    async def _wait_for_port(self, deadline: float, earlier: int) -> bool:
        """Wait until it listens; false if somebody else has the port.

        `earlier` is the length of the log of earlier starts.
        """
        process = self._process
        assert process is not None
        while not process.listens(self._port):
            if _PORT_TAKEN in self.log_text()[earlier:]:
                return False
            if process.exit_code is not None:
                raise self._failure(f"ended with exit code {process.exit_code}")
            await self._pause(deadline, "did not open its port")
        return True

    async def _log_in(self, deadline: float) -> None:
        enter = log_in if self._has_owner else create_owner
        while True:
            try:
                await enter(self.api, self.owner)
            except ApiError as error:
                # The port opens a moment before the pages behind it.
                if error.status != HTTPStatus.NOT_FOUND:
                    raise
            except HomeError:
                pass
            else:
                break
            await self._pause(deadline, "let nobody log in")
        self._has_owner = True

    async def _wait_until_running(self, deadline: float) -> None:
        while (await self.api.config()).get("state") != "RUNNING":
            await self._pause(deadline, "did not finish starting")

    async def _pause(self, deadline: float, complaint: str) -> None:
        if time.monotonic() > deadline:
            limit = f"within {self.options.start_timeout:.0f} s"
            raise self._failure(f"{complaint} {limit}")
        await asyncio.sleep(_POLL)

    def _failure(self, complaint: str) -> HomeError:
        tail = self.log_text().splitlines()[-_LOG_LINES:]
        lines = "\n".join(f"    {line}" for line in tail) or "    (nothing)"
        return HomeError(f"Home Assistant {complaint}. The end of its log:\n{lines}")

    async def _end_process(self, seconds: float) -> bool:
        """Close the API and end Home Assistant; tell whether it ended by itself."""
        api, self._api = self._api, None
        try:
            if api is not None:
                await api.close()
        finally:
            ended = self._process is None or await self._process.stop(seconds)
        return ended

    async def _leave(self) -> None:
        """End it and remove the folder, in a hurry: something has gone wrong."""
        try:
            await self._end_process(_HURRY)
        finally:
            self._remove_folder()

    def _remove_folder(self) -> None:
        if self._root is not None:
            shutil.rmtree(self._root)
            self._root = None
