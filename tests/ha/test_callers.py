"""Who stands behind a context, and what is remembered of it."""

from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.homeagent.kernel.contract import Agreed, Caller, Entrance
from custom_components.homeagent.tools import callers as callers_module
from custom_components.homeagent.tools.callers import Callers

from .home import async_act, async_set_up


def _trigger(hass: HomeAssistant, entity_id: str, parent: str | None = None) -> Context:
    context = Context(parent_id=parent)
    data = {"name": entity_id, "entity_id": entity_id}
    hass.bus.async_fire("automation_triggered", data, context=context)
    return context


async def test_entrances(hass: HomeAssistant) -> None:
    """Automation by its event, user by its id, the door's own by memory."""
    callers = Callers(hass)
    automation = _trigger(hass, "automation.a")
    assert callers.of(automation).entrance is Entrance.AUTOMATION
    signed_in = callers.of(Context(user_id="u"))
    assert (signed_in.entrance, signed_in.user_id) == (Entrance.DIRECT, "u")
    assert callers.of(Context()).entrance is Entrance.UNKNOWN
    who = Caller(entrance=Entrance.CONVERSATION, user_id="u", run="run")
    own = callers.new_context(who)
    for context in (own, Context(parent_id=own.id)):
        back = callers.of(context)
        assert (back.entrance, back.run) == (Entrance.CONVERSATION, "run")


@pytest.mark.parametrize("run", [None, "run"])
async def test_what_is_remembered_of_a_caller(
    hass: HomeAssistant, run: str | None
) -> None:
    """Who it is and in which run it acts; not what was agreed to, nor its context."""
    callers = Callers(hass)
    before = Context(user_id="u")
    who = Caller(
        entrance=Entrance.MCP,
        user_id="u",
        device_id="d",
        area_id="a",
        context=before,
        run=run,
        agreed=frozenset({Agreed(tool="light.turn_on", arguments=None)}),
    )
    own = callers.new_context(who)
    assert callers.of(own) == Caller(
        entrance=Entrance.MCP,
        user_id="u",
        device_id="d",
        area_id="a",
        context=own,
        run=run,
    )


async def test_automation_that_the_door_set_off(hass: HomeAssistant) -> None:
    """It has the automation's rights, and counts for the run it belongs to."""
    callers = Callers(hass)
    own = callers.new_context(Caller(entrance=Entrance.CONVERSATION, run="run"))
    back = callers.of(_trigger(hass, "automation.a", own.id))
    assert (back.entrance, back.run) == (Entrance.AUTOMATION, "run")


async def test_automation_that_waits_is_not_forgotten(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many others trigger in the meantime; those that ended are."""
    monkeypatch.setattr(callers_module, "REMEMBERED", 10)
    callers = Callers(hass)
    hass.states.async_set("automation.waits", "on", {"current": 1})
    hass.states.async_set("automation.ended", "on", {"current": 0})
    waits = _trigger(hass, "automation.waits")
    ended = _trigger(hass, "automation.ended")
    for _ in range(50):
        _trigger(hass, "automation.other")
    assert callers.of(waits).entrance is Entrance.AUTOMATION
    assert callers.of(ended).entrance is Entrance.UNKNOWN
    hass.states.async_set("automation.waits", "on", {"current": 0})
    for _ in range(50):
        _trigger(hass, "automation.other")
    assert callers.of(waits).entrance is Entrance.UNKNOWN


async def test_sequence_that_comes_back_through_an_automation(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """It is noticed as the circle that it is, after one round."""
    actions = [{"action": "homeagent.seq_run", "data": {"name": "Self"}}]
    automation = {
        "alias": "back",
        "mode": "parallel",
        "triggers": [],
        "actions": actions,
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    await async_set_up(hass)
    tool = '{"tool":"automation.trigger","args":{"entity_id":"automation.back"}} ;'
    data = {"name": "Self", "groups": [{"name": "g", "tools": tool}]}
    made = await async_act(hass, "seq_create", data, user=hass_admin_user)
    assert made["success"], made
    ran: list[str] = []
    hass.bus.async_listen(
        "homeagent_tool_call", lambda event: ran.append(event.data["tool"])
    )
    await async_act(hass, "seq_run", {"name": "Self"}, user=hass_admin_user)
    await hass.async_block_till_done()
    assert ran.count("automation.trigger") == 1
