"""The executor, with real processes."""

from __future__ import annotations

import asyncio
import gc
import os
from pathlib import Path
import signal
import tracemalloc

from conftest import plan_of
from programs import plan, python
import psutil
import pytest

from homeagent_waiter.executor import Bounds, NotInstalledError, execute
from homeagent_waiter.gate import Plan, Stage, Stderr

QUICK = Bounds(timeout=0.5, output=1024, patience=0.3, linger=0.2)
SLEEPS = "import time; time.sleep(600)"


def running(mark: str) -> list[int]:
    """Return the processes whose words hold a text, zombies too."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if mark in " ".join(process.info["cmdline"] or [])
    ]


async def gone(mark: str) -> None:
    """Wait until no process has that text in its words."""
    async with asyncio.timeout(10):
        while running(mark):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def zombies() -> list[int]:
    """Return our dead children that nobody asked for."""
    children = psutil.Process().children(recursive=True)
    return [child.pid for child in children if child.status() == psutil.STATUS_ZOMBIE]


async def test_output_and_code_come_back() -> None:
    """What a command prints on both streams, and its exit code."""
    script = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    outcome = await execute(plan(script))
    assert (outcome.stdout, outcome.stderr) == ("out\n", "err\n")
    assert (outcome.exit_code, outcome.exit_codes) == (3, (3,))
    assert (outcome.stdout_bytes, outcome.stderr_bytes) == (4, 4)
    assert not outcome.timed_out
    assert not outcome.truncated


async def test_pipeline_passes_on_and_has_a_code_each() -> None:
    """Each command reads what the one before it wrote."""
    outcome = await execute(
        plan(
            "print('b\\na'); exit(1)",
            "print(*sorted(open(0)), sep='', end='')",
            "open(0).read(); exit(7)",  # who writes to nobody would fail
        )
    )
    assert outcome.exit_codes == (1, 0, 7)
    assert (
        await execute(plan_of("echo hello world | tr a-z A-Z"))
    ).stdout == "HELLO WORLD\n"


async def test_endless_writer_ends_with_its_reader() -> None:
    """``yes | head -1`` ends at once."""
    yes = Stage(argv=("yes",), program="/usr/bin/yes")
    head = Stage(argv=("head", "-1"), program="/usr/bin/head")
    outcome = await execute(plan(yes, head))
    assert (outcome.stdout, outcome.timed_out) == ("y\n", False)
    assert outcome.exit_codes == (-signal.SIGPIPE, 0)


async def test_endless_output_is_capped_and_ends() -> None:
    """Head and tail are kept, and the time limit holds."""
    script = "i = 0\nwhile True:\n    print(i)\n    i += 1"
    outcome = await execute(plan(script), QUICK)
    assert outcome.timed_out
    assert outcome.truncated
    assert outcome.stdout.startswith("0\n1\n2\n")
    assert "bytes left out" in outcome.stdout
    assert len(outcome.stdout) < 2 * QUICK.output


@pytest.mark.parametrize(
    "script",
    [SLEEPS, "import signal; signal.signal(15, signal.SIG_IGN); " + SLEEPS,
     "import os; os.fork(); " + SLEEPS,
     "import os, signal; signal.signal(15, signal.SIG_IGN); os.fork(); " + SLEEPS],
    ids=["plain", "ignores TERM", "grandchild", "grandchild ignores TERM"],
)  # fmt: skip
async def test_time_limit_kills_the_group(script: str, tmp_path: Path) -> None:
    """Whatever the command does about it, nothing of it is left."""
    mark = str(tmp_path)
    outcome = await execute(plan(f"{script} # {mark}"), QUICK)
    assert outcome.timed_out
    assert not outcome.unkillable
    assert outcome.exit_code in (-signal.SIGTERM, -signal.SIGKILL)
    await gone(mark)
    assert zombies() == []


async def test_grandchild_that_holds_the_pipe_does_not_hold_us(tmp_path: Path) -> None:
    """When the command has ended, what it left behind is killed."""
    mark = str(tmp_path)
    script = f"import os\nif os.fork() == 0:\n    {SLEEPS} # {mark}\nprint('done')"
    outcome = await execute(plan(script), Bounds(linger=0.2))
    assert (outcome.stdout, outcome.exit_code) == ("done\n", 0)
    assert not outcome.timed_out
    await gone(mark)


async def test_what_leaves_its_group_does_not_hold_us(tmp_path: Path) -> None:
    """A process that hides in a session of its own keeps the pipe; we go on."""
    keep = tmp_path / "pid"
    script = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        f"    open({str(keep)!r}, 'w').write(str(os.getpid()))\n"
        "    time.sleep(600)\n"
        f"while not os.path.exists({str(keep)!r}): time.sleep(0.01)\n"
        "print('done')"
    )
    try:
        outcome = await execute(plan(script), Bounds(linger=0.2))
        assert (outcome.stdout, outcome.exit_code) == ("done\n", 0)
    finally:
        os.kill(int(keep.read_text()), signal.SIGKILL)


async def test_cancelling_kills(tmp_path: Path) -> None:
    """A cancelled run leaves no process."""
    mark = str(tmp_path)
    task = asyncio.create_task(execute(plan(f"{SLEEPS} # {mark}")))
    async with asyncio.timeout(10):
        while not running(mark):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert running(mark) == []
    assert zombies() == []


async def test_bad_bytes_and_controls_are_marked() -> None:
    """Text is text: nothing moves the cursor, nothing turns the line around."""
    script = r"import os; os.write(1, b'a\xff\x1b[31m\xe2\x80\xaeb\r\n\0\xe9\x94\x99')"
    outcome = await execute(plan(script))
    assert outcome.stdout == "a\\xff\\x1b[31m\\u202eb\n\\x00错"


async def test_standard_input_is_closed_and_nothing_else_is_open() -> None:
    """A command finds no input, no shell, and only what it needs."""
    script = "import os; print(repr(open(0).read()), sorted(os.listdir('/proc/self/fd'))[:3])"
    assert (await execute(plan(script))).stdout == "'' ['0', '1', '2']\n"
    number = "import os; print(len(os.listdir('/proc/self/fd')))"
    assert (await execute(plan(number))).stdout == "4\n"


async def test_environment_is_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of ours reaches a command."""
    monkeypatch.setenv("TOKEN", "SECRET")
    script = (
        "import os; print(sorted(os.environ), os.getcwd(), os.getpgrp() == os.getpid())"
    )
    out = (await execute(plan(script))).stdout
    assert "TOKEN" not in out
    assert out.endswith("/ True\n")


