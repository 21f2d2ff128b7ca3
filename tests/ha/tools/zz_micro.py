import logging
import timeit

from homeassistant.core import Context, SupportsResponse

from custom_components.homeagent.kernel.contract import *
from custom_components.homeagent.tools import outcomes
from custom_components.homeagent.tools.actions import ActionRegistry, child_context

from .house import *


async def test_bench(hass):
    hass.loop.set_debug(False)
    logging.disable(logging.INFO)

    async def h(c):
        return {"x": 1}

    hass.services.async_register(
        "t", "a", h, supports_response=SupportsResponse.OPTIONAL
    )
    await async_move_in(hass, [Lamp("l")])
    r = ActionRegistry(hass)
    await r.async_prepare()
    c = Caller(entrance=Entrance.DIRECT, context=Context())
    for n, a in (("t.a", {"x": 1}), ("light.turn_on", {"entity_id": "light.l"})):
        tool = r.find(n)
        ch = tool.check(a).arguments
        res = tool.resolve(ch)

        def T(label, f, k=5000):
            print(
                n, label, round(min(timeit.repeat(f, number=k, repeat=5)) / k * 1e6, 2)
            )

        T("find", lambda: r.find(n))
        T("check", lambda: tool.check(a))
        T("schema only", lambda: tool.shape.check(ch))
        T("facts", lambda: tool.facts(ch, c))
        T("resolve", lambda: tool.resolve(ch))
        T("standing", lambda: tool._standing(ch, res))
        T("context", lambda: child_context(c))
        T("has", lambda: hass.services.has_service(tool._domain, tool._action))
        T(
            "hopeless",
            lambda: tool._hopeless(ch, res, outcomes.Standing(ready=frozenset("a"))),
        )
