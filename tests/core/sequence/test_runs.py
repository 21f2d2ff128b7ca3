"""The table of runs: by id, bounded, cancelled with what they started."""

import asyncio
from dataclasses import replace

import pytest

from custom_components.homeagent.sequence.report import RunReport, Status
from custom_components.homeagent.sequence.runs import MAX_RUNS, Run, RunTable

from ..virtual_time import run_virtual
from .engine_home import ANYONE


def run_named(run_id: str, sequence: str = "s", parent: Run | None = None) -> Run:
    """Return a run that has not begun."""
    return Run(id=run_id, sequence=sequence, caller=ANYONE, started=0.0, parent=parent)


def ended(run: Run, status: Status = Status.OK) -> RunReport:
    """Return a report for a run."""
    return RunReport(run_id=run.id, sequence=run.sequence, status=status)


async def test_only_the_last_finished_runs_are_kept() -> None:
    """Memory stays bounded; running ones are never forgotten."""
    table = RunTable(keep=3)
    going_on = run_named("on", "t")
    assert table.begin(going_on)
    for number in range(5):
        run = run_named(f"r{number}")
        assert table.begin(run)
        table.end(run, ended(run))
    known = [each for each in ("on", *(f"r{n}" for n in range(5))) if table.get(each)]
    assert known == ["on", "r2", "r3", "r4"]
    assert list(table) == [going_on]


async def test_a_run_that_is_not_kept_sheds_what_it_gave() -> None:
    """Whoever still holds on to it, as a script's memory of its caller, holds little."""
    table = RunTable(keep=1)
    runs = [run_named(f"r{number}") for number in range(2)]
    for run in runs:
        table.begin(run)
        table.end(run, replace(ended(run), out={"g": {"slot": "much"}}))
    shed, kept = [run.report for run in runs]
    assert shed == ended(runs[0])
    assert kept is not None
    assert kept.out == {"g": {"slot": "much"}}
    assert await runs[0].wait() == shed
    assert not runs[0].cancel()


@pytest.mark.parametrize("same", ["S", "s"])
async def test_a_place_is_free_again_after_the_end(same: str) -> None:
    """Names that differ in case only are one sequence."""
    table = RunTable()
    runs = [run_named(f"r{number}") for number in range(MAX_RUNS)]
    assert all(table.begin(run) for run in runs)
    assert not table.begin(run_named("more", same))
    assert table.begin(run_named("other", "o"))
    table.end(runs[0], ended(runs[0]))
    assert table.begin(run_named("again", same))


def test_cancel_reaches_runs_started_out_of_it() -> None:
    """What came back through Home Assistant is a part of the same run."""
    table = RunTable()
    order: list[str] = []

    async def work(run: Run) -> None:
        table.begin(run)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            order.append(run.id)
            table.end(run, ended(run, Status.CANCELLED))
            raise

    async def scene() -> None:
        outer = run_named("outer")
        inner = run_named("inner", parent=outer)
        tasks = [asyncio.create_task(work(run)) for run in (outer, inner)]
        await asyncio.sleep(1)
        assert outer.cancel()
        await asyncio.wait(tasks)
        assert (await inner.wait()).status == "cancelled"
        assert outer.children == []

    run_virtual(scene())
    assert sorted(order) == ["inner", "outer"]


async def test_finished_is_told_once_of_each() -> None:
    """Also of a run that did not even begin."""
    told: list[str] = []
    table = RunTable(finished=lambda run: told.append(run.id))
    run, refused = run_named("r"), run_named("busy")
    table.begin(run)
    table.end(run, ended(run))
    table.record(refused, ended(refused, Status.FAILED))
    assert told == ["r", "busy"]
    assert table.get("busy") is refused
