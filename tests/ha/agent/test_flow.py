"""Setting an agent up, changing it, and giving it a new key."""

from typing import Any

from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from .agent_home import AgentHome
from .scripted_server import ScriptedServer, calls, open_server, refusal, whole, words

READY = calls(("ready", {"answer": "yes"}))
MODEL = {
    "name": "Helper",
    "model": "scripted",
    "tool_choice": "auto",
    "context": 8192,
    "vision": True,
}


async def begin(home: AgentHome, source: str = SOURCE_USER, **context: str) -> Any:
    made: Any = {"source": source, **context}
    return await home.hass.config_entries.subentries.async_init(
        (home.entry.entry_id, "conversation"), context=made
    )


async def go_on(home: AgentHome, flow: Any, **data: Any) -> Any:
    return await home.hass.config_entries.subentries.async_configure(
        flow["flow_id"], data
    )


async def test_an_agent_is_added_without_a_reload(
    home: AgentHome, hass: HomeAssistant, server: ScriptedServer
) -> None:
    """The server is tried, its models are offered, and the agent answers at once."""
    server.models = ("one", "scripted")
    unloaded: list[None] = []
    home.entry.async_on_unload(lambda: unloaded.append(None))
    flow = await begin(home)
    assert (flow["step_id"], flow["last_step"]) == ("user", False)
    flow = await go_on(home, flow, url=f"{server.url}/", api_key="sk-new")
    assert flow["step_id"] == "model"
    (model,) = [each for each in flow["data_schema"].schema if each == "model"]
    assert flow["data_schema"].schema[model].config["options"] == ["one", "scripted"]
    server.say(READY)
    done = await go_on(home, flow, **MODEL)
    assert (done["type"], done["title"]) == ("create_entry", "Helper")
    await hass.async_block_till_done()
    (subentry,) = (
        each
        for each in home.entry.get_subentries_of_type("conversation")
        if each.title == "Helper"
    )
    assert dict(subentry.data) == {
        "url": server.url,
        "api_key": "sk-new",
        "model": "scripted",
        "tool_choice": "auto",
        "context": 8192,
        "simple_tools": False,
        "vision": True,
    }
    agent = er.async_get(hass).async_get_entity_id(
        "conversation", "homeagent", subentry.subentry_id
    )
    assert agent is not None
    server.say(words("Hello."))
    assert await home.hear("Hi", agent_id=agent, conversation_id="new") == "Hello."
    assert server.keys[-1] == "Bearer sk-new"
    assert unloaded == []


@pytest.mark.parametrize(
    ("replies", "step"),
    [
        ([words("I am ready.")], "no_tools"),
        (
            [
                refusal(400, "stream is not supported"),
                whole({"content": "Ready."}),
            ],
            "confirm",
        ),
        (
            [
                refusal(400, "stream is not supported"),
                whole(
                    {"tool_calls": [{"function": {"name": "ready", "arguments": "{}"}}]}
                ),
            ],
            "no_streaming",
        ),
    ],
)
async def test_what_a_model_cannot_do_is_shown_first(
    home: AgentHome, server: ScriptedServer, replies: list[Any], step: str
) -> None:
    flow = await go_on(home, await begin(home), url=server.url)
    server.say(*replies)
    shown = await go_on(home, flow, **MODEL)
    assert shown["step_id"] == step
    assert shown["description_placeholders"]["model"] == "scripted"
    done = await go_on(home, shown)
    assert done["type"] == "create_entry"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (refusal(401, "wrong key sk-new"), "bad_key"),
        (refusal(404, "no such model"), "not_found"),
        (refusal(400, "does not support tools"), "no_tools"),
    ],
)
async def test_a_model_that_does_not_answer_is_not_saved(
    home: AgentHome, server: ScriptedServer, reply: Any, error: str
) -> None:
    """Told at the form; what was typed stays there."""
    flow = await go_on(home, await begin(home), url=server.url, api_key="sk-new")
    server.say(reply)
    shown = await go_on(home, flow, **MODEL)
    assert shown["errors"] == {"base": error}
    assert "sk-new" not in str(shown["description_placeholders"])
    server.say(READY)
    assert (await go_on(home, shown, **MODEL))["type"] == "create_entry"


@pytest.mark.parametrize(
    ("url", "errors"),
    [
        ("ftp://somewhere", {"url": "no_address"}),
        ("http://", {"url": "no_address"}),
        ("http://[half", {"url": "no_address"}),
        ("http://127.0.0.1:9/v1", {"base": "unreachable"}),
    ],
)
async def test_an_address_that_is_none(
    home: AgentHome, url: str, errors: dict[str, str]
) -> None:
    shown = await go_on(home, await begin(home), url=url)
    assert (shown["step_id"], shown["errors"]) == ("user", errors)


@pytest.mark.parametrize("same", [True, False])
async def test_an_agent_is_changed(
    home: AgentHome, server: ScriptedServer, same: bool
) -> None:
    """The stored key is never shown, and never sent to another server."""
    subentry = home.subentry
    flow = await begin(home, "reconfigure", subentry_id=subentry.subentry_id)
    assert "sk-secret" not in str(flow["data_schema"].schema)
    async with open_server() as other:
        asked = server if same else other
        flow = await go_on(home, flow, url=asked.url)
        assert flow["step_id"] == "model"
        asked.say(READY)
        done = await go_on(home, flow, **MODEL)
        assert (done["type"], done["reason"]) == ("abort", "reconfigure_successful")
        assert home.subentry.data["api_key"] == ("sk-secret" if same else "")
        assert home.subentry.title == "Helper"
        assert asked.keys == ["Bearer sk-secret" if same else "Bearer none"]
        asked.say(words("Yes."))
        assert await home.hear("Hi") == "Yes."


async def test_a_new_key(
    home: AgentHome, hass: HomeAssistant, server: ScriptedServer
) -> None:
    """Asked for by name of the agent, tried, and used from then on."""
    server.say(refusal(401, "no"))
    await home.hear("Hi")
    await hass.async_block_till_done()
    (flow,) = hass.config_entries.flow.async_progress_by_handler("homeagent")
    shown: Any = await hass.config_entries.flow.async_configure(flow["flow_id"])
    assert shown["description_placeholders"]["agent"] == "Scripted"
    server.say(refusal(401, "still no"))
    shown = await hass.config_entries.flow.async_configure(
        flow["flow_id"], {"api_key": "sk-wrong"}
    )
    assert shown["errors"] == {"base": "bad_key"}
    server.say(READY)
    done = await hass.config_entries.flow.async_configure(
        flow["flow_id"], {"api_key": "sk-right"}
    )
    assert (done["type"], done["reason"]) == ("abort", "reauth_successful")
    server.say(words("Hello."))
    assert await home.hear("Hi") == "Hello."
    assert server.keys[-1] == "Bearer sk-right"
    assert home.entry.state.name == "LOADED"


async def test_an_agent_that_is_removed_takes_its_entity_along(
    home: AgentHome, hass: HomeAssistant
) -> None:
    hass.config_entries.async_remove_subentry(home.entry, home.subentry.subentry_id)
    await hass.async_block_till_done()
    assert hass.states.get(home.entity_id) is None
