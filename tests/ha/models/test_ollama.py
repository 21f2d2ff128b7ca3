"""Our API behind Home Assistant's own Ollama integration, its real package and a server.

Home Assistant starts all calls of one reply at the same time; the gate keeps order.
"""

from homeassistant.components import conversation
from homeassistant.core import Context, Event, HomeAssistant, callback
import pytest

from .ollama_server import Call, Script, served
from .talking_home import TalkingHome

pytestmark = pytest.mark.usefixtures("socket_enabled")

ON = ("light__turn_on", {"entity_id": "light.study"})
SLOW_OFF = ("light__turn_off", {"entity_id": "light.slow"})
SLOW_ON = ("light__turn_on", {"entity_id": "light.slow"})
CRASH: Call = ("tool_call", {"tool": "vendor.crash"})
HANG: Call = ("tool_call", {"tool": "vendor.hang"})


async def turn(home: TalkingHome, *replies: list[Call]) -> tuple[str, Script]:
    """Let the person say something, the model reply so; return the answer."""
    script = Script(replies=list(replies))
    async with served(home.hass, script) as agent:
        said = await conversation.async_converse(
            home.hass,
            text="Do it",
            conversation_id=None,
            context=Context(user_id=home.user.id),
            agent_id=agent,
        )
    return said.response.speech["plain"]["speech"], script


def reasons(script: Script) -> list[str | None]:
    """Return why each call failed, as the model was told."""
    return [each["data"].get("reason") for each in script.results]


async def test_order_on_one_lamp(home: TalkingHome) -> None:
    """Off, slowly, then on: the lamp ends on."""
    text, script = await turn(home, [SLOW_OFF, SLOW_ON])
    assert text == "Done."
    assert reasons(script) == [None, None]
    assert home.lamps["slow"].is_on
    assert home.lamps["slow"].runs == 2


async def test_others_do_not_wait(hass: HomeAssistant, home: TalkingHome) -> None:
    """A call on another lamp overtakes the slow one; a third on the first lamp waits."""
    ended: list[str] = []

    @callback
    def note(event: Event) -> None:
        ended.append(event.data["tool"])

    hass.bus.async_listen("homeagent_tool_call", note)
    _, script = await turn(home, [SLOW_OFF, ON, SLOW_ON])
    assert reasons(script) == [None, None, None]
    assert ended == ["light.turn_on", "light.turn_off", "light.turn_on"]
    assert home.lamps["slow"].is_on


async def test_crashing_tool_does_not_end_the_turn(home: TalkingHome) -> None:
    """Its sibling acts, the model hears of the bug, the person is answered."""
    text, script = await turn(home, [CRASH, ON])
    assert text == "Done."
    assert reasons(script) == ["internal", None]
    assert home.lamps["study"].is_on


async def test_hanging_tool_does_not_end_the_turn(
    home: TalkingHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the tool's time the model is told that it still runs; the rest goes on."""
    limit = "custom_components.homeagent.kernel.door.DEFAULT_TIMEOUT"
    monkeypatch.setattr(limit, 0.2)
    text, script = await turn(home, [HANG, ON])
    assert text == "Done."
    assert home.ran == ["hang"]
    assert reasons(script) == ["timeout", None]
    assert script.results[0]["data"]["still_running"] is True
    assert home.lamps["study"].is_on


async def test_unknown_tool_and_wrong_arguments(home: TalkingHome) -> None:
    """The model is told, and gets another round."""
    wrong = ("light__turn_on", {"entity_id": "light.study", "brightness_pct": "much"})
    text, script = await turn(home, [("light__dance", {}), wrong], [ON])
    assert text == "Done."
    assert reasons(script) == ["unauthorized", "type", None]


async def test_what_the_server_is_sent(home: TalkingHome) -> None:
    """Prompt, names and schemas arrive as they were made."""
    _, script = await turn(home)
    (request,) = script.requests
    prompt = request["messages"][0]["content"]
    assert "Tool calls start in the order you wrote them" in prompt
    assert "light.study Study (Reading lamp)" in prompt
    functions = {tool["function"]["name"]: tool for tool in request["tools"]}
    shown = functions["light__turn_on"]["function"]["parameters"]["properties"]
    assert shown["entity_id"] == {"type": "array", "items": {"type": "string"}}
    assert shown["brightness_pct"]["type"] == "number"
