"""Our small tools in a home with HomeAgent: who may use them, and in sequences."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_mock_service  # type: ignore[import-untyped]

from custom_components.homeagent.extension import (
    FunctionTool,
    Invocation,
    ToolDefinition,
    async_register_tool,
)
from custom_components.homeagent.runtime import DATA_RUNTIME

from .home import async_act, async_set_up

SMALL_TOOLS: dict[str, dict[str, Any]] = {
    "get_state": {"entity_id": "input_boolean.hall"},
    "find_entities": {"query": "hall"},
    "get_history": {"entity_id": "input_boolean.hall"},
    "get_logbook": {},
    "get_statistics": {"statistic_id": "input_boolean.hall"},
    "camera_snapshot": {"entity_id": "camera.door"},
    "wait": {"seconds": 0},
    "tool_search": {"query": "state"},
    "tool_call": {"tool": "get_state", "arguments": {"entity_id": "Hall"}},
}

NOT_LOADED = {"get_history", "get_logbook", "get_statistics"}


@pytest.fixture(autouse=True)
async def _home(hass: HomeAssistant, hass_admin_user: User) -> None:
    await async_set_up(hass)


async def results(hass: HomeAssistant, user: User, *calls: Any) -> list[Any]:
    """Call tools as a user."""
    data = {"calls": [{"tool": tool, "arguments": given} for tool, given in calls]}
    answer = await async_act(hass, "call_tools", data, user=user)
    found = answer["results"]
    assert isinstance(found, list)
    return found


async def test_administrators_use_them_all(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """At the same time; what is not loaded says so."""
    told = await results(hass, hass_admin_user, *SMALL_TOOLS.items())
    by_tool = {result["tool"]: result["error"] for result in told}
    for tool, error in by_tool.items():
        if tool in NOT_LOADED:
            assert error["reason"] == "unavailable", tool
        elif tool == "camera_snapshot":
            assert error["reason"] == "value"
        else:
            assert error is None, tool
    assert {result["value"]["state"] for result in (told[0], told[-1])} == {"off"}


@pytest.mark.parametrize("tool", SMALL_TOOLS)
async def test_others_learn_nothing(hass: HomeAssistant, tool: str) -> None:
    """Whatever is asked, the answer is that of a tool that does not exist."""
    user = MockUser().add_to_hass(hass)
    asked, unknown = await results(
        hass, user, (tool, SMALL_TOOLS[tool]), ("no_such_tool", {})
    )
    assert asked["error"] == unknown["error"]
    assert asked["value"] is None


async def test_all_are_declared(hass: HomeAssistant) -> None:
    """They change nothing, but for what is called through tool_call."""
    registry = hass.data[DATA_RUNTIME].registry
    for name in SMALL_TOOLS:
        tool = registry.find(name)
        assert tool is not None
        assert tool.definition.parallel_safe
        assert tool.definition.read_only is (name != "tool_call"), name
        assert tool.definition.title
        assert tool.definition.description


async def test_in_a_sequence(hass: HomeAssistant, hass_admin_user: User) -> None:
    """A state is read, and what was read is used."""
    notes = async_mock_service(hass, "notify", "phone")
    tools = (
        '{"tool":"get_state","args":{"entity_id":"input_boolean.hall"},'
        '"as":"hall","select":"state"} ; {"tool":"wait","args":{"seconds":0}} ;'
        '{"tool":"notify.phone","args":{"message":"hall is $out.hall"}} ;'
    )
    group = {"name": "look", "out": {"hall": "string"}, "parallel": False}
    data = {"name": "Look", "groups": [group | {"tools": tools}]}
    made = await async_act(hass, "seq_create", data, user=hass_admin_user)
    assert made["success"], made
    run = await async_act(hass, "seq_run", {"name": "Look"}, user=hass_admin_user)
    assert run["status"] == "ok", run
    assert [note.data["message"] for note in notes] == ["hall is off"]


async def test_history_has_no_secrets_of_inner_calls(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """What the inner tool's schema calls a password is none of the history's."""

    async def unlock(invocation: Invocation) -> object:
        return "open"

    parameters = {"properties": {"phrase": {"type": "string", "format": "password"}}}
    definition = ToolDefinition(name="example.unlock", parameters=parameters)
    async_register_tool(hass, FunctionTool(definition=definition, work=unlock))
    inner = {"tool": "example.unlock", "arguments": {"phrase": "sesame"}}
    (told,) = await results(hass, hass_admin_user, ("tool_call", inner))
    assert told["success"]
    kept = list(hass.data[DATA_RUNTIME].history.batches())
    assert "example.unlock" in str(kept)
    assert "sesame" not in str(kept)


async def test_tool_call_may_not_stand_in_a_sequence(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    tools = '{"tool":"tool_call","args":{"tool":"wait"}} ;'
    data = {"name": "Sly", "groups": [{"name": "g", "tools": tools}]}
    made = await async_act(hass, "seq_create", data, user=hass_admin_user)
    assert made["error"]["reason"] == "forbidden"
