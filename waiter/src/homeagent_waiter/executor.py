"""Runs plans, and nothing but plans (design page 4, §4.3). Judges no words.

No shell; standard input is closed; a fixed environment; the folder ``/``. Each command
of a line leads a process group that is killed as a whole, with what it started.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
import os
import signal
import subprocess
import time

from .cpu import limit_cpu
from .gate.plan import Plan, Stage, Stderr
from .gate.programs import PATH
from .memory import limited
from .output import Capped
from .processes import Process

ENVIRONMENT = {
    "PATH": ":".join(PATH),
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TERM": "dumb",
    "COLUMNS": "200",
    "PAGER": "cat",
    "SYSTEMD_PAGER": "",
    "SYSTEMD_COLORS": "0",
    "NO_COLOR": "1",
}
_READ = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a run may take: seconds, and bytes of each stream.

    ``patience``: seconds between asking processes to end and killing them.
    ``linger``: seconds for output that still comes when all commands have ended.
    """

    timeout: float = 15
    output: int = 64 * 1024
    patience: float = 1
    linger: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a plan. ``duration`` is in seconds.

    ``exit_codes`` has one of each command, negative for a signal and ``None`` for one
    that could not be killed; ``exit_code`` is that of the last command.
    """

    stdout: str
    stderr: str
    exit_code: int | None
    exit_codes: tuple[int | None, ...]
    truncated: bool
    duration: float
    timed_out: bool = False
    unkillable: bool = False
    stdout_bytes: int = 0
    stderr_bytes: int = 0


class NotInstalledError(Exception):
    """A program of the plan is not on this host, or cannot be started."""

    def __init__(self, name: str, why: str = "is not installed on this host") -> None:
        super().__init__(f"{name} {why}")
        self.name = name


async def execute(plan: Plan, bounds: Bounds | None = None) -> Outcome:
    """Run a plan and return what came of it.

    Raises ``NotInstalledError`` when a program is missing, ``TypeError`` for anything
    but a plan. Cancelling kills the processes before it ends.
    """
    if not isinstance(plan, Plan):
        raise TypeError("the executor takes nothing but a plan")
    for stage in plan.stages:
        if stage.program is None:
            raise NotInstalledError(stage.argv[0])
    return await _Run(plan, bounds or Bounds()).outcome()


class _Run:
    """One run of a plan."""

    def __init__(self, plan: Plan, bounds: Bounds) -> None:
        self._plan = plan
        self._bounds = bounds
        self._processes: list[Process] = []
        self._out = _Reader(bounds.output)
        self._err = _Reader(bounds.output)

    async def outcome(self) -> Outcome:
        began = time.monotonic()
        timed_out = False
        try:
            self._start(self._plan.stages)
            timed_out = not await self._ended(self._bounds.timeout)
            if timed_out:
                await self._ask_to_end()
            else:
                await self._read_on()
        finally:
            # Also what commands left behind in their groups.
            self._signal(signal.SIGKILL)
            self._out.close()
            self._err.close()
            unkillable = await self._reaped()
        codes = tuple(process.exit_code for process in self._processes)
        notes = "".join(f"waiter: {note}\n" for note in self._plan.notes)
        return Outcome(
            stdout=self._out.text(),
            stderr=notes + self._err.text(),
            exit_code=codes[-1],
            exit_codes=codes,
            truncated=self._out.truncated or self._err.truncated,
            duration=time.monotonic() - began,
            timed_out=timed_out,
            unkillable=unkillable,
            stdout_bytes=self._out.total,
            stderr_bytes=self._err.total,
        )

    def _start(self, stages: Sequence[Stage]) -> None:
        """Start all commands, each reading what the one before it writes."""
        before: int | None = None
        opened: set[int] = set()
        try:
            errors = self._err.pipe()
            opened.add(errors)
            for stage in stages:
                if stage is stages[-1]:
                    after, output = None, self._out.pipe()
                else:
                    after, output = os.pipe2(os.O_CLOEXEC)
                    opened.add(after)
                opened.add(output)
                process = _started(stage, before, output, errors)
                self._processes.append(process)
                limit_cpu(process.pid, self._bounds.timeout)
                for used in (before, output):
                    if used is not None:
                        os.close(used)
                        opened.discard(used)
                before = after
        finally:
            for left in opened:
                os.close(left)

    async def _ended(self, seconds: float) -> bool:
        """Wait until all commands have ended; return whether they did in time."""
        waits = [asyncio.ensure_future(each.ended()) for each in self._processes]
        if not waits:
            return True
        try:
            _, pending = await asyncio.wait(waits, timeout=seconds)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        return not pending

    async def _read_on(self) -> None:
        """Read to the end, unless something holds the pipes open."""
        reads = asyncio.gather(self._out.ended.wait(), self._err.ended.wait())
        try:
            async with asyncio.timeout(self._bounds.linger):
                await reads
        except TimeoutError:
            return

    async def _ask_to_end(self) -> None:
        self._signal(signal.SIGTERM)
        await self._ended(self._bounds.patience)

    def _signal(self, number: signal.Signals) -> None:
        for process in self._processes:
            process.signal_group(number)

    async def _reaped(self) -> bool:
        """Reap all commands; return whether some could not be killed."""
        try:
            await self._ended(self._bounds.patience)
        finally:
            unkillable = self._reap()
        return unkillable

    def _reap(self) -> bool:
        reaped = [process.reap() for process in self._processes]
        return not all(reaped)


def _started(stage: Stage, before: int | None, output: int, errors: int) -> Process:
    """Start one command."""
    where = {
        Stderr.KEEP: errors,
        Stderr.DROP: subprocess.DEVNULL,
        Stderr.STDOUT: subprocess.STDOUT,
    }
    try:
        # The words passed the gate, and no shell reads them.
        with limited():
            popen = subprocess.Popen(  # noqa: S603
                stage.argv,
                executable=stage.program,
                stdin=subprocess.DEVNULL if before is None else before,
                stdout=output,
                stderr=where[stage.stderr],
                cwd="/",
                env=ENVIRONMENT,
                process_group=0,
            )
    except OSError as err:
        why = f"could not be started: {err.strerror}"
        raise NotInstalledError(stage.argv[0], why) from err
    return Process(popen)


class _Reader:
    """Reads one stream as it comes, and keeps its head and tail."""

    def __init__(self, most: int) -> None:
        self._kept = Capped(most)
        self._fd = -1
        self.ended = asyncio.Event()

    @property
    def total(self) -> int:
        """Return how many bytes came."""
        return self._kept.total

    @property
    def truncated(self) -> bool:
        """Return whether not all of it was kept."""
        return self._kept.truncated

    def text(self) -> str:
        """Return what was kept."""
        return self._kept.text()

    def pipe(self) -> int:
        """Open the stream; return the end to write to, which the caller closes."""
        self._fd, write = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._fd, False)
        asyncio.get_running_loop().add_reader(self._fd, self._read)
        return write

    def close(self) -> None:
        """Take what is there and read no more."""
        while self._fd >= 0 and self.total <= self._kept.most * 4:
            if not self._read():
                break
        self._end()

    def _read(self) -> bool:
        try:
            data = os.read(self._fd, _READ)
        except BlockingIOError:
            return False
        if not data:
            self._end()
            return False
        self._kept.add(data)
        return True

    def _end(self) -> None:
        if self._fd >= 0:
            asyncio.get_running_loop().remove_reader(self._fd)
            os.close(self._fd)
            self._fd = -1
        self.ended.set()
