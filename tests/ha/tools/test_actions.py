"""The registry of actions: nothing that exists is remembered, all that is known is."""

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers.service import async_set_service_schema
from homeassistant.setup import async_setup_component
import probatio
import pytest

from custom_components.homeagent.kernel.contract import JsonSchema
from custom_components.homeagent.tools.action_names import llm_name
from custom_components.homeagent.tools.actions import ActionRegistry
from custom_components.homeagent.tools.declarations import parse_declarations

from .house import Lamp, async_move_in, call


async def do_nothing(service_call: ServiceCall) -> None:
    """Handle a call by doing nothing."""


def parameters(registry: ActionRegistry, name: str) -> JsonSchema:
    tool = registry.find(name)
    assert tool is not None
    return tool.definition.parameters


async def test_what_exists_is_asked_every_time(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """No event needs to pass in between."""
    assert registry.find("x.y") is None
    hass.services.async_register("x", "y", do_nothing)
    assert registry.find("x.y") is not None
    assert list(registry.names()) == ["x.y"]
    hass.services.async_remove("x", "y")
    assert registry.find("x.y") is None
    assert list(registry.names()) == []


async def test_another_implementation_of_the_same_name_is_noticed(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """What was worked out of the first must not be told of the second."""
    hass.services.async_register("x", "y", do_nothing, probatio.Schema({"a": str}))
    first = registry.find("x.y")
    assert first is registry.find("x.y")
    hass.services.async_register("x", "y", do_nothing, probatio.Schema({"b": str}))
    second = registry.find("x.y")

    assert second is not first
    assert dict(parameters(registry, "x.y"))["properties"] == {"b": {}}


async def test_a_description_that_changes_is_noticed(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """Home Assistant fires no event for it."""
    hass.services.async_register("x", "y", do_nothing)
    fields = {"a": {"selector": {"text": {}}, "required": True}}
    async_set_service_schema(hass, "x", "y", {"description": "One.", "fields": fields})
    assert parameters(registry, "x.y")["required"] == ["a"]
    async_set_service_schema(hass, "x", "y", {"description": "Two.", "fields": {}})

    tool = registry.find("x.y")

    assert tool is not None
    assert tool.definition.description == "Two."
    assert "required" not in tool.definition.parameters


async def test_before_the_descriptions_are_read_everything_is_open(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """Usable, careful, and not yet safe."""
    lamp = Lamp("a")
    await async_move_in(hass, [lamp])
    tool = registry.find("light.turn_on")
    assert tool is not None
    assert tool.definition.parameters["additionalProperties"] is True
    assert tool.definition.parallel_safe is False
    assert tool.check({"entity_id": "{{ x }}"}).problems
    assert tool.check({}).problems

    done = await call(registry, "light.turn_on", {"target": {"entity_id": "LIGHT.A"}})

    assert (done.error, lamp.runs) == (None, 1)
    await registry.async_prepare()
    later = registry.find("light.turn_on")
    assert later is not None
    assert later.definition.parameters["additionalProperties"] is False
    assert later.definition.parallel_safe is True


async def test_descriptions_are_read_in_the_background(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """At the start, and when something is registered."""
    stop = registry.async_start()
    await hass.async_block_till_done(wait_background_tasks=True)
    assert registry.declarations.covers("light")
    assert await async_setup_component(hass, "counter", {"counter": {"visits": {}}})
    await hass.async_block_till_done(wait_background_tasks=True)

    tool = registry.find("counter.increment")

    stop()
    assert tool is not None
    assert tool.shape.described
    assert tool.definition.title == "Increment counter"


async def test_texts_follow_the_language(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """English where a language has none."""
    assert await async_setup_component(hass, "counter", {"counter": {"visits": {}}})
    await registry.async_prepare()
    english = registry.find("counter.increment")
    await hass.config.async_update(language="de")
    await registry.async_prepare()
    german = registry.find("counter.increment")

    assert english is not None
    assert german is not None
    assert german.definition.description
    assert english.definition.description != german.definition.description


async def test_own_declarations_come_first(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """The user may declare more, and withdraw; at once."""
    for action in ("y", "z"):
        hass.services.async_register("x", action, do_nothing)
    table = parse_declarations("x: {y: {safe: true, why: tested}}")
    registry = ActionRegistry(hass, declarations=table)

    def safe() -> dict[str, bool]:
        found = {name: registry.find(name) for name in ("x.y", "x.z")}
        return {
            name: tool.definition.parallel_safe
            for name, tool in found.items()
            if tool is not None
        }

    assert safe() == {"x.y": True, "x.z": False}
    registry.set_overrides({"x.y": False, "x.z": True})
    assert safe() == {"x.y": False, "x.z": True}
    registry.set_overrides({})
    assert safe() == {"x.y": True, "x.z": False}


async def test_own_actions_are_no_tools(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """They are entrances: a tool of that name is the kernel's."""
    hass.services.async_register("homeagent", "call_tools", do_nothing)

    assert registry.find("homeagent.call_tools") is None
    assert registry.find("homeagent__call_tools") is None
    assert list(registry.names()) == []


@pytest.mark.parametrize(
    "name", ["script.a", f"script.{'long_' * 12}name", "script.odd__name"]
)
async def test_function_names_are_found(
    hass: HomeAssistant, registry: ActionRegistry, name: str
) -> None:
    """Also those that are shortened, and those registered after the first search."""
    assert registry.find(llm_name(name)) is None
    domain, action = name.split(".")
    hass.services.async_register(domain, action, do_nothing)

    tool = registry.find(llm_name(name))

    assert tool is not None
    assert tool.definition.name == name
    hass.services.async_remove(domain, action)
    assert registry.find(llm_name(name)) is None


@pytest.mark.parametrize(
    "name", ["", ".", "light", "Light.turn_on", "light.", "light.turn_on.x", "a__b__c"]
)
async def test_other_names_find_nothing(
    hass: HomeAssistant, registry: ActionRegistry, name: str
) -> None:
    hass.services.async_register("light", "turn_on", do_nothing)

    assert registry.find(name) is None
