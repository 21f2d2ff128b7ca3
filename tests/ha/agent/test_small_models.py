"""Small models: what stands in every request fits, and tools are simple on demand."""

from collections.abc import Sequence
from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.homeagent.agent.standing import SHARE, stand
from custom_components.homeagent.agent.trimming import tokens
from custom_components.homeagent.kernel.json_text import encode_json
from custom_components.homeagent.tools.default_set import (
    DEFAULT_SET,
    FIRST_LEFT_OUT,
    SIMPLE,
)
from custom_components.homeagent.tools.narrowing import MOST_IDS, fewer, simple
from custom_components.homeagent.tools.offered_tools import OfferedTool

from .agent_home import AgentHome, async_agent_home
from .scripted_server import Body, ScriptedServer, calls, words

SEARCH = ("tool_search", "tool_call")
IDS = {"type": ["string", "array"]}
WORDS = {"type": "string"}
LAMPS = ["light.a", "light.b"]


def tool(
    name: str, /, *, required: Sequence[str] = (), **properties: object
) -> OfferedTool:
    """Return a tool as it is offered."""
    shown = {"type": "object", "properties": properties, "required": [*required]}
    return OfferedTool(function=name.replace(".", "__"), tool=name, shown=shown)  # type: ignore[arg-type]


def names(offered: Sequence[OfferedTool]) -> list[str]:
    return [each.tool for each in offered]


def test_lists_get_shorter_by_what_is_asked_for_least() -> None:
    """One after the other, each with those that are of no use without it."""
    rest = ["mine.first", "seq_run", *SEARCH, "light.turn_on"]
    own = ["seq_help", "seq_create", *rest]
    assert [names(each) for each in fewer(map(tool, own))] == [own, rest]


@pytest.mark.parametrize("missing", SEARCH)
def test_nothing_is_left_out_that_could_not_be_found(missing: str) -> None:
    own = [name for name in DEFAULT_SET if name != missing]
    assert len(list(fewer([tool(name) for name in own]))) == 1


def test_what_is_left_out_and_simple_are_tools_of_the_default_set() -> None:
    assert {*FIRST_LEFT_OUT, *SIMPLE} <= {*DEFAULT_SET}
    assert not {*FIRST_LEFT_OUT}.intersection(SEARCH)


@pytest.mark.parametrize(
    ("shown", "properties"),
    [
        (
            tool("light.turn_on", entity_id=IDS, area_id=IDS, brightness_pct=WORDS),
            {"entity_id": {"type": "string", "enum": LAMPS}},
        ),
        (
            tool("light.x", required=["color"], entity_id=IDS, color=WORDS),
            {"entity_id": {"type": "string", "enum": LAMPS}, "color": WORDS},
        ),
        (
            tool("climate.set_temperature", entity_id=IDS, temperature=WORDS, x=WORDS),
            {"entity_id": {"type": "string"}, "temperature": WORDS},
        ),
        (
            tool("homeassistant.turn_on", entity_id=IDS, area_id=IDS),
            {"entity_id": {"type": "string"}},
        ),
    ],
)
def test_simple_form(shown: OfferedTool, properties: object) -> None:
    """One entity, those there are, and what is required; all of it required then."""
    made = simple(shown, lambda domain: LAMPS if domain == "light" else [])
    assert made.shown["properties"] == properties
    assert made.shown["required"] == [*made.shown["properties"]]  # type: ignore[misc]
    assert (made.tool, made.function) == (shown.tool, shown.function)


def test_simple_form_of_many_entities_names_none() -> None:
    many = [f"light.lamp_{number}" for number in range(MOST_IDS + 1)]
    made = simple(tool("light.turn_on", entity_id=IDS), lambda domain: many)
    assert made.shown["properties"] == {"entity_id": {"type": "string"}}


