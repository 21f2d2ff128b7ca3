"""Calls that need no waiting are over at once; and the records that calls are made of."""

import asyncio
from dataclasses import FrozenInstanceError, replace

import pytest

from custom_components.homeagent.kernel.contract import (
    Caller,
    Entrance,
    ToolCall,
    ToolOutput,
    ToolResult,
)
from custom_components.homeagent.kernel.errors import Reason

from ..virtual_time import run_virtual
from .fakes import ANYONE, Home


async def begin(home: Home, tool: str) -> ToolResult | asyncio.Task[ToolResult]:
    prepared = home.door.prepare(ANYONE, ToolCall(tool=tool))
    return home.door.dispatch(ANYONE, prepared, "id")


def test_only_a_call_that_waits_is_a_task() -> None:
    """An instant call leaves its result, a slow one a task that will have it."""
    home = Home()
    home.tool("instant")
    home.tool("slow", seconds=5)

    async def dispatch() -> tuple[object, object]:
        now, later = await begin(home, "instant"), await begin(home, "slow")
        assert isinstance(later, asyncio.Task)
        assert not later.done()
        return now, await later

    now, later = run_virtual(dispatch())
    assert isinstance(now, ToolResult)
    assert isinstance(later, ToolResult)
    assert (now.success, now.duration) == (True, 0.0)
    assert (later.success, later.duration) == (True, 5.0)


def test_an_output_that_is_none_harms_its_own_call_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What breaks while a result is made breaks one call of the batch."""
    home = Home()

    async def work(invocation: object) -> object:
        return ToolOutput(warnings=5)  # type: ignore[arg-type]

    home.tool("broken", work=work)
    home.tool("good")
    broken, good = run_virtual(home.run("broken", "good")).results
    assert good.success
    assert broken.error is not None
    assert broken.error.reason is Reason.INTERNAL
    assert "the tool hit a bug" in broken.error.detail
    assert "Tool broken raised" in caplog.text


def test_records_are_slotted_keyword_only_and_compared_by_value() -> None:
    call = ToolCall(tool="t", arguments={}, id="1")
    assert call == ToolCall(tool="t", arguments={}, id="1")
    assert replace(call, id="2") != call
    with pytest.raises(TypeError):
        ToolCall("t")  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        call.unheard_of = 1  # type: ignore[attr-defined]


def test_what_is_shared_by_many_calls_is_frozen_for_good() -> None:
    """Nobody may become somebody else on the way."""
    caller = Caller(entrance=Entrance.UNKNOWN)
    with pytest.raises(FrozenInstanceError):
        caller.user_id = "admin"  # type: ignore[misc]
