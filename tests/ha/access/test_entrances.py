"""Every way in, against one forbidden call: the lamp in the study stays off (page 3 §3.5).

Each entrance makes the child's call of `light.turn_on` on the lamp that no rule grants,
and the same call on the kitchen's lamp, which one does: an entrance that lets nothing
through would prove nothing. The lamps count.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
import json
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, entity_registry as er, llm
from homeassistant.setup import async_setup_component
import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.typing import (  # type: ignore[import-untyped]
    ClientSessionGenerator,
    WebSocketGenerator,
)

from custom_components.homeagent.kernel.contract import Entrance
from tests.ha.agent.agent_home import agent
from tests.ha.agent.scripted_server import ScriptedServer, calls, open_server, words

from .guarded import Guarded, async_guarded


@dataclass
class House(Guarded):
    """The guarded home, with what the entrances need."""

    server: ScriptedServer | None = None
    clients: ClientSessionGenerator | None = None
    websockets: WebSocketGenerator | None = None
    token: str = ""

    def entry(self, title: str) -> ConfigEntry:
        """Return the entry of a sequence."""
        entries = self.hass.config_entries.async_entries("homeagent")
        (entry,) = (each for each in entries if each.title == title)
        return entry

    @property
    def context(self) -> Context:
        """What the child does by itself."""
        return Context(user_id=self.child.id)

    def call_of(self, room: str) -> dict[str, Any]:
        """Return the call as `call_tools` takes it."""
        return {
            "tool": "light.turn_on",
            "arguments": {"entity_id": f"light.{room}"},
        }

    async def act(self, domain: str, action: str, **data: object) -> Any:
        """Call an action of Home Assistant as the child; what it raises is its answer."""
        with suppress(HomeAssistantError):
            await self.hass.services.async_call(
                domain, action, data, blocking=True, context=self.context
            )
        await self.hass.async_block_till_done()


async def call_tools(house: House, room: str) -> None:
    """The action for batches."""
    await house.act("homeagent", "call_tools", calls=[house.call_of(room)])


async def websocket(house: House, room: str) -> None:
    """The same over the frontend's own connection, signed in as the child."""
    assert house.websockets is not None
    client = await house.websockets(house.hass, house.token)
    await client.send_json_auto_id(
        {
            "type": "call_service",
            "domain": "homeagent",
            "service": "call_tools",
            "service_data": {"calls": [house.call_of(room)]},
        }
    )
    await client.receive_json()


async def rest(house: House, room: str) -> None:
    """The same over Home Assistant's REST API."""
    assert house.clients is not None
    client = await house.clients(house.token)
    await client.post(
        "/api/services/homeagent/call_tools", json={"calls": [house.call_of(room)]}
    )


async def tool_call(house: House, room: str) -> None:
    """The tool that calls tools."""
    await house.call("tool_call", house.call_of(room))


async def run(house: House, room: str) -> None:
    """A step of a sequence that the child may run."""
    await house.act("homeagent", "seq_run", name="Open", args={"room": room})


async def run_action(house: House, room: str) -> None:
    """The same by the sequence's own action."""
    await house.act("homeagent", "run_open", room=room)


async def nested(house: House, room: str) -> None:
    """A group that a group calls."""
    await house.act("homeagent", "seq_run", name="Nested", args={"room": room})


async def crossing(house: House, room: str) -> None:
    """A sequence that a sequence calls."""
    await house.act("homeagent", "seq_run", name="Crossing", args={"room": room})


async def called(house: House, room: str) -> None:
    """A sequence that the tool for calls by name calls."""
    arguments = {"target": "#Open", "args": {"room": room}}
    await house.call("seq_call", arguments)


async def in_the_background(house: House, room: str) -> None:
    """A run that nobody waits for."""
    arguments = {"name": "Open", "args": {"room": room}, "wait": False}
    result = await house.call("seq_run", arguments)
    await house.call("seq_run", {"run_id": (result.value or {}).get("run_id", "x")})


async def button(house: House, room: str) -> None:
    """The button of a sequence."""
    title = f"Button {room}"
    entity_id = house.runtime.presence.button(house.entry(title).entry_id)
    await house.act("button", "press", entity_id=entity_id)


