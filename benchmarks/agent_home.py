"""A home with HomeAgent's own agent, its model server scripted, and tools that wait.

Above `home`. The server is a real one on this machine and the client the agent's own, so
all that a turn costs is in the time.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

from homeassistant.components.conversation import async_converse
from homeassistant.config_entries import ConfigEntry, ConfigSubentryData
from homeassistant.core import Context
from homeassistant.helpers import entity_registry as er

from custom_components.homeagent.const import (
    CONF_KIND,
    CONF_TOOLS_ADDED,
    DOMAIN,
    KERNEL_UNIQUE_ID,
    KIND_KERNEL,
)
from custom_components.homeagent.extension import (
    FunctionTool,
    Invocation,
    ToolDefinition,
    async_register_tool,
)
from tests.ha.agent.scripted_server import (
    Body,
    Reply,
    Script,
    ScriptedServer,
    calls,
    open_server,
    words,
)

from .figure import BenchmarkError
from .home import Home, open_home

SAFE = "bench.rest"
IN_ORDER = "bench.rest_in_order"
SAID = "All done."

_RULE: Mapping[str, object] = {
    "who": ["administrators"],
    "through": ["conversation"],
    "what": ["everything"],
    "where": ["everywhere"],
    "how": "allow",
    "enabled": True,
}


@dataclass(slots=True, kw_only=True)
class AgentHome:
    """The home, the agent's entity and its server; `ran` is what tools ran, in order."""

    home: Home
    server: ScriptedServer
    entity_id: str
    ran: list[tuple[str, int]]

    async def say(self, text: str, conversation_id: str | None = None) -> str:
        """Say something to the agent; return what it says."""
        result = await async_converse(
            self.home.hass,
            text,
            conversation_id,
            Context(user_id=self.home.user_id),
            language="en",
            agent_id=self.entity_id,
        )
        return str(result.response.speech["plain"]["speech"])


@asynccontextmanager
async def open_agent_home(
    parts: Sequence[ConfigSubentryData] = (),
) -> AsyncIterator[AgentHome]:
    """Start both; stop them in the end. `parts` are further subentries."""
    async with open_server() as server, open_home() as home:
        ran: list[tuple[str, int]] = []
        for name, safe in ((SAFE, True), (IN_ORDER, False)):
            async_register_tool(home.hass, _tool(home, ran, name, safe=safe))
        entry = _entry(server.url, parts)
        await home.hass.config_entries.async_add(entry)
        await home.hass.async_block_till_done()
        (agent,) = entry.get_subentries_of_type("conversation")
        entity_id = er.async_get(home.hass).async_get_entity_id(
            "conversation", DOMAIN, agent.subentry_id
        )
        if entity_id is None:
            raise BenchmarkError("the agent has no entity")
        yield AgentHome(home=home, server=server, entity_id=entity_id, ran=ran)


def _tool(
    home: Home, ran: list[tuple[str, int]], name: str, *, safe: bool
) -> FunctionTool:
    async def rest(invocation: Invocation) -> object:
        arguments = invocation.arguments
        await asyncio.sleep(float(str(arguments["seconds"])))
        home.tally.count()
        ran.append((str(arguments["mark"]), int(str(arguments["number"]))))
        return {"number": arguments["number"]}

    definition = ToolDefinition(
        name=name,
        description="Waits, and answers with its number.",
        parameters={
            "type": "object",
            "properties": {
                "mark": {"type": "string"},
                "number": {"type": "integer"},
                "seconds": {"type": "number"},
            },
            "required": ["mark", "number", "seconds"],
        },
        parallel_safe=safe,
    )
    return FunctionTool(definition=definition, work=rest)


def _entry(url: str, parts: Sequence[ConfigSubentryData]) -> ConfigEntry:
    rule = ConfigSubentryData(
        data=dict(_RULE), subentry_type="access_rule", title="all", unique_id=None
    )
    agent = ConfigSubentryData(
        data={"url": url, "model": "scripted"},
        subentry_type="conversation",
        title="Scripted",
        unique_id=None,
    )
    return ConfigEntry(
        data={CONF_KIND: KIND_KERNEL},
        discovery_keys=MappingProxyType({}),
        domain=DOMAIN,
        minor_version=2,
        options={CONF_TOOLS_ADDED: [SAFE, IN_ORDER]},
        source="user",
        subentries_data=(rule, agent, *parts),
        title="HomeAgent",
        unique_id=KERNEL_UNIQUE_ID,
        version=1,
    )


def answers(tool: str, how_many: int, seconds: float) -> Script:
    """Return the model: calls after a person's words, words after the tools' answers.

    What the person says is the mark of the calls.
    """
    name = tool.replace(".", "__")

    def reply(body: Body) -> Reply:
        last = body["messages"][-1]
        if last["role"] == "tool":
            return words(SAID)
        return calls(*made(name, last["content"], how_many, seconds))

    return reply


def made(
    name: str, mark: str, how_many: int, seconds: float
) -> Sequence[tuple[str, object]]:
    """Return the calls of one reply."""
    return [
        (name, {"mark": mark, "number": number, "seconds": seconds})
        for number in range(how_many)
    ]
