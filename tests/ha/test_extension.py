"""The extension points, used by a real integration beside HomeAgent."""

import asyncio
from pathlib import Path
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.loader import DATA_CUSTOM_COMPONENTS
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]

import custom_components
from custom_components.homeagent.extension import (
    FunctionTool,
    HookContext,
    Replacement,
    ToolDefinition,
    ToolResult,
    async_register_after,
    async_register_before,
    async_register_tool,
)

from . import example_extension
from .home import async_act, async_set_up

EXAMPLE = Path(example_extension.__file__).parent
DOCUMENT = EXAMPLE.parents[2] / "docs" / "extending.md"

GREET = {"tool": "example_extension.greet", "arguments": {"name": "Ann"}}
SWITCH = {
    "tool": "input_boolean.turn_on",
    "arguments": {"entity_id": "input_boolean.hall"},
}


@pytest.fixture(autouse=True)
def _find_example(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Home Assistant find the example beside the custom integrations."""
    paths = [*custom_components.__path__, str(EXAMPLE.parent)]
    monkeypatch.setattr(custom_components, "__path__", paths)
    hass.data.pop(DATA_CUSTOM_COMPONENTS, None)


async def both(hass: HomeAssistant, *, example_first: bool) -> None:
    """Set up HomeAgent and the example, in one order or the other."""
    if example_first:
        assert await async_setup_component(hass, "example_extension", {})
    await async_set_up(hass)
    assert await async_setup_component(hass, "example_extension", {})


async def act(hass: HomeAssistant, user: User, *calls: dict[str, Any]) -> Any:
    """Call tools as a user; return the whole answer."""
    return await async_act(hass, "call_tools", {"calls": list(calls)}, user=user)


@pytest.mark.parametrize("example_first", [True, False])
async def test_example_refuses_and_replaces(
    hass: HomeAssistant, hass_admin_user: User, example_first: bool
) -> None:
    """It works whether it came before HomeAgent or after; the rest of a batch runs."""
    await both(hass, example_first=example_first)
    opened = async_mock_service(hass, "cover", "open_cover")
    hass.states.async_set("cover.garage", "closed")
    hass.states.async_set("input_boolean.asleep", "on")
    garage = {
        "tool": "cover.open_cover",
        "arguments": {"entity_id": "cover.garage"},
    }

    answer = await act(hass, hass_admin_user, GREET, garage, SWITCH)

    greeted, refused, switched = answer["results"]
    assert greeted["value"] == {"text": "Hello Ann", "address": "(hidden)"}
    assert refused["error"]["reason"] == "refused"
    assert refused["error"]["detail"] == "asleep: the garage stays shut at night"
    assert switched["success"]
    assert opened == []

    hass.states.async_set("input_boolean.asleep", "off")
    assert (await act(hass, hass_admin_user, garage))["success"]
    assert len(opened) == 1


async def test_taken_away_again(hass: HomeAssistant, hass_admin_user: User) -> None:
    await both(hass, example_first=False)
    for unregister in hass.data["example_extension"]:
        unregister()
    answer = await act(hass, hass_admin_user, GREET)
    assert answer["results"][0]["error"]["reason"] == "not_found"


async def test_each_call_has_its_own_context(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Two calls at the same time never see what the other's hooks keep."""
    await async_set_up(hass)
    both_are_in = asyncio.Barrier(2)

    async def before(context: HookContext) -> None:
        context.data["is"] = context.arguments["entity_id"]
        await both_are_in.wait()

    async def after(context: HookContext, result: ToolResult) -> Replacement:
        return Replacement(value=[context.data["is"], *context.arguments["entity_id"]])  # type: ignore[misc]

    async_register_before(hass, before)
    async_register_after(hass, after)
    rooms = ["input_boolean.hall", "input_boolean.porch"]
    calls = [
        {"tool": "input_boolean.turn_on", "arguments": {"entity_id": [room]}}
        for room in rooms
    ]
    answer = await act(hass, hass_admin_user, *calls)
    assert answer["parallel"]
    assert [result["value"] for result in answer["results"]] == [
        [[room], room] for room in rooms
    ]


async def _raises(*args: object) -> None:
    raise RuntimeError("a hook's bug")


async def _hangs(*args: object) -> None:
    await asyncio.Event().wait()


async def _nonsense(*args: object) -> Any:
    return True


def _plain(*args: object) -> Any:
    raise RuntimeError("not even a coroutine")


def _no_coroutine(*args: object) -> Any:
    return None


BAD = [_raises, _hangs, _nonsense, _plain, _no_coroutine]


@pytest.mark.parametrize("hook", BAD)
async def test_bad_hooks_before_refuse(
    hass: HomeAssistant,
    hass_admin_user: User,
    monkeypatch: pytest.MonkeyPatch,
    hook: Any,
) -> None:
    """Fail closed: who cannot judge says no."""
    monkeypatch.setattr("custom_components.homeagent.kernel.hooks.HOOK_LIMIT", 0.02)
    await async_set_up(hass)
    async_register_before(hass, hook)
    (result,) = (await act(hass, hass_admin_user, SWITCH))["results"]
    assert result["error"]["reason"] == "refused"
    assert hass.states.is_state("input_boolean.hall", "off")


@pytest.mark.parametrize("hook", BAD)
async def test_bad_hooks_after_change_nothing(
    hass: HomeAssistant,
    hass_admin_user: User,
    monkeypatch: pytest.MonkeyPatch,
    hook: Any,
) -> None:
    monkeypatch.setattr("custom_components.homeagent.kernel.hooks.HOOK_LIMIT", 0.02)
    await async_set_up(hass)
    async_register_after(hass, hook)
    (result,) = (await act(hass, hass_admin_user, SWITCH))["results"]
    assert (result["success"], result["text"]) == (True, "ok")
    assert hass.states.is_state("input_boolean.hall", "on")


async def test_hooks_cannot_change_in_place(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """What passed the gates is dispatched; what came of it stays."""
    await async_set_up(hass)

    async def before(context: HookContext) -> None:
        rooms: Any = context.arguments.get("entity_id", [])
        rooms.append("input_boolean.porch")

    async def after(context: HookContext, result: ToolResult) -> None:
        if isinstance(result.value, dict):
            result.value.clear()

    async_register_before(hass, before)
    async_register_after(hass, after)
    async_register_tool(hass, _tool("example.say"))
    hall = SWITCH | {"arguments": {"entity_id": ["input_boolean.hall"]}}
    answer = await act(hass, hass_admin_user, hall, {"tool": "example.say"})
    assert [result["success"] for result in answer["results"]] == [True, True]
    assert hass.states.is_state("input_boolean.hall", "on")
    assert hass.states.is_state("input_boolean.porch", "off")
    assert answer["results"][1]["value"] == {"said": "hello"}


def _tool(name: str) -> FunctionTool:
    async def say(invocation: object) -> object:
        return {"said": "hello"}

    return FunctionTool(definition=ToolDefinition(name=name), work=say)


@pytest.mark.parametrize(
    "name",
    [
        "say",
        "homeagent.say",
        "Example.say",
        "example.",
        "example__say",
        "exam ple.say",
        "example.say.it",
        "example.a__b",
        f"example.{'x' * 46}",
        "",
    ],
)
def test_names_that_no_tool_can_have(hass: HomeAssistant, name: str) -> None:
    with pytest.raises(ValueError, match="name of a tool"):
        async_register_tool(hass, _tool(name))


async def test_tools_of_extensions(hass: HomeAssistant, hass_admin_user: User) -> None:
    """One name, one tool; an action of that name comes first."""
    await async_set_up(hass)
    unregister = async_register_tool(hass, _tool("example.say"))
    with pytest.raises(ValueError, match="already"):
        async_register_tool(hass, _tool("example.say"))
    async_register_tool(hass, _tool("input_boolean.turn_on"))
    search = {"tool": "tool_search", "arguments": {"query": "say"}}
    calls: list[dict[str, Any]] = [{"tool": "example__say"}, SWITCH, search]
    said, switched, found = (await act(hass, hass_admin_user, *calls))["results"]
    assert said["value"] == {"said": "hello"}
    assert switched["value"] is None
    assert found["value"]["found"][0]["tool"] == "example.say"
    unregister()
    unregister()
    (gone,) = (await act(hass, hass_admin_user, {"tool": "example.say"}))["results"]
    assert gone["error"]["reason"] == "not_found"


@pytest.mark.parametrize("file", ["__init__.py", "manifest.json"])
def test_document_has_the_example(file: str) -> None:
    """What authors read is what is tested here."""
    text = (EXAMPLE / file).read_text(encoding="utf-8").strip()
    assert text in DOCUMENT.read_text(encoding="utf-8")
