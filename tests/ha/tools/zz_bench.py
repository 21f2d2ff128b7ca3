import asyncio
import logging
import time

from homeassistant.core import Context, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.script import Script

from custom_components.homeagent.kernel.batch import Batch
from custom_components.homeagent.kernel.contract import *
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.tools.actions import ActionRegistry

from .house import *


async def test_bench(hass):
    hass.loop.set_debug(False)
    logging.disable(logging.INFO)

    async def h(c):
        return {"x": 1}

    hass.services.async_register(
        "t", "a", h, supports_response=SupportsResponse.OPTIONAL
    )
    N = 32
    lamps = [Lamp(f"l{i}") for i in range(N)]
    for l in lamps:
        l._switch = None

    async def on(**k):
        pass

    for l in lamps:
        l.async_turn_on = on
    await async_move_in(hass, lamps)
    r = ActionRegistry(hass)
    await r.async_prepare()

    def mk(light, i):
        return (
            ("light.turn_on", {"entity_id": f"light.l{i}"})
            if light
            else ("t.a", {"x": i})
        )

    for light in (False, True):
        seq = cv.SCRIPT_SCHEMA(
            [
                {
                    "parallel": [
                        {
                            "action": mk(light, i)[0],
                            **(
                                {"target": mk(light, i)[1]}
                                if light
                                else {
                                    "data": mk(light, i)[1],
                                    "response_variable": f"r{i}",
                                }
                            ),
                        }
                        for i in range(N)
                    ]
                }
            ]
        )
        s = Script(hass, seq, "x", "test", max_runs=100)
        best = [9, 9, 9]
        for _ in range(30):
            t = time.perf_counter()
            await s.async_run(context=Context())
            best[0] = min(best[0], time.perf_counter() - t)
            t = time.perf_counter()
            ctx = Context()
            c = Caller(entrance=Entrance.DIRECT, context=ctx)
            for i in range(N):
                n, a = mk(light, i)
                tool = r.find(n)
                ch = tool.check(a)
                f = tool.facts(ch.arguments, c)
            t2 = time.perf_counter() - t
            best[2] = min(best[2], t2)
            t = time.perf_counter()
            await asyncio.gather(
                *[
                    tool.call_tool(
                        Invocation(
                            caller=c,
                            arguments=r.find(mk(light, i)[0])
                            .check(mk(light, i)[1])
                            .arguments,
                            call_id="",
                        )
                    )
                    for i in range(N)
                ]
            )
            best[1] = min(best[1], time.perf_counter() - t)
        b = 9
        for _ in range(30):
            t = time.perf_counter()
            await Batch(
                door=Door(registry=r, policy=Open()),
                journal=NoJournal(),
                caller=c,
                calls=[
                    ToolCall(tool=mk(light, i)[0], arguments=mk(light, i)[1])
                    for i in range(N)
                ],
                batch_id="x",
            ).run()
            b = min(b, time.perf_counter() - t)
        res = await Batch(
            door=Door(registry=r, policy=Open()),
            journal=NoJournal(),
            caller=c,
            calls=[
                ToolCall(tool=mk(light, i)[0], arguments=mk(light, i)[1])
                for i in range(N)
            ],
            batch_id="x",
        ).run()
        print(res.parallel, res.why, all(x.success for x in res.results))
        print(
            "LIGHT" if light else "PLAIN",
            "ha/act us",
            best[0] / N * 1e6,
            "gather call us",
            best[1] / N * 1e6,
            "find+check+facts us",
            best[2] / N * 1e6,
            "batch us",
            b / N * 1e6,
            "ratio",
            b / best[0],
        )
    import cProfile
    import pstats

    await s.async_unload()
    pr = cProfile.Profile()
    pr.enable()
    for _ in range(20):
        await Batch(
            door=Door(registry=r, policy=Open()),
            journal=NoJournal(),
            caller=c,
            calls=[
                ToolCall(tool=mk(light, i)[0], arguments=mk(light, i)[1])
                for i in range(N)
            ],
            batch_id="x",
        ).run()
    pr.disable()
    pstats.Stats(pr).sort_stats("tottime").print_stats(35)
