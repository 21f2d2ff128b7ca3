"""The command: chooses figures, measures them one by one, prints a line for each.

Top of the benchmarks. The exit code is 1 if a figure misses its target; all are printed
all the same.
"""

import argparse
import asyncio
from collections.abc import Iterable, Sequence
import signal

from homeassistant import runner

from .figure import BenchmarkError, Figure, Line

_INTERRUPTED = 130


async def measure(figure: Figure, pairs: int | None) -> Line:
    """Measure one figure; what goes wrong in it is its outcome."""
    try:
        outcome = await figure.measure(pairs or figure.pairs)
    except BenchmarkError as error:
        return Line(figure=figure, outcome=error)
    return Line(figure=figure, outcome=outcome)


async def measure_all(figures: Iterable[Figure], pairs: int | None) -> bool:
    """Measure and print; tell whether all are good."""
    good = True
    for figure in figures:
        line = await measure(figure, pairs)
        print(line.as_json(), flush=True)
        good = good and line.good
    return good


async def _until_signal(figures: Iterable[Figure], pairs: int | None) -> int:
    """Measure; a signal cancels that, so that nothing is left behind."""
    task = asyncio.ensure_future(measure_all(figures, pairs))
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
    options = parser.parse_args(arguments)
    try:
        figures = choose(FIGURES, options.only)
    except BenchmarkError as error:
        parser.error(str(error))
    if options.list:
        print(*(figure.name for figure in figures), sep="\n")
        return 0
    with asyncio.Runner(loop_factory=runner.create_event_loop) as loop:
        return loop.run(_until_signal(figures, options.pairs))