@pytest.mark.parametrize(
    "same",
    [
        tool("get_state", entity_id={"type": "array"}),
        tool("script.lamp", entity_id={"enum": ["light.a"]}),
        tool("seq_run", name=WORDS),
    ],
)
def test_other_tools_stay_as_they_are(same: OfferedTool) -> None:
    assert simple(same, lambda domain: LAMPS) == same


def test_what_does_not_fit_at_all_is_sent_in_its_shortest_form() -> None:
    offered = [tool(name) for name in DEFAULT_SET]
    found = stand(offered, lambda shown, characters: "x" * (8000 + characters), 2048)
    assert found.text == "x" * 8000
    assert set(found.left_out) == {*FIRST_LEFT_OUT}


def size(request: Body) -> int:
    """Return the tokens of what stands in a request, by the estimate that counts."""
    text = request["messages"][0]["content"]
    return tokens(text) + tokens(encode_json(request["tools"]))


async def demo_home(
    hass: HomeAssistant, server: ScriptedServer, user: User, **data: Any
) -> AgentHome:
    """Set Home Assistant's demo up, with everything allowed."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "demo", {})
    server.always = words("Hello.")
    home = await async_agent_home(hass, server, user.id, **data)
    await hass.async_block_till_done()
    for state in hass.states.async_all(list(Platform)):
        async_expose_entity(hass, "conversation", state.entity_id, True)
    return home


@pytest.mark.parametrize("context", [4096, 16384])
async def test_a_small_context_gets_less(
    hass: HomeAssistant,
    server: ScriptedServer,
    hass_admin_user: User,
    caplog: pytest.LogCaptureFixture,
    context: int,
) -> None:
    """In the demo home: fits 4,096 tokens, says so once; nothing less with room enough."""
    home = await demo_home(hass, server, hass_admin_user, context=context)
    for _ in range(2):
        assert await home.hear("Hi") == "Hello."
    small = context == 4096
    told = [one for one in caplog.messages if "is not shown these tools" in one]
    assert len(told) == small
    functions = [each["function"]["name"] for each in server.requests[-1]["tools"]]
    assert {"tool_search", "tool_call", "find_entities", "seq_run"} <= {*functions}
    assert ("seq_create" in functions) is not small
    assert ("seq_create" in "".join(told)) is small
    assert size(server.requests[-1]) <= context * SHARE
    prompt = server.requests[-1]["messages"][0]["content"]
    assert "light.kitchen_lights" in prompt
    assert "more are not listed" in prompt
    # Servers remember how a prompt begins, so what changes stands at its end.
    assert prompt.index("light.kitchen_lights") < prompt.index("Current time is")


async def test_simple_tools_are_a_setting(
    hass: HomeAssistant, server: ScriptedServer, hass_admin_user: User
) -> None:
    """The model is shown one lamp of those that the person may use, and can call it."""
    home = await demo_home(hass, server, hass_admin_user, simple_tools=True)
    await home.hear("Hi")
    (shown,) = (
        each["function"]["parameters"]
        for each in server.requests[-1]["tools"]
        if each["function"]["name"] == "light__turn_on"
    )
    assert [*shown["properties"]] == shown["required"] == ["entity_id"]
    assert "light.kitchen_lights" in shown["properties"]["entity_id"]["enum"]


@pytest.mark.parametrize(
    ("simple_tools", "rounds", "ran"),
    [(True, 3, ["a1", "a2"]), (False, 4, ["a1", "a2", "a2"])],
)
async def test_a_small_model_that_repeats_itself_is_stopped(
    home: AgentHome,
    server: ScriptedServer,
    simple_tools: bool,
    rounds: int,
    ran: Sequence[str],
) -> None:
    """What it repeats is not done again; others may mean it."""
    home.change(simple_tools=simple_tools)
    server.say(*(calls(("test__a", {"n": number})) for number in (1, 2, 2)))
    server.always = words("Done.")
    said = await home.hear("Do it.")
    assert home.counted.ended == ran
    assert len(server.requests) == rounds
    assert said.startswith("Done: ") is simple_tools
