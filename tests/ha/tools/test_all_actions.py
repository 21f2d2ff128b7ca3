"""Every action of a broad Home Assistant is a sound tool."""

import json
from pathlib import Path

from homeassistant.core import HomeAssistant
from homeassistant.helpers import service as service_helper, translation
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
import pytest

from custom_components.homeagent.tools.action_names import llm_name
from custom_components.homeagent.tools.action_tool import ActionTool
from custom_components.homeagent.tools.actions import ActionRegistry

from .broad import async_build
from .house import DIRECT

type Tools = dict[str, ActionTool]

AT_LEAST = 250
"""Actions that the house has; fewer mean that parts of it were not set up."""


@pytest.fixture
def expected_lingering_timers() -> bool:
    """The demo's entities poll; their timers are not ours."""
    return True


@pytest.fixture
async def tools(
    hass: HomeAssistant,
    registry: ActionRegistry,
    tmp_path: Path,
) -> Tools:
    """Return every action's tool."""
    await async_build(hass, tmp_path)
    await registry.async_prepare()
    found = {}
    for name in registry.names():
        tool = registry.find(name)
        assert tool is not None, name
        found[name] = tool
    assert len(found) > AT_LEAST
    return found


async def test_schemas_are_valid_and_plain_json(tools: Tools) -> None:
    """JSON Schema 2020-12 of an object, and nothing that JSON cannot say."""
    for name, tool in tools.items():
        schema = json.loads(json.dumps(dict(tool.definition.parameters)))
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object", name
        assert isinstance(schema["additionalProperties"], bool), name
        assert set(schema.get("required", [])) <= set(schema["properties"]), name


async def test_function_names_fit_and_lead_back(
    tools: Tools, registry: ActionRegistry
) -> None:
    """At most 53 characters, unique, and the registry finds the tool by them."""
    names = {llm_name(name): name for name in tools}

    assert len(names) == len(tools)
    assert max(map(len, names)) <= 53
    for function, name in names.items():
        assert registry.find(function) is tools[name]


async def test_texts_are_there_where_home_assistant_has_them(
    hass: HomeAssistant, tools: Tools
) -> None:
    """No tool is nameless whose action Home Assistant can name."""
    descriptions = await service_helper.async_get_all_descriptions(hass)
    words = await translation.async_get_translations(
        hass, "en", "services", descriptions
    )
    for name, tool in tools.items():
        domain, action = name.split(".")
        path = f"component.{domain}.services.{action}"
        given = descriptions[domain][action]
        if words.get(f"{path}.description") or given.get("description"):
            assert tool.definition.description, name
        if words.get(f"{path}.name") or given.get("name"):
            assert tool.definition.title, name
        assert "{" not in tool.definition.description, name


async def test_every_targeted_action_takes_every_form_of_target(tools: Tools) -> None:
    """`target`, flat keys, texts, lists and comma lists come to the same."""
    one = {"entity_id": ["light.a", "light.b"], "area_id": ["kitchen"]}
    forms = (
        {"target": one},
        one,
        {"target": {"entity_id": "light.A, light.b"}, "area_id": "kitchen"},
        {"entity_id": '["light.a", "LIGHT.B"]', "target": {"area_id": "kitchen"}},
    )
    targeted = [tool for tool in tools.values() if tool.shape.needs_target]
    assert len(targeted) > 100
    for tool in targeted:
        seen = [tool.check(form).arguments for form in forms]
        assert seen == [one] * len(forms), tool.definition.name


async def test_required_and_closed_are_what_home_assistant_says(tools: Tools) -> None:
    """Whatever the description leaves out or exaggerates."""

    def schema(name: str) -> dict[str, object]:
        return dict(tools[name].definition.parameters)

    assert schema("climate.set_hvac_mode")["required"] == ["hvac_mode"]
    assert "required" not in schema("homeassistant.reload_config_entry")
    assert "required" not in schema("media_player.play_media")
    assert schema("script.movie_night")["required"] == ["room"]
    closed = {
        name: not schema(name)["additionalProperties"]
        for name in (
            "light.turn_on",
            "persistent_notification.create",
            "homeassistant.turn_on",
            "script.movie_night",
            "logger.set_level",
            "media_player.play_media",
        )
    }
    assert closed == {
        "light.turn_on": True,
        "persistent_notification.create": True,
        "homeassistant.turn_on": False,
        "script.movie_night": False,
        "logger.set_level": False,
        "media_player.play_media": False,
    }


async def test_fields_only_the_handler_knows_are_taken(tools: Tools) -> None:
    """`device_tracker.see` and others take more than they describe."""
    taken = tools["light.turn_on"].check(
        {"entity_id": "light.a", "brightness_step": "5", "metadata": {}}
    )
    assert (taken.problems, taken.arguments["brightness_step"]) == ((), 5)


async def test_script_fields(tools: Tools) -> None:
    """A script's fields are its schema; what is missing is required, not blank."""
    tool = tools["script.movie_night"]

    assert tool.definition.description == "Dims the lights for a film."
    assert dict(tool.definition.parameters)["properties"] == {
        "room": {"type": "string", "description": "Where the film is shown."},
        "level": {"type": "number", "minimum": 0, "maximum": 100},
        "lights": {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "string"}},
            ]
        },
        "mood": {"type": "string", "enum": ["dark", "cosy"]},
    }
    (problem,) = tool.check({}).problems
    assert (problem.reason.value, problem.field) == ("required", "room")
    checked = tool.check({"room": "kitchen", "lights": "Light.A", "extra": 1})
    assert (checked.problems, checked.arguments) == (
        (),
        {"room": "kitchen", "lights": ["light.a"], "extra": 1},
    )


async def test_declared_in_the_table(tools: Tools, registry: ActionRegistry) -> None:
    """The table knows every action of every domain that it covers."""
    table = registry.declarations
    unknown = [
        name
        for name in tools
        for domain, action in [name.split(".")]
        if table.covers(domain) and not table.knows(domain, action)
    ]
    uncovered = {
        name.split(".")[0] for name in tools if not table.covers(name.split(".")[0])
    }
    assert unknown == []
    assert uncovered == set()


async def test_only_returning_data_means_safe_and_without_keys(tools: Tools) -> None:
    """Reading does not wait for reading."""
    readers = [tool for tool in tools.values() if tool.definition.read_only]
    assert len(readers) > 5
    assert [t.definition.name for t in readers if not t.definition.parallel_safe] == []
    assert [t.definition.name for t in readers if t.facts({}, DIRECT).keys] == []
    # By Home Assistant's word these only return data; one speaks, one writes a file.
    assert not tools["assist_satellite.ask_question"].definition.read_only
    assert not tools["ai_task.generate_image"].definition.read_only


SAFE = (
    "light.turn_on weather.get_forecasts notify.send_message homeassistant.turn_off"
    " notify.persistent_notification tts.speak"
).split()
UNSAFE = (
    "homeassistant.restart homeassistant.reload_all input_boolean.reload"
    " script.movie_night script.turn_on automation.trigger shell_command.say"
    " camera.snapshot update.install scene.turn_on conversation.process"
).split()


async def test_declarations_reach_the_tools(tools: Tools) -> None:
    """What restarts, writes or runs others is not safe; commands to entities are."""
    assert [one for one in SAFE if not tools[one].definition.parallel_safe] == []
    assert [one for one in UNSAFE if tools[one].definition.parallel_safe] == []
