"""MCP clients through Home Assistant's own `mcp_server`, with the real client."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
import json
from typing import Any

from aiohttp.test_utils import TestClient
from homeassistant.core import HomeAssistant
import httpx
from mcp import ClientSession, types
from mcp.client.streamable_http import streamable_http_client
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import Caller, Entrance
from custom_components.homeagent.tools import gates

from .talking_home import TalkingHome, async_sequence

pytestmark = pytest.mark.usefixtures("socket_enabled")

type MakeClient = Callable[..., Awaitable[TestClient[Any, Any]]]

WAITING: list[dict[str, Any]] = [
    {"name": "g", "timeout": "300s", "tools": '{"tool":"wait","args":{"seconds":90}} ;'}
]


@dataclass
class Clients:
    """Opens sessions as an administrator of the home."""

    home: TalkingHome
    base: Callable[[str], object]
    token: str

    @asynccontextmanager
    async def session(self, path: str = "/api/mcp/homeagent") -> AsyncIterator[Any]:
        """Open a session."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            httpx.AsyncClient(headers=headers, timeout=60) as http,
            streamable_http_client(str(self.base(path)), http_client=http) as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            yield session


@pytest.fixture(name="clients")
async def clients_fixture(
    hass: HomeAssistant, home: TalkingHome, hass_client: MakeClient
) -> Clients:
    """Set up the server with all APIs, as it is by default."""
    entry = MockConfigEntry(
        domain="mcp_server",
        data={"all_llm_apis": True, "llm_hass_api": [], "require_admin": True},
        version=1,
        minor_version=3,
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    client = await hass_client()
    refresh = await hass.auth.async_create_refresh_token(home.user, "https://example/")
    token = hass.auth.async_create_access_token(refresh)
    return Clients(home=home, base=client.make_url, token=token)


def told(result: types.CallToolResult) -> dict[str, Any]:
    """Return the data of a result."""
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    data = json.loads(content.text)
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize(
    ("path", "prefix"), [("/api/mcp/homeagent", ""), ("/api/mcp", "homeagent__")]
)
async def test_list_and_lenient_call(
    home: TalkingHome, clients: Clients, path: str, prefix: str
) -> None:
    """The client's library checks by the schema: it lets through what the door takes."""
    async with clients.session(path) as session:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        lamp = tools[f"{prefix}light__turn_on"]
        assert set(lamp.inputSchema["properties"]) >= {"entity_id", "brightness_pct"}
        assert lamp.annotations is not None
        assert lamp.annotations.readOnlyHint is False
        search = tools[f"{prefix}tool_search"]
        assert search.annotations is not None
        assert search.annotations.readOnlyHint is True
        lenient = {
            "entity_id": "Reading lamp",
            "brightness_pct": "50",
            "transition": None,
            "flash": "short",
        }
        result = await session.call_tool(lamp.name, lenient)
        assert result.isError is False, result
        assert told(result) == {"result": {"changed": {"light.study": "on"}}}
        inner = json.dumps({"entity_id": "light.kitchen"})
        given = {"tool": "light.turn_on", "arguments": inner}
        result = await session.call_tool(f"{prefix}tool_call", given)
        assert result.isError is False, result
    assert home.lamps["study"].brightness == 128
    assert home.lamps["kitchen"].is_on


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("light__turn_on", {"entity_id": "light.safe"}, "unauthorized"),
        ("light__dance", {}, "unauthorized"),
        ("homeassistant.restart", {}, "unauthorized"),
        ("vendor__crash", {}, "internal"),
        ("tool_call", {"tool": "light.turn_on", "arguments": "{}"}, "required"),
    ],
)
async def test_errors(
    home: TalkingHome,
    clients: Clients,
    tool: str,
    arguments: dict[str, object],
    reason: str,
) -> None:
    """A failed or refused call is marked as one, and says why in the text, too."""
    async with clients.session() as session:
        result = await session.call_tool(tool, arguments)
    assert result.isError is True
    data = told(result)
    assert (data["reason"], bool(data["error"])) == (reason, True)
    assert not any(lamp.is_on for lamp in home.lamps.values())


async def test_long_run_gives_its_id(
    home: TalkingHome, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of more than a minute: the client gets an id, asks for it, and ends it."""
    await async_sequence(home, "Long", WAITING, exposed=True)
    assert gates.MCP_LIMIT == 50.0  # Home Assistant ends the request after 60.
    monkeypatch.setattr(home.runtime.offering._ports.gates, "_mcp_limit", 1.0)
    async with clients.session() as session:
        result = await session.call_tool("seq_run", {"name": "Long"})
        assert result.isError is False, result
        assert "is running" in told(result)["result"]
        run_id = told(result)["result"].rpartition(" ")[2]
        state = await session.call_tool("seq_run", {"run_id": run_id})
        assert "is running" in told(state)["result"]
        ended = await session.call_tool("seq_run", {"run_id": run_id, "cancel": True})
    assert "cancelled" in json.dumps(told(ended))


async def test_call_ends_before_the_request_does(
    home: TalkingHome, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool that hangs is told as such, and no later call of the same user is stuck."""
    monkeypatch.setattr(home.runtime.offering._ports.gates, "_mcp_limit", 0.3)
    async with clients.session() as session:
        result = await session.call_tool("vendor__hang", {})
        assert (result.isError, told(result)["reason"]) == (True, "timeout")
        again = await session.call_tool("light__turn_on", {"entity_id": "light.study"})
        assert again.isError is False


async def test_one_gate_for_all_requests_of_a_user(home: TalkingHome) -> None:
    """MCP's requests get their tools anew each time; their order is the user's."""
    offering = home.runtime.offering
    first, second = (offering.way_of(home.asked("mcp_server")) for _ in range(2))
    assert first.gate is second.gate
    others = [offering.way_of(home.asked("ollama")) for _ in range(2)]
    assert len({id(way.gate) for way in (first, *others)}) == 3


async def test_device_of_a_client_adds_nothing(home: TalkingHome) -> None:
    """What a client says of a device is no voice."""
    asked = home.asked("mcp_server", device="some-device")
    caller = home.runtime.offering.way_of(asked).caller
    assert (caller.entrance, caller.user_id) == (Entrance.MCP, home.user.id)
    assert (caller.device_id, caller.area_id) == (None, None)
    assert isinstance(caller, Caller)


async def test_prompt(clients: Clients) -> None:
    """The prompt can be fetched."""
    async with clients.session() as session:
        (prompt,) = (await session.list_prompts()).prompts
        got = await session.get_prompt(prompt.name)
    assert "light.study Study" in got.messages[0].content.text
