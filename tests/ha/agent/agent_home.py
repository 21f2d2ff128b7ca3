"""A home with an agent whose model is scripted, and tools that count their calls."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation import async_converse
from homeassistant.config_entries import ConfigSubentry, ConfigSubentryData
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.agent.server import OpenAIServer
from custom_components.homeagent.const import (
    CONF_KIND,
    CONF_TOOLS_ADDED,
    DOMAIN,
    KERNEL_UNIQUE_ID,
    KIND_KERNEL,
)
from custom_components.homeagent.extension import (
    CallFacts,
    FunctionTool,
    Invocation,
    ToolDefinition,
    async_register_tool,
)
from custom_components.homeagent.model_agent_entity import ModelEntity
from custom_components.homeagent.runtime import DATA_RUNTIME, Runtime
from tests.ha.home import async_set_up

from .scripted_server import ScriptedServer, Watch

EVERYTHING: Mapping[str, object] = {
    "who": ["administrators"],
    "through": ["direct", "conversation"],
    "what": ["everything"],
    "where": ["everywhere"],
}


@dataclass
class Counted:
    """Tools of the test: what ran, in which order, and what holds them."""

    begun: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    holds: dict[str, asyncio.Event] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)

    def hold(self, name: str) -> asyncio.Event:
        """Have a tool wait until the event is set."""
        return self.holds.setdefault(name, asyncio.Event())


@dataclass
class AgentHome:
    """The home, its administrator, the agent and its model server."""

    hass: HomeAssistant
    user_id: str
    server: ScriptedServer
    entry: MockConfigEntry
    entity_id: str
    counted: Counted

    @property
    def runtime(self) -> Runtime:
        """HomeAgent's own parts."""
        return self.hass.data[DATA_RUNTIME]

    @property
    def subentry(self) -> ConfigSubentry:
        """The agent's subentry."""
        (found,) = self.entry.get_subentries_of_type("conversation")
        assert isinstance(found, ConfigSubentry)
        return found

    async def say(self, text: str, **more: Any) -> conversation.ConversationResult:
        """Say something to the agent as the administrator."""
        arguments: dict[str, Any] = {
            "conversation_id": "talk",
            "context": Context(user_id=self.user_id),
            "language": "en",
            "agent_id": self.entity_id,
        }
        return await async_converse(self.hass, text, **(arguments | more))

    async def hear(self, text: str, **more: Any) -> str:
        """Say something and return what is said back."""
        result = await self.say(text, **more)
        speech = result.response.speech["plain"]["speech"]
        assert isinstance(speech, str)
        return speech

    @property
    def entity(self) -> ModelEntity:
        """The agent's entity."""
        entity = self.hass.data["entity_components"]["conversation"].get_entity(
            self.entity_id
        )
        assert isinstance(entity, ModelEntity)
        return entity

    @property
    def connection(self) -> OpenAIServer:
        """The agent's own connection, to give it other limits."""
        server = self.entity._current().server
        assert isinstance(server, OpenAIServer)
        return server

    def change(self, **data: object) -> None:
        """Change the agent's settings, as the flow does."""
        self.hass.config_entries.async_update_subentry(
            self.entry, self.subentry, data={**self.subentry.data, **data}
        )

    def answers(self, request: int = -1) -> list[str]:
        """Return the tools' answers that stand in a request to the model."""
        messages = self.server.requests[request]["messages"]
        return [each["content"] for each in messages if each["role"] == "tool"]


async def no_sleep(seconds: float) -> None:
    """Stand in the place of waiting for another try."""


def rule(title: str, **data: object) -> ConfigSubentryData:
    """Return a rule of access as a subentry."""
    return ConfigSubentryData(
        data={"how": "allow", "enabled": True, **data},
        subentry_type="access_rule",
        title=title,
        unique_id=None,
    )


def agent(url: str, **data: object) -> ConfigSubentryData:
    """Return an agent as a subentry."""
    return ConfigSubentryData(
        data={"url": url, "model": "scripted", "api_key": "sk-secret", **data},
        subentry_type="conversation",
        title="Scripted",
        unique_id=None,
    )


async def async_agent_home(
    hass: HomeAssistant,
    server: ScriptedServer,
    user_id: str,
    *,
    rules: Sequence[ConfigSubentryData] | None = None,
    tools: Sequence[str] = (),
    **data: object,
) -> AgentHome:
    """Set the home up; `data` is more of the agent's settings."""
    counted = Counted()
    for name, definition, facts in _tools():
        async_register_tool(
            hass,
            FunctionTool(definition=definition, work=_work(counted, name), judge=facts),
        )
    subentries = [
        *([rule("all", **EVERYTHING)] if rules is None else rules),
        agent(server.url, **data),
    ]
    entry = MockConfigEntry(
        domain=DOMAIN,
        unique_id=KERNEL_UNIQUE_ID,
        title="HomeAgent",
        minor_version=2,
        data={CONF_KIND: KIND_KERNEL},
        options={CONF_TOOLS_ADDED: [*(name for name, _, _ in _tools()), *tools]},
        subentries_data=subentries,
    )
    entry.add_to_hass(hass)
    await async_set_up(hass)
    (subentry,) = entry.get_subentries_of_type("conversation")
    entity_id = er.async_get(hass).async_get_entity_id(
        "conversation", DOMAIN, subentry.subentry_id
    )
    assert entity_id is not None
    return AgentHome(
        hass=hass,
        user_id=user_id,
        server=server,
        entry=entry,
        entity_id=entity_id,
        counted=counted,
    )


def _tools() -> list[tuple[str, ToolDefinition, Any]]:
    """Return tools a to d that may run at once, and some that may not, or fail."""
    number = {"n": {"type": "integer"}}
    safe = [
        (f"test.{letter}", _definition(f"test.{letter}", number), None)
        for letter in "abcdefgh"
    ]
    keyed = lambda arguments, caller: CallFacts(  # noqa: E731
        parallel_safe=True, keys=frozenset({f"entity:{arguments.get('entity_id')}"})
    )
    entity = {"entity_id": {"type": "string"}, "n": {"type": "integer"}}
    return [
        *safe,
        ("test.lamp", _definition("test.lamp", entity), keyed),
        ("test.alone", _definition("test.alone", number, safe=False), None),
        ("test.bug", _definition("test.bug", number), None),
        ("test.slow", _definition("test.slow", number, timeout=0.2), None),
        ("test.needs", _definition("test.needs", number, required=["n"]), None),
        ("test.nothing", _definition("test.nothing", {}), None),
    ]


def _definition(
    name: str,
    properties: Mapping[str, object],
    *,
    safe: bool = True,
    timeout: float | None = None,
    required: Sequence[str] = (),
) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        title=name.removeprefix("test.").title(),
        description=f"Does {name}",
        parameters={
            "type": "object",
            "properties": dict(properties),
            "required": list(required),
            "additionalProperties": False,
        },
        parallel_safe=safe,
        timeout=timeout,
    )


def _work(counted: Counted, name: str) -> Any:
    async def work(invocation: Invocation) -> object:
        call = name.removeprefix("test.")
        if (number := invocation.arguments.get("n")) is not None:
            call = f"{call}{number}"
        counted.begun.append(call)
        counted.watch.touch()
        if name == "test.bug":
            raise KeyError("hunter2")
        if name == "test.slow":
            await asyncio.Event().wait()
        hold = counted.holds.get(call)
        if hold is not None:
            await hold.wait()
        counted.ended.append(call)
        return {"did": call}

    return work