async def script(house: House, room: str) -> None:
    """A script of Home Assistant, started by the child, that calls us back."""
    await house.act("script", f"back_{room}")


async def sentence(house: House, room: str) -> None:
    """A sentence, said by the child to Home Assistant's own agent."""
    await conversation.async_converse(
        house.hass, f"light the {room}", None, house.context, language="en"
    )


async def sentence_with_a_device(house: House, room: str) -> None:
    """The same with the id of a device that stands in the study."""
    await conversation.async_converse(
        house.hass,
        f"light the {room}",
        None,
        house.context,
        language="en",
        device_id=house.ids["study device"],
    )


async def of_api(house: House, api: str, tool: str, arguments: dict[str, Any]) -> None:
    """Call a tool of an API as another integration's agent does."""
    asked = llm.LLMContext(
        platform="ollama",
        context=house.context,
        language="en",
        assistant="conversation",
        device_id=house.ids["study device"],
    )
    instance = await llm.async_get_api(house.hass, api, asked)
    with suppress(HomeAssistantError):
        given = llm.ToolInput(tool_name=tool, tool_args=arguments)
        await instance.async_call_tool(given)


async def llm_api(house: House, room: str) -> None:
    """Our API, used by another integration's agent."""
    arguments = {"entity_id": f"light.{room}"}
    await of_api(house, "homeagent", "light__turn_on", arguments)


async def assist_tool(house: House, room: str) -> None:
    """An exposed sequence in Home Assistant's own Assist API."""
    await of_api(house, "assist", "homeagent__run_open", {"room": room})


