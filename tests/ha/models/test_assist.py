"""Exposed sequences as tools in Home Assistant's own Assist API."""

from typing import Any

from homeassistant.core import Context
from homeassistant.helpers import llm
import probatio
import pytest

from .talking_home import TalkingHome, async_sequence, call

GROUPS: list[dict[str, Any]] = [
    {
        "name": "g",
        "in": {
            "lamp": {
                "type": "string",
                "enum": ["study", "kitchen"],
                "description": "Which one",
            },
            "level": {"type": "integer", "default": 50},
        },
        "tools": (
            '{"tool":"light.turn_on","args":{"entity_id":"light.${args.lamp}",'
            '"brightness_pct":$args.level}} ;'
        ),
    }
]


def runs(api: llm.APIInstance) -> dict[str, llm.Tool]:
    """Return the tools that run sequences."""
    return {tool.name: tool for tool in api.tools if "__run_" in tool.name}


async def test_exposed_sequence_is_a_tool(home: TalkingHome) -> None:
    """Typed parameters, the person's rights, and the report as the result."""
    await async_sequence(home, "Light up", GROUPS, exposed=True)
    await async_sequence(home, "Hidden", GROUPS, exposed=False)
    api = await home.api(ids="assist")
    (tool,) = runs(api).values()
    assert (tool.name, tool.integration) == ("homeagent__run_light_up", "homeagent")
    assert tool.description == "Run the sequence Light up. Lights a lamp"
    shown = probatio.to_openapi(tool.parameters, openapi_version="3.1.0")
    assert shown["required"] == ["lamp"]
    assert shown["properties"]["lamp"]["enum"] == ["study", "kitchen"]
    assert shown["properties"]["lamp"]["description"] == "Which one"
    result = await call(api, tool.name, {"lamp": "study", "level": "20"})
    assert not result.error, result
    assert home.lamps["study"].is_on
    assert "Light up" in str(result.data["result"])


@pytest.mark.parametrize(
    "arguments", [{}, {"lamp": "safe"}, {"lamp": "study", "level": "much"}]
)
async def test_wrong_inputs_are_told(
    home: TalkingHome, arguments: dict[str, object]
) -> None:
    """Nothing runs, and the data says why."""
    await async_sequence(home, "Light up", GROUPS, exposed=True)
    api = await home.api(ids="assist")
    result = await call(api, "homeagent__run_light_up", arguments)
    assert result.error
    assert result.data["error"]
    assert not any(lamp.is_on for lamp in home.lamps.values())


async def test_those_without_rights_see_none(home: TalkingHome) -> None:
    """No person and no voice device: no sequence."""
    await async_sequence(home, "Light up", GROUPS, exposed=True)
    asked = home.asked(user=False)
    asked.context = Context()
    api = await llm.async_get_api(home.hass, "assist", asked)
    assert runs(api) == {}


async def test_own_api_offers_them_where_they_are_switched_on(
    home: TalkingHome,
) -> None:
    """There `seq_run` is enough, unless the user wants more."""
    await async_sequence(home, "Light up", GROUPS, exposed=True)
    api = await home.api()
    assert "seq_run" in {tool.name for tool in api.tools}
    assert "Sequences: Light up" in api.api_prompt
    assert runs(api) == {}
    await home.set_options(tools_added=["homeagent__run_light_up"])
    assert set(runs(await home.api())) == {"homeagent__run_light_up"}
