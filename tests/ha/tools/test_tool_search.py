"""`tool_search`: tools and sequences by words, and only what may be used."""

import json
from typing import Any, override

from homeassistant.core import HomeAssistant
import pytest

from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Decision,
    Entrance,
    Invocation,
    Tool,
    ToolDefinition,
    Verdict,
)
from custom_components.homeagent.kernel.function_tool import FunctionTool
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.sequence.document import parse_sequence
from custom_components.homeagent.sequence.library import Library
from custom_components.homeagent.sequence.reach import Reach
from custom_components.homeagent.tools.tool_search import SearchPorts, ToolSearch
from tests.ha.home import async_set_up

from .house import Open, call
from .reading_home import ADMIN, GUEST, Tools

SEQUENCES = {
    "Evening": '{"tool":"lamp.on","args":{}} ;',
    "Night watch": '{"tool":"drill.run","args":{}} ;',
    "Nested": (
        '{"tool":"seq_call","args":{"target":"#Night watch","args":{"room":"a"}}} ;'
    ),
    "Secret plan": '{"tool":"lamp.on","args":{}} ;',
}

TEXTS = {
    "lamp.on": ("Turn on lamp", "Lights a lamp."),
    "lamp.off": ("Turn off lamp", "Puts a lamp out."),
    "drill.run": ("Drill", "Makes holes; lamps stay on."),
    "phone.send": ("发送消息", "把一条消息发到手机。"),
    "secret.open": ("Open the vault", "Secret."),
    "seq_run": ("Run sequence", ""),
}


class Rules(Open):
    """Lets guests neither open the vault nor run what is secret."""

    @override
    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Judge by the name of tool and sequence."""
        names = f"{tool.definition.name} {(arguments or {}).get('name', '')}".casefold()
        refused = caller is not ADMIN and "secret" in names
        return Decision(verdict=Verdict.REFUSE if refused else Verdict.ALLOW)


async def _work(invocation: Invocation) -> object:
    raise AssertionError("a search calls nothing")


def _tool(name: str) -> Tool:
    title, text = TEXTS[name]
    return FunctionTool(
        definition=ToolDefinition(
            name=name,
            title=title,
            description=text,
            parallel_safe=name != "drill.run",
            parameters={"type": "object", "properties": {"level": {"type": "integer"}}},
        ),
        work=_work,
    )


@pytest.fixture
def tools(hass: HomeAssistant) -> Tools:
    """Return the search and what it searches."""
    library = Library()
    for name, entries in SEQUENCES.items():
        group = {"name": f"{name} group", "tools": entries, "in": {"room": "string"}}
        parsed = parse_sequence(json.dumps({"name": name, "groups": [group]}))
        assert parsed.sequence is not None, parsed.errors
        library.put(name, parsed.sequence)
    tools = Tools(map(_tool, TEXTS))
    search = SearchPorts(
        registry=tools,
        sequences=library,
        policy=Rules(),
        prepare=_prepare,
        reach=Reach(tools=tools, sequences=library),
    )
    tools |= Tools(ToolSearch(hass, search).tools())
    return tools


async def _prepare() -> None:
    """Everything is known already."""


async def search(tools: Tools, query: str, caller: Caller = GUEST, **more: Any) -> Any:
    arguments = {"query": query, **more}
    return await call(tools, "tool_search", arguments, caller=caller)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("turn on the lamp", "lamp.on"),
        ("lamp out", "lamp.off"),
        ("给手机发消息", "phone.send"),
        ("drilling", "drill.run"),
        ("night", "Night watch"),
        ("room evening", "Evening"),
        ("vault", None),
        ("secret plan", None),
    ],
)
async def test_best_first(tools: Tools, query: str, first: str | None) -> None:
    found = (await search(tools, query)).value["found"]
    best = found[0] if found else {}
    assert (best.get("tool") or best.get("sequence")) == first


async def test_what_is_told_of_a_tool(tools: Tools) -> None:
    value = (await search(tools, "drill", limit=1)).value
    assert value["found"] == [
        {
            "tool": "drill.run",
            "title": "Drill",
            "description": "Makes holes; lamps stay on.",
            "parallel_safe": False,
            "parameters": {
                "type": "object",
                "properties": {"level": {"type": "integer"}},
            },
        }
    ]


@pytest.mark.parametrize(
    ("name", "safe"), [("Evening", True), ("Night watch", False), ("Nested", False)]
)
async def test_what_is_told_of_a_sequence(tools: Tools, name: str, safe: bool) -> None:
    """It can be run with what is told; it is as safe as all that it reaches."""
    told = (await search(tools, name, limit=1)).value["found"][0]
    assert told["call"] == {"tool": "seq_run", "arguments": {"name": name}}
    assert told["parallel_safe"] is safe
    assert told["groups"][0]["in"]["room"]["type"] == "string"


async def test_only_what_may_be_used(tools: Tools) -> None:
    """Not even the number tells of the rest."""
    assert "ecret" not in (await search(tools, "open run evening plan", limit=20)).text
    guest = (await search(tools, "vault")).value
    assert guest == {"total": 0, "found": []}
    assert (await search(tools, "vault", ADMIN)).value["total"] == 1


async def test_bounded(tools: Tools) -> None:
    value = (await search(tools, "lamp run", limit=1)).value
    assert (len(value["found"]), value["total"] > 1) == (1, True)
    assert value["left_out"] == value["total"] - 1


@pytest.mark.parametrize(
    "arguments", [{"query": ""}, {"query": "x" * 201}, {"query": "x", "limit": 21}, {}]
)
async def test_wrong(tools: Tools, arguments: dict[str, object]) -> None:
    assert (await call(tools, "tool_search", arguments)).error is not None


async def test_in_a_home(hass: HomeAssistant) -> None:
    """Actions are found by their translated texts, as our own tools are."""
    await async_set_up(hass)
    runtime = hass.data[DATA_RUNTIME]
    automation = Caller(entrance=Entrance.AUTOMATION)
    for query, first in (
        ("turn off all toggles input_boolean", "input_boolean.turn_off"),
        ("picture of a camera", "camera_snapshot"),
        ("persistent notification create", "persistent_notification.create"),
    ):
        result = await call(
            runtime.registry, "tool_search", {"query": query}, caller=automation
        )
        assert result.value["found"][0]["tool"] == first  # type: ignore[index]
