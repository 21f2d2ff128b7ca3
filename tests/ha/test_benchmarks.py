"""The benchmarks: what they print, and that nothing which did not run is fast.

How fast anything is, is never a test.
"""

from collections.abc import Awaitable, Callable
import json
import os
from pathlib import Path
import subprocess
import sys

import pytest

from benchmarks.command import choose, measure
from benchmarks.figure import BenchmarkError, Figure, Line, Measured
from benchmarks.pairs import Side, Tally, measure_alone, measure_pairs, ratio_of
from benchmarks.stopwatch import put_aside

ROOT = Path(__file__).resolve().parents[2]


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def figure(outcome: Measured | BenchmarkError, target: float = 1.0) -> Figure:
    async def measured(pairs: int) -> Measured:
        if isinstance(outcome, BenchmarkError):
            raise outcome
        return outcome

    return Figure(name="f", target=target, measure=measured)


def counting(tally: Tally, calls: int) -> Callable[[], Awaitable[object]]:
    async def run() -> object:
        for _ in range(calls):
            tally.count()
        return None

    return run


def test_a_figure_is_one_line_of_json() -> None:
    """Both sides run in one process, and the calls inside the tools are counted."""
    done = bench("--only", "call_tools_8", "--pairs", "2")
    (printed,) = done.stdout.splitlines()
    line = json.loads(printed)
    assert list(line) == ["name", "ratio", "target", "detail"], done.stderr
    assert (line["name"], line["target"]) == ("call_tools_8", 0.5)
    # Two warm-ups and two pairs, of two sides of eight calls.
    assert line["detail"]["executed"] == line["detail"]["expected"] == 4 * 2 * 8
    assert done.returncode == (0 if line["ratio"] <= line["target"] else 1)


def test_an_unknown_figure_is_an_error() -> None:
    done = bench("--only", "call_tools_9")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no figure call_tools_9" in done.stderr


@pytest.mark.parametrize(
    ("outcome", "good"),
    [
        (Measured(ratio=1.0, executed=8, expected=8), True),
        (Measured(ratio=1.01, executed=8, expected=8), False),
        (Measured(ratio=0.1, executed=7, expected=8), False),
        (Measured(ratio=0.1, executed=9, expected=8), False),
        (Measured(ratio=0.1, executed=8, expected=8, wrong_runs=2), False),
        (BenchmarkError("nothing ran"), False),
    ],
)
async def test_good_is_fast_enough_and_complete(
    outcome: Measured | BenchmarkError, good: bool
) -> None:
    line = await measure(figure(outcome))
    assert line.good is good


def test_what_could_not_be_measured_is_printed() -> None:
    line = Line(figure=figure(BenchmarkError("")), outcome=BenchmarkError("no light"))
    assert json.loads(line.as_json()) == {
        "name": "f",
        "ratio": None,
        "target": 1.0,
        "detail": {"error": "no light"},
    }


@pytest.mark.parametrize(("ran", "wrong"), [(3, 0), (2, 8), (4, 8), (0, 8)])
async def test_calls_are_counted_run_by_run(ran: int, wrong: int) -> None:
    """Six pairs and two warm-ups of a side that should execute three calls."""
    tally = Tally()
    ours = Side(run=counting(tally, ran), calls=3)
    base = Side(run=counting(tally, 3), calls=3)
    measured = await measure_pairs(tally, ours, base, 6)
    assert measured.wrong_runs == wrong
    assert measured.expected == 8 * 6
    assert measured.executed == 8 * (3 + ran)
    assert measured.complete is (wrong == 0)
    alone = await measure_alone(tally, ours, 1.0, 6)
    assert alone.wrong_runs == wrong


async def test_a_wrong_answer_is_no_figure() -> None:
    def refuse(answer: object) -> None:
        raise BenchmarkError("wrong")

    tally = Tally()
    side = Side(run=counting(tally, 1), calls=1, check=refuse)
    with pytest.raises(BenchmarkError):
        await measure_pairs(tally, side, side, 1)


def test_ratio_is_the_median_of_the_pairs() -> None:
    """A disturbance that hits both of a pair, or one pair, does not show."""
    assert ratio_of([1, 10, 1], [2, 20, 2]) == 0.5
    assert ratio_of([1, 1, 90], [2, 2, 2]) == 0.5


def test_only_names_figures_in_their_own_order() -> None:
    figures = [Figure(name=name, target=1, measure=counted) for name in "abc"]
    assert [each.name for each in choose(figures, ["c", "a"])] == ["a", "c"]
    assert choose(figures, []) == figures


async def counted(pairs: int) -> Measured:
    return Measured(ratio=1.0, executed=pairs, expected=pairs)


def test_time_put_aside_never_goes_back() -> None:
    earlier = put_aside()
    assert 0.0 <= earlier <= put_aside()