@pytest.mark.parametrize(
    ("where", "streams"),
    [
        (Stderr.KEEP, ("", "err\n")),
        (Stderr.DROP, ("", "")),
        (Stderr.STDOUT, ("err\n", "")),
    ],
)
async def test_errors_go_where_the_line_says(
    where: Stderr, streams: tuple[str, str]
) -> None:
    """Kept, dropped, or with the output."""
    stage = python("import sys; print('err', file=sys.stderr)", where)
    outcome = await execute(plan(stage))
    assert (outcome.stdout, outcome.stderr) == streams


async def test_notes_of_a_plan_are_told() -> None:
    """What was left out stands on standard error."""
    made = Plan(line="x", stages=(python("pass"),), notes=("left out 1",))
    assert (await execute(made)).stderr == "waiter: left out 1\n"


@pytest.mark.parametrize("program", [None, "/nonexistent", "/etc/passwd"])
async def test_missing_program_is_told(program: str | None) -> None:
    """Before anything ran, or with nothing left of what did."""
    stage = Stage(argv=("gone",), program=program)
    with pytest.raises(NotInstalledError, match="gone"):
        await execute(plan(SLEEPS, stage) if program else plan(stage))
    assert zombies() == []


@pytest.mark.parametrize(
    "thing", ["ls", ["ls"], None, Stage(argv=("ls",), program="/bin/ls")]
)
async def test_only_a_plan_runs(thing: object) -> None:
    """The executor takes nothing else."""
    with pytest.raises(TypeError):
        await execute(thing)  # type: ignore[arg-type]


async def test_many_at_once() -> None:
    """Runs do not mix."""
    scripts = [f"print({number})" for number in range(20)]
    outcomes = await asyncio.gather(*(execute(plan(script)) for script in scripts))
    assert [outcome.stdout for outcome in outcomes] == [f"{n}\n" for n in range(20)]


def descriptors() -> int:
    """Return how many files are open here."""
    return len(list(Path("/proc/self/fd").iterdir()))


async def run_many(count: int) -> None:
    """Run a short pipeline many times."""
    made = plan_of("echo hello | cat | wc -c")
    for _ in range(count):
        outcome = await execute(made)
        assert outcome.stdout == "6\n"


async def leaks_nothing(count: int) -> None:
    """Compare what is open, dead and allocated before and after many runs."""
    await run_many(20)
    gc.collect()
    opened = descriptors()
    tracemalloc.start()
    try:
        await run_many(count)
        gc.collect()
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert descriptors() == opened
    assert zombies() == []
    assert grown < 100_000


async def test_nothing_leaks() -> None:
    """No descriptor, no zombie, no memory."""
    await leaks_nothing(100)


@pytest.mark.long
@pytest.mark.timeout(1800)
async def test_nothing_leaks_in_ten_thousand() -> None:
    """Nor after 10,000 commands."""
    await leaks_nothing(3_400)
