"""Figures of `homeagent.call_tools` beside Home Assistant's `parallel:` (page 1 §1.9)."""

from functools import partial

from .actions import INSTANT, register_actions
from .figure import Figure, Measured
from .home import open_home
from .lamps import add_lamps
from .ours import batch_run, call, check_batch
from .pairs import Side, measure_pairs
from .scripts import at_once, check_script, script_run, step

SIZES = (8, 32, 128)


async def _instant(how_many: int, pairs: int) -> Measured:
    numbers = range(how_many)
    async with open_home() as home:
        await register_actions(home)
        ours = Side(
            run=batch_run(home, [call(INSTANT, {"number": each}) for each in numbers]),
            calls=how_many,
            check=check_batch(parallel=True),
        )
        steps = [step(INSTANT, {"number": each}, each) for each in numbers]
        base = Side(
            run=await script_run(home, at_once(steps)),
            calls=how_many,
            check=check_script,
        )
        return await measure_pairs(home.tally, ours, base, pairs)


async def _lights(how_many: int, pairs: int) -> Measured:
    async with open_home() as home:
        lamps = await add_lamps(home, how_many)
        targets = [{"entity_id": lamp.entity_id} for lamp in lamps]

        def darken() -> None:
            for lamp in lamps:
                lamp.darken()

        ours = Side(
            run=batch_run(home, [call("light.turn_on", each) for each in targets]),
            calls=how_many,
            before=darken,
            check=check_batch(parallel=True),
        )
        steps = [{"action": "light.turn_on", "target": each} for each in targets]
        base = Side(
            run=await script_run(home, at_once(steps)),
            calls=how_many,
            before=darken,
            check=check_script,
        )
        return await measure_pairs(home.tally, ours, base, pairs)


FIGURES = (
    *(
        Figure(
            name=f"call_tools_{how_many}",
            target=0.5,
            measure=partial(_instant, how_many),
            pairs=60,
        )
        for how_many in SIZES
    ),
    *(
        Figure(
            name=f"light_turn_on_{how_many}",
            target=0.75,
            measure=partial(_lights, how_many),
            pairs=60,
        )
        for how_many in SIZES
    ),
)
