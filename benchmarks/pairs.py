"""Two things measured in turn, and their ratio.

Above `figure` and `stopwatch`; knows nothing of Home Assistant. The two sides take turns, and in each
pair the other one begins: what else the machine does hits both alike. The ratio is the
median of the pairs' own ratios, which a few disturbed pairs do not move.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
import gc
from statistics import median

from .figure import Measured
from .stopwatch import Stopwatch

WARM_UPS = 2
"""Runs of each side before the first pair; counted, but not timed."""


@dataclass(slots=True)
class Tally:
    """Counts, inside the tools, what was executed."""

    executed: int = 0

    def count(self) -> None:
        """Count one executed call."""
        self.executed += 1


def nothing() -> None:
    """Do nothing before a run."""


def accept(answer: object) -> None:
    """Take any answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two things to compare.

    `run` is timed, and executes `calls` calls; `before` puts things in order before
    each run, and `check` raises BenchmarkError for an answer that is not right: neither
    is timed.
    """

    run: Callable[[], Awaitable[object]]
    calls: int
    before: Callable[[], None] = nothing
    check: Callable[[object], None] = accept


@dataclass(slots=True)
class _Taken:
    """The seconds of one side's runs, and their counts."""

    tally: Tally
    seconds: list[float] = field(default_factory=list)
    expected: int = 0
    executed: int = 0
    wrong: int = 0

    async def warm_up(self, side: Side) -> None:
        for _ in range(WARM_UPS):
            await self.run(side)
        # All that is there by now stays; looking through it again and again for
        # garbage would take most of the time.
        gc.collect()
        gc.freeze()

    async def run(self, side: Side) -> float:
        side.before()
        earlier = self.tally.executed
        watch = Stopwatch()
        answer = await side.run()
        seconds = watch.seconds()
        ran = self.tally.executed - earlier
        self.executed += ran
        self.expected += side.calls
        self.wrong += ran != side.calls
        side.check(answer)
        return seconds


async def measure_pairs(tally: Tally, ours: Side, base: Side, pairs: int) -> Measured:
    """Measure both sides in turn; the ratio is ours / base."""
    taken = (_Taken(tally), _Taken(tally))
    sides = (ours, base)
    for one, side in zip(taken, sides, strict=True):
        await one.warm_up(side)
    for pair in range(pairs):
        for which in (0, 1) if pair % 2 else (1, 0):
            taken[which].seconds.append(await taken[which].run(sides[which]))
    return _measured(taken[0], taken[1])


async def measure_alone(
    tally: Tally, side: Side, seconds: float, rounds: int
) -> Measured:
    """Measure one side against a fixed time; the ratio is its median / that time."""
    taken = _Taken(tally)
    await taken.warm_up(side)
    for _ in range(rounds):
        taken.seconds.append(await taken.run(side))
    middle = median(taken.seconds)
    return Measured(
        ratio=middle / seconds,
        executed=taken.executed,
        expected=taken.expected,
        wrong_runs=taken.wrong,
        more={"rounds": rounds, "ours_ms": milliseconds(middle)},
    )


def _measured(ours: _Taken, base: _Taken) -> Measured:
    return Measured(
        ratio=ratio_of(ours.seconds, base.seconds),
        executed=ours.executed + base.executed,
        expected=ours.expected + base.expected,
        wrong_runs=ours.wrong + base.wrong,
        more={
            "pairs": len(ours.seconds),
            "ours_ms": milliseconds(median(ours.seconds)),
            "base_ms": milliseconds(median(base.seconds)),
        },
    )


def ratio_of(ours: list[float], base: list[float]) -> float:
    """Return the median of the pairs' ratios."""
    return median(one / other for one, other in zip(ours, base, strict=True))


def milliseconds(seconds: float) -> float:
    """Return milliseconds for people to read."""
    return round(seconds * 1000, 3)