async def mcp(house: House, room: str) -> None:
    """An MCP client, signed in as the child."""
    assert house.clients is not None
    client = await house.clients(house.token)
    headers = {"Authorization": f"Bearer {house.token}"}
    url = str(client.make_url("/api/mcp"))
    async with (
        httpx.AsyncClient(headers=headers, timeout=60) as http,
        streamable_http_client(url, http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        await session.call_tool("light__turn_on", {"entity_id": f"light.{room}"})


async def talking(house: House, room: str) -> None:
    """Our own agent, whose model wants the lamp on."""
    assert house.server is not None
    arguments = json.dumps({"entity_id": f"light.{room}"})
    house.server.say(calls(("light__turn_on", arguments)), words("Done."))
    (agent_id,) = (
        entity.entity_id
        for entity in er.async_get(house.hass).entities.values()
        if entity.domain == "conversation" and entity.config_subentry_id
    )
    await conversation.async_converse(
        house.hass, "on", None, house.context, language="en", agent_id=agent_id
    )
    assert not house.server.script


ENTRANCES: list[Callable[[House, str], Awaitable[None]]] = [
    call_tools,
    websocket,
    rest,
    tool_call,
    run,
    run_action,
    nested,
    crossing,
    called,
    in_the_background,
    button,
    script,
    sentence,
    sentence_with_a_device,
    llm_api,
    assist_tool,
    mcp,
    talking,
]


def _light(room: str) -> str:
    call = {"tool": "light.turn_on", "args": {"entity_id": f"light.{room}"}}
    return f"{json.dumps(call)} ;"


SEQUENCES: dict[str, list[dict[str, Any]]] = {
    "Open": [{"name": "g", "in": {"room": "string"}, "tools": _light("${args.room}")}],
    "Nested": [
        {
            "name": "inner",
            "call_only": True,
            "in": {"room": "string"},
            "tools": _light("${args.room}"),
        },
        {
            "name": "outer",
            "in": {"room": "string"},
            "tools": '{"tool":"seq_call","args":'
            '{"target":"inner","args":{"room":$args.room}}} ;',
        },
    ],
    "Crossing": [
        {
            "name": "g",
            "in": {"room": "string"},
            "tools": '{"tool":"seq_call","args":'
            '{"target":"#Open","args":{"room":$args.room}}} ;',
        }
    ],
    "Button kitchen": [{"name": "g", "tools": _light("kitchen")}],
    "Button study": [{"name": "g", "tools": _light("study")}],
}


@pytest.fixture(name="house")
async def house_fixture(
    hass: HomeAssistant,
    socket_enabled: None,
    hass_client: ClientSessionGenerator,
    hass_ws_client: WebSocketGenerator,
) -> AsyncIterator[House]:
    """Set up the home, its sequences and all entrances."""
    async with open_server() as server:
        for domain in ("homeassistant", "conversation", "api", "websocket_api"):
            assert await async_setup_component(hass, domain, {})
        guarded = await async_guarded(
            hass, components={"script": _scripts()}, more=[agent(server.url)]
        )
        house = House(
            **{name: getattr(guarded, name) for name in guarded.__dataclass_fields__},
            server=server,
            clients=hass_client,
            websockets=hass_ws_client,
        )
        await _furnish(house)
        refresh = await hass.auth.async_create_refresh_token(
            house.child, "https://example/"
        )
        house.token = hass.auth.async_create_access_token(refresh)
        yield house


def _scripts() -> dict[str, Any]:
    def back(room: str) -> dict[str, Any]:
        call = {"tool": "light.turn_on", "arguments": {"entity_id": f"light.{room}"}}
        step = {"action": "homeagent.call_tools", "data": {"calls": [call]}}
        return {"sequence": [step]}

    return {"back_kitchen": back("kitchen"), "back_study": back("study")}


async def _furnish(house: House) -> None:
    """Add the sequences, and let the child run them by every way."""
    hass = house.hass
    for name, groups in SEQUENCES.items():
        arguments = {"name": name, "groups": groups}
        made = await house.call("seq_create", arguments, user=house.admin)
        assert made.success, made.text
    options = house.entry("Open").options
    hass.config_entries.async_update_entry(
        house.entry("Open"), options={**options, "sentences": ["light the {room}"]}
    )
    (rule,) = (
        (entry, each)
        for entry in hass.config_entries.async_entries("homeagent")
        for each in entry.subentries.values()
        if each.title == "open"
    )
    data = {**rule[1].data, "sequences": [], "what": ["running_sequences"]}
    hass.config_entries.async_update_subentry(*rule, data=data)
    await hass.async_block_till_done()
    button_id = house.runtime.presence.button(house.entry("Open").entry_id)
    assert button_id is not None
    async_expose_entity(hass, "conversation", button_id, True)
    server = MockConfigEntry(
        domain="mcp_server",
        data={
            "all_llm_apis": False,
            "llm_hass_api": ["homeagent"],
            "require_admin": False,
        },
        version=1,
        minor_version=3,
    )
    server.add_to_hass(hass)
    assert await hass.config_entries.async_setup(server.entry_id)
    await hass.async_block_till_done()


async def test_no_entrance_lets_the_child_into_the_study(house: House) -> None:
    """The kitchen's lamp obeys, by every way; the study's never does."""
    for entrance in ENTRANCES:
        before = house.lamps["kitchen"].runs
        await entrance(house, "kitchen")
        await house.hass.async_block_till_done()
        assert house.lamps["kitchen"].runs == before + 1, entrance.__doc__
        await entrance(house, "study")
        await house.hass.async_block_till_done()
        assert house.untouched(), entrance.__doc__


async def test_voice_device_in_the_study_has_no_more_rights_than_its_rules(
    house: House,
) -> None:
    """It speaks without user; no rule is for voice devices here."""
    device = dr.async_get(house.hass).async_get(house.ids["study device"])
    assert device is not None
    for room in ("kitchen", "study"):
        await conversation.async_converse(
            house.hass,
            f"light the {room}",
            None,
            Context(),
            language="en",
            device_id=device.id,
        )
        await house.hass.async_block_till_done()
    assert house.untouched()
    assert house.lamps["kitchen"].runs == 0


async def test_every_entrance_of_the_kernel_is_here() -> None:
    """A new entrance needs a row: these are the names that calls come in by."""
    assert set(Entrance) == {
        "direct",
        "automation",
        "conversation",
        "mcp",
        "sentence",
        "system",
        "unknown",
    }
