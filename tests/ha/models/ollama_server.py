"""A server that speaks Ollama's language and says what a test has written down."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from types import MappingProxyType
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

type Call = tuple[str, dict[str, Any]]


@dataclass
class Script:
    """The calls of the model's replies, in order, and what it was sent; then it is done."""

    replies: list[list[Call]]
    requests: list[dict[str, Any]] = field(default_factory=list)

    @property
    def results(self) -> list[dict[str, Any]]:
        """What the model was told of its calls."""
        messages = self.requests[-1]["messages"]
        return [
            json.loads(each["content"]) for each in messages if each["role"] == "tool"
        ]


async def _tags(request: web.Request) -> web.Response:
    return web.json_response({"models": []})


@asynccontextmanager
async def served(hass: HomeAssistant, script: Script) -> AsyncIterator[str]:
    """Set up Home Assistant's own Ollama integration with our API; its agent's id."""

    async def chat(request: web.Request) -> web.Response:
        script.requests.append(await request.json())
        message: dict[str, Any] = {"role": "assistant", "content": "Done."}
        if script.replies:
            message = {"role": "assistant", "content": ""}
            message["tool_calls"] = [
                {"function": {"name": name, "arguments": arguments}}
                for name, arguments in script.replies.pop(0)
            ]
        line = {"model": "m", "message": message, "done": True, "done_reason": "stop"}
        return web.Response(text=json.dumps(line) + "\n")

    app = web.Application()
    app.add_routes([web.get("/api/tags", _tags), web.post("/api/chat", chat)])
    server = TestServer(app)
    await server.start_server()
    entry = MockConfigEntry(
        domain="ollama",
        data={"url": str(server.make_url("")), "model": "m"},
        version=3,
        minor_version=3,
        subentries_data=[
            ConfigSubentryData(
                data=MappingProxyType({"model": "m", "llm_hass_api": ["homeagent"]}),
                subentry_type="conversation",
                title="Agent",
                unique_id=None,
            )
        ],
    )
    entry.add_to_hass(hass)
    try:
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
        (agent,) = (
            each.entity_id
            for each in er.async_entries_for_config_entry(
                er.async_get(hass), entry.entry_id
            )
            if each.domain == "conversation"
        )
        yield agent
    finally:
        await hass.config_entries.async_unload(entry.entry_id)
        await server.close()
