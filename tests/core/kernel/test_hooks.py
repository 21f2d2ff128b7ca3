"""What hooks see, and what is logged of those in trouble (page 1 §1.1)."""

import asyncio
import logging
from typing import Any

import pytest

from custom_components.homeagent.kernel.contract import ToolCall, ToolResult
from custom_components.homeagent.kernel.hooks import (
    HOOK_LIMIT,
    HookContext,
    Replacement,
)

from ..virtual_time import run_virtual
from .fakes import Home

CALL = ToolCall(tool="t", arguments={"n": 1}, id="c")


def test_each_hook_sees_what_the_one_before_left() -> None:
    """The whole result, and whatever was put in the place of its value."""
    home = Home()
    home.tool("t")
    seen: list[tuple[str, object]] = []

    async def first(context: HookContext, result: ToolResult) -> Replacement:
        seen.append((result.call_id, result.value))
        return Replacement(value=[2])

    async def second(context: HookContext, result: ToolResult) -> None:
        seen.append((result.call_id, result.value))

    home.hooks.add_after(first)
    home.hooks.add_after(second)
    assert run_virtual(home.run(CALL)).results[0].value == [2]
    assert seen == [("c", {"n": 1}), ("c", [2])]


async def _late(*given: object) -> None:
    await asyncio.sleep(100)


async def _bug(*given: object) -> None:
    raise KeyError("boom")


async def _wrong(*given: object) -> str:
    return "yes"


@pytest.mark.parametrize("half", ["before", "after"])
@pytest.mark.parametrize(
    ("hook", "level", "message"),
    [
        (_late, logging.WARNING, "A hook {} t did not end in time"),
        (_bug, logging.ERROR, "A hook {} t failed"),
        (_wrong, logging.ERROR, "A hook {} t answered str, not {}"),
    ],
)
def test_trouble_is_logged(
    caplog: pytest.LogCaptureFixture,
    half: str,
    hook: Any,
    level: int,
    message: str,
) -> None:
    """Which half, which tool and what was wrong; a bug with its traceback."""
    home = Home()
    home.tool("t")
    add = home.hooks.add_before if half == "before" else home.hooks.add_after
    add(hook)
    run_virtual(home.run(CALL))
    (record,) = [one for one in caplog.records if one.name != "asyncio"]
    expected = "Refusal" if half == "before" else "Replacement"
    assert record.getMessage() == message.format(half, expected)
    assert record.levelno == level
    assert ("boom" in caplog.text) is (hook is _bug)


def test_hook_that_ignores_its_cancellation_is_left_alone() -> None:
    """The call goes on after the limit, and as long again for it to end."""
    home = Home()
    home.tool("t")

    async def stubborn(context: HookContext, result: ToolResult) -> None:
        try:
            await asyncio.sleep(100)
        finally:
            await asyncio.sleep(100)

    home.hooks.add_after(stubborn)
    result = run_virtual(home.run(CALL)).results[0]
    assert result.success
    assert result.duration == pytest.approx(2 * HOOK_LIMIT)


def test_cancellation_behind_the_call_keeps_its_result() -> None:
    """What was done is told; the hooks that did not begin do not run any more."""

    async def scenario() -> None:
        home = Home()
        home.tool("t")
        seen: list[str] = []

        async def second(context: HookContext, result: ToolResult) -> None:
            seen.append("second")

        home.hooks.add_after(_late)
        home.hooks.add_after(second)
        batch = home.batch(CALL)
        task = asyncio.create_task(batch.run())
        await asyncio.sleep(HOOK_LIMIT / 2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [(one.success, one.value) for one in batch.results] == [(True, {"n": 1})]
        assert seen == []

    run_virtual(scenario())
