"""Situations that break other products for this job, in a real Home Assistant.

Every row goes through `homeagent.call_tools`; the expected outcomes are what a person
would call right (page 7).
"""

import asyncio
from datetime import date, datetime, time, timedelta
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
)
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest

from .home import async_act, async_set_up

SCRIPTS = {
    "script": {
        "greet": {
            "fields": {
                "who": {"required": True, "selector": {"text": None}},
                "times": {
                    "required": True,
                    "selector": {"number": {"min": 1, "max": 9, "mode": "box"}},
                },
            },
            "sequence": [
                {
                    "action": "input_boolean.turn_on",
                    "target": {"entity_id": "input_boolean.hall"},
                }
            ],
        },
    }
}


@pytest.fixture(autouse=True)
async def _home(hass: HomeAssistant, hass_admin_user: User) -> None:
    assert await async_setup_component(hass, "script", SCRIPTS)
    await async_set_up(hass)


async def call(hass: HomeAssistant, user: User, *calls: tuple[str, object]) -> Any:
    """Make a batch of calls and return its response."""
    listed = [{"tool": tool, "arguments": arguments} for tool, arguments in calls]
    return await async_act(hass, "call_tools", {"calls": listed}, user=user)


def reasons(done: Any) -> list[str | None]:
    """Return why each call failed."""
    return [one["error"] and one["error"]["reason"] for one in done["results"]]


async def test_off_then_on_ends_on(hass: HomeAssistant, hass_admin_user: User) -> None:
    """The first one is slower; still the lamp ends as the reply says."""
    lamp = {"state": "on"}

    async def slow_off(action: ServiceCall) -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        lamp["state"] = "off"

    async def on(action: ServiceCall) -> None:
        lamp["state"] = "on"

    hass.states.async_set("light.lamp", "on")
    hass.services.async_register("light", "turn_off", slow_off)
    hass.services.async_register("light", "turn_on", on)
    target = {"entity_id": "light.lamp"}
    done = await call(
        hass, hass_admin_user, ("light.turn_off", target), ("light.turn_on", target)
    )
    assert (done["success"], done["parallel"]) == (True, False)
    assert lamp["state"] == "on"


