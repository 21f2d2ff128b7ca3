"""Calls of an agent that starts each as its own task (page 1 §1.4)."""

import asyncio
from collections.abc import Sequence
from typing import override

import pytest

from custom_components.homeagent.kernel.batch import Batch
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Decision,
    Tool,
    ToolCall,
    ToolResult,
)
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.kernel.one_by_one import OneByOne

from ..virtual_time import run_virtual
from .fakes import ANYONE, FakePolicy, Home

LAMP = frozenset({"entity:lamp"})


def opened(home: Home, limit: float | None = None) -> OneByOne:
    """Return a gate before the home's door."""

    def open_batch(caller: Caller, calls: Sequence[ToolCall]) -> Batch:
        return home.batch(*calls, caller=caller)

    return OneByOne(door=home.door, open_batch=open_batch, limit=limit)


async def all_at_once(gate: OneByOne, *tools: str) -> list[ToolResult]:
    """Start one task per call, as an agent does."""
    calls = [ToolCall(tool=tool, id=str(index)) for index, tool in enumerate(tools)]
    return await asyncio.gather(*(gate.call(ANYONE, call) for call in calls))


def reasons(results: list[ToolResult]) -> list[Reason | None]:
    """Return why each failed."""
    return [None if one.error is None else one.error.reason for one in results]


def test_unsafe_call_runs_alone_and_order_is_kept() -> None:
    """Safe ones overlap, then the unsafe one, then the rest."""
    home = Home()
    home.tool("safe", seconds=1)
    home.tool("unsafe", seconds=1, parallel_safe=False)
    run_virtual(all_at_once(opened(home), "safe", "safe", "unsafe", "safe"))
    assert home.log[:2] == ["start safe 0", "start safe 1"]
    assert set(home.log[2:4]) == {"end safe 0", "end safe 1"}
    assert home.log[4:] == [
        "start unsafe 2",
        "end unsafe 2",
        "start safe 3",
        "end safe 3",
    ]


@pytest.mark.parametrize(("seconds", "second"), [(20, None), (40, Reason.BUSY)])
def test_waiting_has_an_end(seconds: float, second: Reason | None) -> None:
    """Over thirty seconds in line is busy, and the call does not run."""
    home = Home()
    home.tool("lamp", seconds=seconds, keys=lambda arguments: LAMP)
    results = run_virtual(all_at_once(opened(home), "lamp", "lamp"))
    assert reasons(results) == [None, second]
    assert ("start lamp 1" in home.log) is (second is None)
    # The call that did not get its turn is written down like the one that ran.
    noted = [record.result.error for record in home.records]
    assert sorted(noted, key=bool) == sorted((one.error for one in results), key=bool)
    assert all(record.caller is ANYONE for record in home.records)
    assert second is None or {record.why for record in home.records} == {
        "one call",
        "earlier calls have not ended in time",
    }


def test_policy_is_asked_about_the_caller() -> None:
    """Before the call has its turn, too."""
    callers: list[Caller] = []

    class Spy(FakePolicy):
        @override
        def can_use(
            self, caller: Caller, tool: Tool, arguments: Arguments | None
        ) -> Decision:
            callers.append(caller)
            return super().can_use(caller, tool, arguments)

    home = Home(policy=Spy())
    home.tool("t")
    assert reasons(run_virtual(all_at_once(opened(home), "t"))) == [None]
    assert set(callers) == {ANYONE}


@pytest.mark.parametrize(
    ("limit", "granted", "seconds"),
    [
        (50, None, 30),
        (50, 5.0, 5),
        (50, 100.0, 30),
        (20.5, None, 0.5),
        (None, 5.0, 5),
        (None, None, 60),
    ],
)
def test_waiting_and_call_share_a_limit(
    limit: float | None, granted: float | None, seconds: float
) -> None:
    """What is left after twenty seconds of waiting, or what the caller grants."""
    home = Home()
    home.tool("first", seconds=20, keys=lambda arguments: LAMP)
    home.tool("second", seconds=100, keys=lambda arguments: LAMP)

    async def scenario() -> list[ToolResult]:
        await asyncio.sleep(7)
        gate = opened(home, limit)
        calls = [ToolCall(tool="first"), ToolCall(tool="second", timeout=granted)]
        return await asyncio.gather(*(gate.call(ANYONE, call) for call in calls))

    results = run_virtual(scenario())
    assert reasons(results) == [None, Reason.TIMEOUT]
    assert results[1].duration == pytest.approx(seconds)


def test_limit_ends_the_wait_in_line() -> None:
    """With ten seconds in all, nobody stands in line for twenty."""
    home = Home()
    home.tool("first", seconds=20, keys=lambda arguments: LAMP)
    home.tool("second", keys=lambda arguments: LAMP)
    results = run_virtual(all_at_once(opened(home, 10), "first", "second"))
    assert reasons(results) == [Reason.TIMEOUT, Reason.BUSY]


@pytest.mark.parametrize("end", ["raise", "timeout", "cancel", "unknown"])
def test_gate_is_released_on_every_end(end: str) -> None:
    """However a call ends, the next one gets its turn."""
    home = Home()

    async def bug(invocation: object) -> None:
        raise KeyError

    home.tool("raise", work=bug, parallel_safe=False)
    home.tool("timeout", seconds=100, timeout=1.0, parallel_safe=False)
    home.tool("cancel", seconds=10, parallel_safe=False)
    home.tool("next", parallel_safe=False)

    async def scenario() -> ToolResult:
        gate = opened(home)
        first = asyncio.create_task(gate.call(ANYONE, ToolCall(tool=end)))
        await asyncio.sleep(0.5)
        if end == "cancel":
            first.cancel()
        await asyncio.wait({first})
        return await gate.call(ANYONE, ToolCall(tool="next"))

    assert run_virtual(scenario()).success
