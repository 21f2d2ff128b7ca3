"""What is remembered for long stays small, and what ended long ago is still told."""

import gc
from typing import cast
import weakref

from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant

from custom_components.homeagent.kernel.contract import Caller, Entrance
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.sequence.runs import KEPT_RUNS
from custom_components.homeagent.tools.callers import Callers

from .home import async_act, async_set_up
from .sequence_home import PLAIN, async_make


class _Context(Context):
    """One that can be looked after."""


async def test_remembered_callers_hold_no_context(hass: HomeAssistant) -> None:
    """65,536 are remembered, and each context holds on to the event that began it."""
    callers = Callers(hass)
    context = _Context(user_id="u")
    alive = weakref.ref(context)
    own = callers.new_context(Caller(entrance=Entrance.DIRECT, context=context))
    callers.came_in(Caller(entrance=Entrance.MCP, context=Context()))
    del context
    gc.collect()
    assert alive() is None
    assert callers.of(own).entrance is Entrance.DIRECT
    assert callers.of(own).context is own


async def test_history_keeps_what_runs_have_shed(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """The history brings runs into its form later than the table lets them go."""
    await async_set_up(hass)
    for name in ("One", "Two"):
        await async_make(hass, hass_admin_user, name, PLAIN)
    runs = [
        await async_act(hass, "seq_run", {"name": name}, user=hass_admin_user)
        for name in ("One", "Two")
        for _ in range(KEPT_RUNS * 3 // 5)
    ]
    runtime = hass.data[DATA_RUNTIME]
    assert runtime.engine.runs.get(runs[0]["run_id"]) is None
    entry = runtime.history.find(runs[0]["run_id"])
    assert entry is not None
    # Who asked by an action was told in words for people; the rest is the same.
    report = cast("dict[str, object]", entry["report"])
    assert report | {"text": runs[0]["text"]} == runs[0]