async def test_bug_of_one_tool_leaves_the_others(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """The call fails, its siblings' results are kept, no text of it gets out."""

    async def bug(action: ServiceCall) -> None:
        raise KeyError("hunter2")

    hass.services.async_register("test", "bug", bug)
    done = await call(
        hass,
        hass_admin_user,
        ("test.bug", {}),
        ("input_boolean.turn_on", {"entity_id": "input_boolean.hall"}),
    )
    assert reasons(done) == ["internal", None]
    assert "hunter2" not in str(done)
    assert hass.states.is_state("input_boolean.hall", "on")


async def test_all_targets_unavailable(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Nobody says "done"; some of them is a success that names the others."""
    gone = ["input_boolean.attic", "input_boolean.cellar"]
    for name in gone:
        hass.states.async_set(name, "unavailable", {"restored": True})
    done = await call(
        hass,
        hass_admin_user,
        ("input_boolean.turn_on", {"entity_id": gone}),
        ("input_boolean.turn_on", {"entity_id": [*gone, "input_boolean.porch"]}),
    )
    assert reasons(done) == ["unavailable", None]
    assert all(name in str(done["results"][0]["error"]) for name in gone)
    assert all(name in str(done["results"][1]["warnings"]) for name in gone)
    assert hass.states.is_state("input_boolean.porch", "on")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ('{"entity_id": "input_boolean.hall"}', None),
        ({"target": '{"entity_id": "input_boolean.hall"}'}, None),
        ({"entity_id": "input_boolean.hall", "area_id": None}, None),
        ({"entity_id": "Input_Boolean.Hall, input_boolean.porch"}, None),
        ('{"entity_id": "input_boolean.ha', "arguments"),
        ([1], "arguments"),
        ({"entity_id": "input_boolean.hall", "entityid": "x"}, "value"),
        ({"entity_id": "{{ states }}"}, "value"),
        ({"entity_id": "input_boolean.nowhere"}, "value"),
    ],
)
async def test_arguments_of_all_kinds(
    hass: HomeAssistant, hass_admin_user: User, arguments: object, reason: str | None
) -> None:
    """Taken by the leniency, or refused with a clear error and not run."""
    done = await call(hass, hass_admin_user, ("input_boolean.turn_on", arguments))
    assert reasons(done) == [reason]
    assert hass.states.is_state("input_boolean.hall", "off" if reason else "on")


@pytest.mark.parametrize(
    ("arguments", "reason", "field"),
    [
        ({}, "required", "who"),
        ({"who": " ", "times": 1}, None, None),
        ({"who": "Ada"}, "required", "times"),
        ({"who": "Ada", "times": ""}, "required", "times"),
        ({"who": "Ada", "times": "three"}, "type", "times"),
        ({"who": "Ada", "times": 12}, "value", "times"),
        ({"who": "Ada", "times": "3"}, None, None),
    ],
)
async def test_script_with_fields(
    hass: HomeAssistant,
    hass_admin_user: User,
    arguments: dict[str, object],
    reason: str | None,
    field: str | None,
) -> None:
    """A missing or wrong field is told by name, and the script does not run."""
    done = await call(hass, hass_admin_user, ("script.greet", arguments))
    await hass.async_block_till_done()
    assert reasons(done) == [reason]
    if reason:
        assert done["results"][0]["error"]["field"] == field
    assert hass.states.is_state("input_boolean.hall", "off" if reason else "on")


async def test_unknown_tool_names_what_there_is(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """The nearest names and the search; the rest of the reply runs."""
    done = await call(
        hass,
        hass_admin_user,
        ("input_boolean.turnon", {}),
        ("input_boolean.turn_on", {"entity_id": "input_boolean.hall"}),
    )
    error = done["results"][0]["error"]
    assert reasons(done) == ["not_found", None]
    assert "input_boolean.turn_on" in error["hint"]
    assert "tool_search" in error["hint"]


async def test_result_that_is_no_json(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Times, sets, bytes and NaN have a form, and Python's is never shown."""

    async def odd(action: ServiceCall) -> ServiceResponse:
        return {
            "datetime": datetime(2026, 11, 30, 8, tzinfo=dt_util.UTC),  # type: ignore[dict-item]
            "date": date(2026, 11, 30),  # type: ignore[dict-item]
            "time": time(8, 30),  # type: ignore[dict-item]
            "duration": timedelta(minutes=90),  # type: ignore[dict-item]
            "set": {"b", "a"},  # type: ignore[dict-item]
            "bytes": b"plain",  # type: ignore[dict-item]
            "nan": float("nan"),
            "object": object(),  # type: ignore[dict-item]
        }

    hass.services.async_register(
        "test", "odd", odd, supports_response=SupportsResponse.ONLY
    )
    done = await call(hass, hass_admin_user, ("test.odd", {}))
    assert done["results"][0]["value"] == {
        "datetime": "2026-11-30T08:00:00+00:00",
        "date": "2026-11-30",
        "time": "08:30:00",
        "duration": "PT1H30M",
        "set": ["a", "b"],
        "bytes": "plain",
        "nan": "NaN",
        "object": {"object": "object"},
    }
    assert "0x" not in done["results"][0]["text"]


async def test_result_of_260_kilobytes(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """The text for a model is cut and says so; the value is whole."""

    async def large(action: ServiceCall) -> ServiceResponse:
        return {"text": "x" * 260_000}

    hass.services.async_register(
        "test", "large", large, supports_response=SupportsResponse.ONLY
    )
    done = await call(hass, hass_admin_user, ("test.large", {}))
    (result,) = done["results"]
    assert len(result["value"]["text"]) == 260_000
    assert len(result["text"].encode()) <= 32 * 1024
    assert "cut" in result["text"][-300:]


async def test_area_command_where_one_entity_fails(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Those that show the change are done, the others unconfirmed: never swapped."""
    area = ar.async_get(hass).async_create("Room")
    for name in ("kitchen", "bedroom"):
        er.async_get(hass).async_update_entity(f"input_boolean.{name}", area_id=area.id)

    async def half(action: ServiceCall) -> None:
        hass.states.async_set("input_boolean.kitchen", "on", context=action.context)
        raise HomeAssistantError("one of them did not answer")

    hass.services.async_register("input_boolean", "turn_on", half)
    done = await call(
        hass, hass_admin_user, ("input_boolean.turn_on", {"area_id": area.id})
    )
    (result,) = done["results"]
    assert reasons(done) == ["failed"]
    assert "did not answer" in result["error"]["detail"]
    assert result["value"]["unconfirmed_entities"] == ["input_boolean.bedroom"]
    assert "input_boolean.kitchen" in str(result["value"])


async def test_all_failures_of_a_parallel_batch_are_told(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Not only the first one."""

    async def fail(action: ServiceCall) -> None:
        raise HomeAssistantError(f"no {action.data['n']}")

    hass.services.async_register("test", "fail", fail)
    done = await call(
        hass, hass_admin_user, *(("test.fail", {"n": number}) for number in range(3))
    )
    details = [one["error"]["detail"] for one in done["results"]]
    assert [f"no {number}" in detail for number, detail in enumerate(details)] == [
        True,
        True,
        True,
    ]
