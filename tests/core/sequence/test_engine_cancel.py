"""Runs that are cancelled, and runs that are too many (page 2 §2.4)."""

import asyncio

import pytest

from custom_components.homeagent.kernel.contract import Caller
from custom_components.homeagent.sequence.report import RunReport
from custom_components.homeagent.sequence.runs import MAX_RUNS

from ..virtual_time import run_virtual
from .engine_home import ANYONE, Home, Json, call, fails, group, serial, shape


async def cancelled_by_id(home: Home, *groups: Json) -> RunReport:
    """Start a run, and cancel it by its id while its first tools run."""
    work = home.engine.run(home.add("s", *groups), {}, ANYONE, run_id="r")
    task = asyncio.create_task(work)
    await asyncio.sleep(0.05)
    run = home.engine.runs.get("r")
    assert run is not None
    assert run.cancel()
    report = await task
    assert not run.cancel()
    assert await run.wait() is report
    return report


def test_cancel_by_id_gives_a_full_report() -> None:
    """Done stays done, running is cancelled, the rest is named as not run."""
    home = Home()
    home.tool("t.a", {"value": 1})
    home.slow("t.slow")
    report = run_virtual(
        cancelled_by_id(
            home,
            group({"tool": "t.a", "as": "x"}, "t.slow", out={"x": "any"}),
            group("t.a", name="g2"),
        )
    )
    assert report.status == "cancelled"
    assert not report.success
    assert shape(report) == [
        ("cancelled", ["ok", "cancelled"]),
        ("not_run", ["not_run"]),
    ]
    assert report.out == {"g1": {"x": 1}}


def test_cancel_reaches_nested_calls() -> None:
    """A callee's report shows what it had done, and that it was cancelled."""
    home = Home()
    home.tool("t.a", {"value": 1})
    home.slow("t.slow")
    home.add("inner", group("t.a"), group("t.slow", name="g2"), group("t.a", name="g3"))
    report = run_virtual(cancelled_by_id(home, serial(call("#inner"), "t.a")))
    assert shape(report) == [("cancelled", ["cancelled", "not_run"])]
    nested = report.groups[0].tools[0].run
    assert nested is not None
    assert nested.status == "cancelled"
    assert [each.status for each in nested.groups] == ["ok", "cancelled", "not_run"]


def test_what_failed_before_the_cancellation_stays_failed() -> None:
    """Only what the cancellation ended is cancelled."""
    home = Home()
    home.tool("t.bad", fails())
    home.slow("t.slow")
    report = run_virtual(cancelled_by_id(home, group("t.bad", "t.slow")))
    assert shape(report) == [("cancelled", ["failed", "cancelled"])]


def test_cancel_reaches_what_came_back_through_home_assistant() -> None:
    """A run that a tool of the run started is a part of it."""
    home = Home()
    home.slow("t.slow")
    inner = home.add("inner", group("t.slow"))

    async def script(caller: Caller) -> None:
        # Like a script of Home Assistant: nobody cancels it, it goes on by itself.
        await asyncio.shield(home.engine.run(inner, {}, caller))

    home.tool("t.script").inner = script

    async def scene() -> None:
        await cancelled_by_id(home, group("t.script"))
        await asyncio.sleep(0.01)
        assert {run.sequence for run in home.finished} == {"s", "inner"}
        assert {run.report and run.report.status for run in home.finished} == {
            "cancelled"
        }

    run_virtual(scene())


def test_a_bug_ends_the_run_too() -> None:
    """It goes up to the door; the run is not left in the table."""
    home = Home()
    home.tool("t.a")

    def broken(name: str, arguments: object) -> bool:
        raise ZeroDivisionError

    home.policy.refused_with = broken
    with pytest.raises(ZeroDivisionError):
        home.run(group("t.a"))
    assert not list(home.engine.runs)
    assert [run.report is not None for run in home.finished] == [True]


def test_cancel_while_waiting_for_the_next_attempt() -> None:
    """The pause between attempts is cancelled, too."""
    home = Home()
    home.tool("t.a", fails())
    report = run_virtual(
        cancelled_by_id(home, group("t.a", on_error="retry", retries=2))
    )
    assert shape(report) == [("cancelled", ["failed"])]
    assert home.calls("t.a") == 1


def test_cancelled_task_records_the_report_and_stays_cancelled() -> None:
    """The cancellation of somebody else goes on."""
    home = Home()
    home.slow("t.slow")

    async def scene() -> None:
        task = asyncio.create_task(home.started(group("t.slow")))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run_virtual(scene())
    [run] = home.finished
    assert run.report is not None
    assert shape(run.report) == [("cancelled", ["cancelled"])]
    assert home.engine.runs.get(run.id) is run
    assert not list(home.engine.runs)


def test_cancelled_by_both_stays_cancelled() -> None:
    """Nobody's cancellation is swallowed by our own."""
    home = Home()
    home.slow("t.slow")

    async def scene() -> None:
        task = asyncio.create_task(home.started(group("t.slow")))
        await asyncio.sleep(0.05)
        [run] = home.engine.runs
        run.cancel()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run_virtual(scene())
    assert [run.report and run.report.status for run in home.finished] == ["cancelled"]


def test_task_goes_on_after_a_cancelled_run() -> None:
    """Who waited for a run that was cancelled by id can still wait for others."""
    home = Home()
    home.slow("t.slow")

    async def scene() -> list[str]:
        asyncio.get_running_loop().call_later(
            0.05, lambda: [run.cancel() for run in home.engine.runs]
        )
        first = await home.started(group("t.slow"))
        await asyncio.sleep(1)
        second = await home.started(group("t.slow"))
        return [first.status, second.status]

    assert run_virtual(scene()) == ["cancelled", "ok"]


def test_a_tool_that_cancels_its_own_run() -> None:
    """Even a cancellation from inside, before the first wait, leaves a report."""
    home = Home()
    tool = home.tool("t.a")
    home.tool("t.b")

    def cancel() -> None:
        for run in home.engine.runs:
            run.cancel()

    tool.hook = cancel
    statuses = []

    async def scene() -> None:
        statuses.append((await home.started(group("t.a"))).status)
        await asyncio.sleep(1)

    run_virtual(scene())
    assert statuses == ["ok"]  # there was no wait in which it could have been stopped


def test_at_most_ten_runs_of_one_sequence() -> None:
    """The eleventh is told so; another sequence is not."""
    home = Home()
    home.slow("t.slow")
    one, other = home.add("S", group("t.slow")), home.add("o", group("t.slow"))

    async def scene() -> list[RunReport]:
        runs = [home.engine.run(one, {}, ANYONE) for _ in range(MAX_RUNS + 1)]
        first = await asyncio.gather(*runs, home.engine.run(other, {}, ANYONE))
        return [*first, await home.engine.run(one, {}, ANYONE)]

    reports = run_virtual(scene())
    assert [report.status for report in reports] == ["ok"] * 10 + ["failed", "ok", "ok"]
    [busy] = reports[MAX_RUNS].errors
    assert busy.error.reason == "busy"
    assert shape(reports[MAX_RUNS]) == [("not_run", ["not_run"])]
    assert len(home.finished) == len(reports)
