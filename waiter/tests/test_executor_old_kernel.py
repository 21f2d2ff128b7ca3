"""The executor on kernels older than 5.3, which some NAS systems have."""

from __future__ import annotations

import os

from programs import plan
import pytest

from homeagent_waiter.executor import Bounds, execute


@pytest.fixture(autouse=True)
def old_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that cannot tell by a file that a process ended."""

    def missing(pid: int, flags: int = 0) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", missing)


async def test_commands_end_all_the_same() -> None:
    """By looking again and again."""
    outcome = await execute(plan("print('a')", "print(open(0).read(), end='')"))
    assert (outcome.stdout, outcome.exit_codes) == ("a\n", (0, 0))


async def test_time_limit_holds() -> None:
    """And what hangs is killed."""
    outcome = await execute(
        plan("import time; time.sleep(600)"), Bounds(timeout=0.2, patience=0.2)
    )
    assert (outcome.timed_out, outcome.exit_code) == (True, -15)
