"""Ids inside of arguments: brought into form, and acted on like those at the top."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.helpers.service import async_set_service_schema
import pytest

from custom_components.homeagent.tools.action_tool import ActionTool
from custom_components.homeagent.tools.actions import ActionRegistry

from .house import DIRECT, Lamp, async_move_in

ENTITY: dict[str, object] = {"entity": {}}
LAMP = {"object": {"fields": {"lamp": {"selector": ENTITY}}}}
LAMPS = {
    "object": {
        "multiple": True,
        "fields": {"lamps": {"selector": {"entity": {"multiple": True}}}},
    }
}
DEEP = {"object": {"fields": {"in": {"selector": LAMPS}}}}
WHERE: dict[str, object] = {"object": {"fields": {"at": {"selector": {"target": {}}}}}}
CHOICE = {
    "choose": {
        "choices": {"a": {"selector": ENTITY}, "b": {"selector": {"number": {}}}}
    }
}
WORDS = {
    "choose": {"choices": {"a": {"selector": ENTITY}, "b": {"selector": {"text": {}}}}}
}
CHOICES = {"object": {"multiple": True, "fields": {"x": {"selector": CHOICE}}}}
OBJECTS = {
    "choose": {"choices": {"a": {"selector": LAMP}, "b": {"selector": {"text": {}}}}}
}
LIMIT = {"numeric_threshold": {"mode": "is"}}


async def paint(
    hass: HomeAssistant, registry: ActionRegistry, selector: object
) -> ActionTool:
    """Return an action with one field of a selector, `x`."""
    await async_move_in(hass, [Lamp("a"), Lamp("b")])
    er.async_get(hass).async_update_entity("light.a", name="Reading lamp")
    area = ar.async_get(hass).async_create("Study")
    er.async_get(hass).async_update_entity("light.b", area_id=area.id)
    await hass.async_block_till_done()
    hass.services.async_register("test", "paint", lambda call: None)
    fields = {"fields": {"x": {"selector": selector}}}
    async_set_service_schema(hass, "test", "paint", fields)
    found = registry.find("test.paint")
    assert isinstance(found, ActionTool)
    return found


@pytest.mark.parametrize(
    ("selector", "given", "comes_to", "acted_on"),
    [
        (LAMP, {"lamp": "LIGHT.A"}, {"lamp": "light.a"}, "a"),
        (LAMP, {"lamp": "Reading lamp"}, {"lamp": "light.a"}, "a"),
        (LAMP, '{"lamp": "Light.B"}', {"lamp": "light.b"}, "b"),
        (
            LAMPS,
            [{"lamps": "light.a, LIGHT.B"}],
            [{"lamps": ["light.a", "light.b"]}],
            "ab",
        ),
        (DEEP, {"in": [{"lamps": ["Light.B"]}]}, {"in": [{"lamps": ["light.b"]}]}, "b"),
        (WHERE, {"at": {"area_id": "Study"}}, {"at": {"area_id": ["study"]}}, "b"),
        (CHOICE, "LIGHT.A", "light.a", "a"),
        (CHOICE, 5, 5, ""),
        (
            CHOICE,
            {"active_choice": "a", "a": "LIGHT.A"},
            {"active_choice": "a", "a": "light.a"},
            "a",
        ),
        (CHOICES, [{"x": 1}, {"x": "Light.A"}], [{"x": 1}, {"x": "light.a"}], "a"),
        (OBJECTS, {"lamp": "LIGHT.B"}, {"lamp": "light.b"}, "b"),
        (WORDS, "Reading lamp", "Reading lamp", ""),
        (WORDS, "light.a, LIGHT.B", ["light.a", "light.b"], "ab"),
        (WORDS, "hello, light.a", "hello, light.a", "a"),
        (
            LIMIT,
            {"type": "above", "value": {"entity": "LIGHT.A"}},
            {"type": "above", "value": {"entity": "light.a"}},
            "a",
        ),
        (
            {"statistic": {"multiple": True}},
            ["light.a", "x:y"],
            ["light.a", "x:y"],
            "a",
        ),
        (
            {"media": {}},
            {
                "entity_id": "light.a",
                "media_content_id": "x",
                "media_content_type": "y",
            },
            {
                "entity_id": "light.a",
                "media_content_id": "x",
                "media_content_type": "y",
            },
            "a",
        ),
    ],
)
async def test_ids_inside(
    hass: HomeAssistant,
    registry: ActionRegistry,
    selector: object,
    given: object,
    comes_to: object,
    acted_on: str,
) -> None:
    """They are the call's fields, and its ordering keys."""
    tool = await paint(hass, registry, selector)

    checked = tool.check({"x": given})

    assert (checked.problems, checked.arguments) == ((), {"x": comes_to})
    entities = {f"light.{name}" for name in acted_on}
    assert tool.resolve(checked.arguments).fields == entities
    keys = tool.facts(checked.arguments, DIRECT).keys
    assert keys is not None
    assert set(keys) == {f"entity:{one}" for one in entities}
    assert tool.check(checked.arguments).arguments == checked.arguments


@pytest.mark.parametrize(
    ("selector", "given", "field"),
    [
        (LAMP, {"lamp": "{{ x }}"}, "x.lamp"),
        (LAMP, {"lamp": "no lamp"}, "x.lamp"),
        (LAMPS, [{}, {"lamps": "all, light.a"}], "x[1].lamps"),
        (
            DEEP,
            {"in": [{"lamps": [f"light.x{n}" for n in range(1001)]}]},
            "x.in[0].lamps",
        ),
    ],
)
async def test_problems_inside(
    hass: HomeAssistant,
    registry: ActionRegistry,
    selector: object,
    given: object,
    field: str,
) -> None:
    """They say where."""
    tool = await paint(hass, registry, selector)
    (problem,) = tool.check({"x": given}).problems
    assert (problem.reason.value, problem.field) == ("value", field)
