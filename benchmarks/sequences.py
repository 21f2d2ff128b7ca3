"""Figures of sequences beside Home Assistant's scripts (page 1 §1.9, page 2 §2.7).

One input, `number`, goes into every action: as a reference on our side, as a template on
theirs. What an action answers goes into a slot of its own, or a response variable.
"""

from collections.abc import Mapping, Sequence
from functools import partial
import json

from .actions import INSTANT, PAUSE, PAUSE_SECONDS, register_actions
from .call_tools import SIZES
from .figure import Figure, Measured
from .home import Home, open_home
from .ours import check_report, sequence_run
from .pairs import Side, measure_alone, measure_pairs
from .scripts import Step, at_once, check_script, script_run, step

_GIVEN = {"number": 7}
_TEMPLATE = {"number": "{{ number }}"}
_ACTIONS = 20


async def _one_group(how_many: int, pairs: int) -> Measured:
    async with open_home() as home:
        await register_actions(home)
        steps = at_once(_templated(how_many))
        ours = await _sequence(home, [_group("all", how_many)], parallel=how_many > 1)
        return await measure_pairs(
            home.tally, ours, await _script(home, steps, how_many), pairs
        )


async def _many_groups(pairs: int) -> Measured:
    async with open_home() as home:
        await register_actions(home)
        groups = [_group(f"step {number}", 1) for number in range(_ACTIONS)]
        ours = await _sequence(home, groups, parallel=False)
        base = await _script(home, _templated(_ACTIONS), _ACTIONS)
        return await measure_pairs(home.tally, ours, base, pairs)


async def _two_groups(rounds: int) -> Measured:
    async with open_home() as home:
        await register_actions(home)
        groups = [_group(name, 4, tool=PAUSE) for name in ("first", "second")]
        ours = await _sequence(home, groups, parallel=True)
        return await measure_alone(home.tally, ours, 2 * PAUSE_SECONDS, rounds)


def _group(name: str, how_many: int, *, tool: str = INSTANT) -> Mapping[str, object]:
    entries = (
        {"tool": tool, "args": {"number": "$args.number"}, "as": f"answer_{number}"}
        for number in range(how_many)
    )
    return {
        "name": name,
        "in": {"number": "integer"},
        "out": {f"answer_{number}": "object" for number in range(how_many)},
        "tools": " ".join(f"{json.dumps(entry)} ;" for entry in entries),
    }


async def _sequence(
    home: Home, groups: list[Mapping[str, object]], *, parallel: bool
) -> Side:
    return Side(
        run=await sequence_run(home, "Bench", groups, _GIVEN),
        calls=sum(str(group["tools"]).count(" ;") for group in groups),
        check=check_report(parallel=parallel),
    )


def _templated(how_many: int) -> list[Step]:
    return [step(INSTANT, _TEMPLATE, number) for number in range(how_many)]


async def _script(home: Home, steps: Sequence[Step], how_many: int) -> Side:
    return Side(
        run=await script_run(home, steps, _GIVEN), calls=how_many, check=check_script
    )


FIGURES = (
    *(
        Figure(
            name=f"templated_{how_many}",
            target=0.35,
            measure=partial(_one_group, how_many),
            pairs=60,
        )
        for how_many in SIZES
    ),
    Figure(name="serial_groups", target=1.0, measure=_many_groups, pairs=60),
    Figure(
        name="parallel_group",
        target=0.6,
        measure=partial(_one_group, _ACTIONS),
        pairs=60,
    ),
    Figure(name="two_groups", target=1.05, measure=_two_groups, pairs=20),
)
