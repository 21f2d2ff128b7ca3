"""Runs: in the background, asked for, cancelled, one group alone; whose they are."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
import pytest

from custom_components.homeagent.kernel.contract import Caller, Entrance, ToolCall
from custom_components.homeagent.runtime import DATA_RUNTIME

from .home import async_act, async_set_up

SLOW = [
    {
        "name": "slow",
        "timeout": "1h",
        "tools": '{"tool":"wait","args":{"seconds":"$args.s"}} ;',
        "in": {"s": {"type": "number", "default": 900}},
    },
    {"name": "fast", "tools": '{"tool":"wait","args":{"seconds":0}} ;'},
]


@pytest.fixture(autouse=True)
async def _home(hass: HomeAssistant, hass_admin_user: User) -> None:
    await async_set_up(hass)
    data = {"name": "Slow", "groups": SLOW}
    assert (await async_act(hass, "seq_create", data, user=hass_admin_user))["success"]


async def run(hass: HomeAssistant, user: User | None, **data: object) -> dict[str, Any]:
    """Call seq_run."""
    return await async_act(hass, "seq_run", data, user=user)


async def test_background_run_is_asked_for_and_cancelled(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """An id at once, then the state, then the report of what was cancelled."""
    started = await run(hass, hass_admin_user, name="Slow", wait=False)
    run_id = started["run_id"]
    assert started["sequence"] == "Slow"
    assert started["status"] == "running"
    assert started["group"] == "slow"
    assert (await run(hass, hass_admin_user, run_id=run_id))["status"] == "running"
    report = await run(hass, hass_admin_user, run_id=run_id, cancel=True)
    assert (report["status"], report["success"]) == ("cancelled", False)
    assert [group["status"] for group in report["groups"]] == ["cancelled", "not_run"]
    again = await run(hass, hass_admin_user, run_id=run_id, cancel=True)
    assert again == report


async def test_one_group_alone(hass: HomeAssistant, hass_admin_user: User) -> None:
    """`#name/group` runs that group only."""
    report = await run(hass, hass_admin_user, name="#Slow/fast")
    assert [group["name"] for group in report["groups"]] == ["fast"]
    assert report["status"] == "ok"


@pytest.mark.parametrize(
    ("data", "reason", "field"),
    [
        ({}, "required", "name"),
        ({"name": "Slow", "run_id": "x"}, "value", "name"),
        ({"name": "Slow", "cancel": True}, "value", "cancel"),
        ({"name": "Slo"}, "value", "name"),
        ({"name": "#Slow/gone"}, "value", "name"),
        ({"name": "#"}, "value", "name"),
        ({"run_id": "gone"}, "value", "run_id"),
        ({"name": "Slow", "args": 5}, "type", "args"),
    ],
)
async def test_what_makes_no_sense(
    hass: HomeAssistant,
    hass_admin_user: User,
    data: dict[str, object],
    reason: str,
    field: str,
) -> None:
    """Each with its field, and nothing runs."""
    told = await run(hass, hass_admin_user, **data)
    assert (told["error"]["reason"], told["error"]["field"]) == (reason, field)
    assert told["text"].startswith("seq_run: ")


@pytest.mark.parametrize("name", ["Slo", "#slwo", "Slo/fast"])
async def test_misspelt_name(
    hass: HomeAssistant, hass_admin_user: User, name: str
) -> None:
    """What may be meant is told: of what the caller may run."""
    told = await run(hass, hass_admin_user, name=name)
    assert told["error"]["hint"].startswith("Did you mean Slow? ")
    call = ToolCall(tool="seq_call", arguments={"target": f"#{name.strip('#')}"})
    caller = Caller(entrance=Entrance.DIRECT, user_id=hass_admin_user.id)
    (result,) = (await hass.data[DATA_RUNTIME].call(caller, [call])).results
    assert result.error is not None
    assert result.error.hint.startswith("Did you mean Slow? ")


async def test_misspelt_name_tells_nothing_of_what_is_hidden(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Nobody learns a name that they may not run; nor one that is not alike."""
    told = await run(hass, hass_admin_user, name="Quick")
    assert "Slow" not in told["text"]
    runtime = hass.data[DATA_RUNTIME]
    for caller in (
        Caller(entrance=Entrance.CONVERSATION, user_id=hass_admin_user.id),
        Caller(entrance=Entrance.UNKNOWN),
    ):
        assert runtime._runnable(caller) == []
        call = ToolCall(tool="seq_run", arguments={"name": "Slo"})
        (result,) = (await runtime.call(caller, [call])).results
        assert "Slow" not in result.text


async def test_runs_of_others(
    hass: HomeAssistant, hass_admin_user: User, hass_read_only_user: User
) -> None:
    """Neither seen nor cancelled by those whose they are not; by administrators both."""
    automation = Context()
    data = {"name": "automation.a", "entity_id": "automation.a"}
    hass.bus.async_fire("automation_triggered", data, context=automation)
    own = {"name": "Slow", "wait": False}
    started = await async_act(hass, "seq_run", own, context=automation)
    asked = {"run_id": started["run_id"], "cancel": True}
    for user in (hass_read_only_user, None):
        told = await run(hass, user, **asked)
        assert told["error"]["reason"] == "unauthorized"
    told = await async_act(
        hass, "seq_run", {"run_id": started["run_id"]}, context=automation
    )
    assert told["status"] == "running"
    assert (await run(hass, hass_admin_user, **asked))["status"] == "cancelled"


async def test_at_most_ten_at_once(hass: HomeAssistant, hass_admin_user: User) -> None:
    """The eleventh is busy; after one ended there is room again."""
    started = [
        await run(hass, hass_admin_user, name="Slow", wait=False) for _ in range(10)
    ]
    busy = await run(hass, hass_admin_user, name="Slow", wait=False)
    assert busy["status"] == "failed"
    assert busy["errors"][0]["reason"] == "busy"
    await run(hass, hass_admin_user, run_id=started[0]["run_id"], cancel=True)
    last = await run(hass, hass_admin_user, name="Slow", wait=False)
    assert last["status"] == "running"
    for one in (*started[1:], last):
        await run(hass, hass_admin_user, run_id=one["run_id"], cancel=True)
