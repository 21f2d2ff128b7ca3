"""The LLM API as an integration gets it: tools, schemas, calls, results."""

from collections.abc import Iterator
import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_bytes
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
import probatio
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events  # type: ignore[import-untyped]

from custom_components.homeagent.runtime import DATA_RUNTIME

from .talking_home import TalkingHome, call

IN_THIS_HOME = {
    "get_state",
    "find_entities",
    "homeassistant__turn_on",
    "homeassistant__turn_off",
    "homeassistant__toggle",
    "light__turn_on",
    "light__turn_off",
    "tool_search",
    "tool_call",
    "seq_list",
    "seq_create",
    "seq_help",
}
"""What an administrator is offered by the rules of a fresh entry: nothing to run yet."""


def schemas(api: llm.APIInstance, version: str = "3.1.0") -> dict[str, dict[str, Any]]:
    """Return the parameters of all tools as an integration converts them."""
    return {
        tool.name: probatio.to_openapi(
            tool.parameters,
            custom_serializer=api.custom_serializer,
            openapi_version=version,
        )
        for tool in api.tools
    }


def nodes(value: object) -> Iterator[dict[str, Any]]:
    """Go through all objects in a schema."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from nodes(each)


async def test_default_set(home: TalkingHome) -> None:
    """What is there and may be used, nothing else; each tool says whose it is."""
    api = await home.api()
    assert {tool.name for tool in api.tools} == IN_THIS_HOME
    assert {tool.integration for tool in api.tools} == {"homeagent"}
    reading = {tool.name for tool in api.tools if tool.annotations.read_only}
    assert {"get_state", "find_entities", "tool_search"} <= reading
    assert not {"light__turn_on", "tool_call", "seq_create"} & reading


@pytest.mark.parametrize("platform", ["ollama", "mcp_server", "other"])
@pytest.mark.parametrize("ids", ["homeagent", ["assist", "homeagent"]])
@pytest.mark.parametrize("version", ["3.0", "3.1.0"])
async def test_schemas_are_valid(
    home: TalkingHome, platform: str, ids: str | list[str], version: str
) -> None:
    """For every platform, alone and merged, each schema is JSON Schema 2020-12."""
    found = schemas(await home.api(platform, ids=ids), version)
    lamp = next(found[name] for name in found if name.endswith("light__turn_on"))
    for schema in found.values():
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert "properties" in schema
    assert '"maximum": 100' in json.dumps(lamp["properties"]["brightness_pct"])
    assert lamp["properties"]["rgb_color"] != {}
    assert all(len(name) <= 64 for name in found)


async def test_models_get_one_type_for_each_value(home: TalkingHome) -> None:
    """Some integrations fail on a list of types, or on an array without items."""
    for schema in schemas(await home.api()).values():
        for node in nodes(schema):
            assert not isinstance(node.get("type"), list)
            assert node.get("type") != "array" or "items" in node


async def test_free_objects_are_text_where_servers_know_none(home: TalkingHome) -> None:
    """The arguments of `tool_call` can be given there, as JSON text."""
    api = await home.api("google_generative_ai_conversation")
    shown = schemas(api)["tool_call"]["properties"]["arguments"]
    assert shown["type"] == "string"
    inner = json.dumps({"entity_id": "light.study"})
    given = {"tool": "light.turn_on", "arguments": inner}
    assert not (await call(api, "tool_call", given)).error
    assert home.lamps["study"].is_on


@pytest.mark.parametrize(
    "arguments",
    [
        {"entity_id": "light.study", "brightness_pct": "50"},
        {"entity_id": ["light.study"], "brightness_pct": 50.0, "transition": None},
        {"entity_id": "LIGHT.STUDY", "brightness_pct": 50},
        {"entity_id": "Study", "brightness_pct": 50},
        {"entity_id": "reading LAMP", "brightness_pct": 50},
        '{"entity_id": "light.study", "brightness_pct": 50}',
    ],
)
async def test_lenient_arguments(home: TalkingHome, arguments: object) -> None:
    """Models send numbers as texts, names for ids, and JSON text for objects."""
    result = await call(await home.api(), "light__turn_on", arguments)
    assert result == llm.ToolResult(
        data={"result": {"changed": {"light.study": "on"}}}, error=False
    )
    assert home.lamps["study"].brightness == 128


@pytest.mark.parametrize(
    ("tool", "arguments", "reason", "words"),
    [
        ("light__turn_on", {"entity_id": "light.safe"}, "unauthorized", "not allowed"),
        ("light__turn_on", {"entity_id": "light.none"}, "unauthorized", "not allowed"),
        ("light__turn_onn", {}, "unauthorized", "not allowed"),
        ("shell_command__wipe", {}, "unauthorized", "not allowed"),
        ("get_state", {}, "required", "not given"),
        ("get_state", "{", "arguments", ""),
        ("get_state", ["light.study"], "arguments", ""),
        ("vendor__crash", {}, "internal", "bug"),
    ],
)
async def test_errors_are_told_in_the_data(
    home: TalkingHome, tool: str, arguments: object, reason: str, words: str
) -> None:
    """Most integrations send the data only; nothing raises, no inner detail is told."""
    result = await call(await home.api(), tool, arguments)
    assert result.error
    assert result.data["reason"] == reason
    assert isinstance(result.data["error"], str)
    assert words in result.data["error"]
    assert result.data["hint"]
    assert "secret" not in json.dumps(result.data)


async def test_tool_that_was_not_offered_is_called_all_the_same(
    home: TalkingHome,
) -> None:
    """A model may call by its name what `tool_search` found."""
    api = await home.api()
    found = await call(api, "tool_search", {"query": "vendor hang"})
    assert "vendor.hang" in json.dumps(found.data)
    home.release.set()
    assert not (await call(api, "vendor.hang", {})).error
    assert home.ran == ["hang"]
    assert {tool.name for tool in api.tools} == IN_THIS_HOME


@pytest.mark.parametrize(
    ("options", "gone", "new"),
    [
        ({"tools_off": ["light.turn_on", "tool_call"]}, 2, 0),
        ({"tools_added": ["vendor.crash", "light.toggle"]}, 0, 2),
        ({"tools_added": ["no.such"], "tools_off": ["host_run"]}, 0, 0),
    ],
)
async def test_switches(
    home: TalkingHome, options: dict[str, object], gone: int, new: int
) -> None:
    """Each tool is switched on and off; it counts at once."""
    await home.set_options(**options)
    names = {tool.name for tool in (await home.api()).tools}
    assert len(IN_THIS_HOME - names) == gone
    assert len(names - IN_THIS_HOME) == new


async def test_api_comes_and_goes_with_the_entry(home: TalkingHome) -> None:
    """Unloaded it is gone, loaded again it is there again."""
    hass, entry = home.hass, home.entry
    assert "homeagent" in {api.id for api in llm.async_get_apis(hass)}
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert "homeagent" not in {api.id for api in llm.async_get_apis(hass)}
    assert await hass.config_entries.async_setup(entry.entry_id)
    assert "homeagent" in {api.id for api in llm.async_get_apis(hass)}


async def test_rights_are_those_of_who_asks(
    hass: HomeAssistant, home: TalkingHome
) -> None:
    """Nobody signed in, and no voice device: nothing to control, and so no such tool."""
    nobody = await llm.async_get_api(hass, "homeagent", home.asked(user=False))
    names = {tool.name for tool in nobody.tools}
    assert "light__turn_on" not in names
    assert (await call(nobody, "light__turn_on", {"entity_id": "light.study"})).error
    assert not home.lamps["study"].is_on
    assert "light." not in nobody.api_prompt


@pytest.mark.parametrize("name", [None, 5, ["light.turn_on"], {"a": 1}, "\ud800", ""])
async def test_name_that_is_none(home: TalkingHome, name: Any) -> None:
    """Whatever a model calls a tool: refused, an event, and a history."""
    events = async_capture_events(home.hass, "homeagent_tool_call")
    api = await home.api()

    result = await api.async_call_tool(llm.ToolInput(tool_name=name, tool_args={}))
    await home.hass.async_block_till_done()

    assert (result.error, result.data["reason"]) == (True, "unauthorized")
    json_bytes(result.data)
    assert [type(event.data["tool"]) for event in events] == [str]
    json_bytes(home.hass.data[DATA_RUNTIME].history.export())
