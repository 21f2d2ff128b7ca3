"""Conversations that are long, or damaged: what the model still gets of them."""

from homeassistant.components.conversation import AssistantContent, ToolResultContent
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from .agent_home import AgentHome
from .scripted_server import calls, refusal, words


async def test_old_turns_are_left_out_without_breaking_pairs(
    hass: HomeAssistant, home: AgentHome
) -> None:
    """And the model is told so."""
    home.change(context=6000)
    for number in range(12):
        home.server.say(calls(("test__a", {"n": number})), words("x" * 2000))
        await home.hear(f"turn {number}")
    messages = home.server.requests[-1]["messages"]
    assert "left out" in messages[0]["content"]
    asked = [each["content"] for each in messages if each["role"] == "user"]
    assert asked[0] != "turn 0"
    assert asked[-1] == "turn 11"
    sent = [call["id"] for each in messages for call in each.get("tool_calls", ())]
    told = [each["tool_call_id"] for each in messages if each["role"] == "tool"]
    assert sent == told


async def test_context_that_is_smaller_than_thought(home: AgentHome) -> None:
    """The server's own refusal makes the history shorter, and the turn goes on."""
    for number in range(3):
        home.server.say(words("x" * 9000))
        await home.hear(f"turn {number}")
    home.server.say(refusal(400, "maximum context length"), words("Short."))
    assert await home.hear("Go") == "Short."
    asked = [
        [each["content"] for each in request["messages"] if each["role"] == "user"]
        for request in home.server.requests[-2:]
    ]
    assert len(asked[1]) < len(asked[0])


async def test_damaged_history_heals(home: AgentHome, hass: HomeAssistant) -> None:
    """Calls without answers, and answers without calls, of a turn that broke off."""
    home.server.say(words("Hello."))
    await home.hear("Hi")
    log = hass.data[DATA_CHAT_LOGS]["talk"]
    lost = [llm.ToolInput("x", {}, id=each, external=True) for each in ("p", "q", "p")]
    log.content += [
        AssistantContent(agent_id="x", tool_calls=lost),
        answered("q", "there"),
        answered("stray", "nowhere"),
    ]
    home.server.say(words("Yes."))
    assert await home.hear("Well?") == "Yes."
    messages = home.server.requests[-1]["messages"]
    sent = [call["id"] for each in messages for call in each.get("tool_calls", ())]
    told = [each["tool_call_id"] for each in messages if each["role"] == "tool"]
    assert sent == told
    assert len(set(sent)) == 3
    texts = [each["content"] for each in messages if each["role"] == "tool"]
    assert ["broken off" in text for text in texts] == [True, False, True]
    assert texts[1] == "there"


def answered(call_id: str, text: str) -> ToolResultContent:
    return ToolResultContent(
        agent_id="x",
        tool_call_id=call_id,
        tool_name="x",
        result=llm.ToolResult(data={"text": text}),
    )
