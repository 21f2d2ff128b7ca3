"""The command: chooses figures, measures them one by one, prints a line for each.

Top of the benchmarks. The exit code is 1 if a figure misses its target; all are printed
all the same.
"""

import argparse
import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
import signal

from homeassistant import runner

from .figure import BenchmarkError, Figure, Line

_INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How long to measure, where somebody says so."""

    pairs: int | None = None
    minutes: float | None = None

    def of(self, figure: Figure) -> int:
        """Return what a figure takes: its pairs, or its seconds."""
        if not figure.timed:
            return self.pairs or figure.pairs
        return figure.pairs if self.minutes is None else round(60 * self.minutes)


AS_IT_IS = Size()


async def measure(figure: Figure, size: Size = AS_IT_IS) -> Line:
    """Measure one figure; what goes wrong in it is its outcome."""
    try:
        outcome = await figure.measure(size.of(figure))
    except BenchmarkError as error:
        return Line(figure=figure, outcome=error)
    return Line(figure=figure, outcome=outcome)


async def measure_all(figures: Iterable[Figure], size: Size) -> bool:
    """Measure and print; tell whether all are good."""
    good = True
    for figure in figures:
        line = await measure(figure, size)
        print(line.as_json(), flush=True)
        good = good and line.good
    return good


async def _until_signal(figures: Iterable[Figure], size: Size) -> int:
    """Measure; a signal cancels that, so that nothing is left behind."""
    task = asyncio.ensure_future(measure_all(figures, size))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, task.cancel)
    try:
        return 0 if await task else 1
    except asyncio.CancelledError:
        return _INTERRUPTED


def choose(figures: Sequence[Figure], names: Sequence[str]) -> list[Figure]:
    """Return the figures of these names, in their own order; all if there are none."""
    known = {figure.name for figure in figures}
    if unknown := [name for name in names if name not in known]:
        raise BenchmarkError(
            f"there is no figure {', '.join(unknown)}; --list tells which there are"
        )
    return [figure for figure in figures if not names or figure.name in names]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    from .catalog import FIGURES  # loads Home Assistant, which --help need not

    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this figure"
    )
    parser.add_argument("--list", action="store_true", help="tell which figures exist")
    parser.add_argument(
        "--pairs", type=int, metavar="N", help="pairs of measurements, for all figures"
    )
    parser.add_argument(
        "--minutes", type=float, metavar="M", help="minutes of the figure soak"
    )
    options = parser.parse_args(arguments)
    try:
        figures = choose(FIGURES, options.only)
    except BenchmarkError as error:
        parser.error(str(error))
    if options.list:
        print(*(figure.name for figure in figures), sep="\n")
        return 0
    size = Size(pairs=options.pairs, minutes=options.minutes)
    with asyncio.Runner(loop_factory=runner.create_event_loop) as loop:
        return loop.run(_until_signal(figures, size))
