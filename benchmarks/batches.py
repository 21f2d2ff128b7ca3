"""Figures of the batch rule: calls at the same time, and calls in order (§6.2)."""

from functools import partial

from .actions import PAUSE, PAUSE_IN_ORDER, register_actions
from .figure import Figure, Measured
from .home import Home, open_home
from .ours import batch_run, call, check_batch
from .pairs import Side, measure_pairs

_SERIAL_TARGETS = {2: 0.55, 4: 0.29, 8: 0.16}


async def _overlap(pairs: int) -> Measured:
    async with open_home() as home:
        await register_actions(home)
        many = _side(home, PAUSE, 8, parallel=True)
        one = _side(home, PAUSE, 1, parallel=False)
        return await measure_pairs(home.tally, many, one, pairs)


async def _concurrent(how_many: int, pairs: int) -> Measured:
    async with open_home() as home:
        await register_actions(home)
        at_once = _side(home, PAUSE, how_many, parallel=True)
        in_order = _side(home, PAUSE_IN_ORDER, how_many, parallel=False)
        return await measure_pairs(home.tally, at_once, in_order, pairs)


def _side(home: Home, tool: str, how_many: int, *, parallel: bool) -> Side:
    calls = [call(tool, {"number": number}) for number in range(how_many)]
    return Side(
        run=batch_run(home, calls),
        calls=how_many,
        check=check_batch(parallel=parallel),
    )


FIGURES = (
    Figure(name="batch_overlap", target=1.15, measure=_overlap, pairs=20),
    *(
        Figure(
            name=f"concurrent_vs_serial_{how_many}",
            target=target,
            measure=partial(_concurrent, how_many),
            pairs=20,
        )
        for how_many, target in _SERIAL_TARGETS.items()
    ),
)
