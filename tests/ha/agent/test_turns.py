"""Turns with a model: streaming, order, cancellation, what the model is sent."""

import asyncio
import json
from typing import Any

from homeassistant.components.conversation import AssistantContent, ToolResultContent
from homeassistant.components.conversation.chat_log import (
    DATA_CHAT_LOGS,
    async_get_chat_log,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import chat_session
import pytest

from .agent_home import AgentHome
from .scripted_server import DONE, Reply, ScriptedServer, Watch, calls, chunk, words


class Heard:
    """What the voice pipeline hears, as it comes."""

    def __init__(self) -> None:
        self.deltas: list[dict[str, Any]] = []
        self.watch = Watch()

    def take(self, log: object, delta: dict[str, Any]) -> None:
        self.deltas.append(delta)
        self.watch.touch()

    def texts(self) -> list[str]:
        return [each["content"] for each in self.deltas if each.get("content")]

    def called(self) -> bool:
        return any("tool_calls" in each for each in self.deltas)


async def listen(home: AgentHome, text: str, heard: Heard) -> None:
    """Say something as the voice pipeline does."""
    with (
        chat_session.async_get_chat_session(home.hass, "talk") as session,
        async_get_chat_log(
            home.hass,
            session,
            None,
            chat_log_delta_listener=heard.take,
        ),
    ):
        await home.say(text)


async def test_text_reaches_the_pipeline_as_it_comes(home: AgentHome) -> None:
    """The second chunk is sent only after the first one was heard."""
    heard = Heard()
    first, second = asyncio.Event(), asyncio.Event()
    home.server.say(
        Reply(
            steps=[
                chunk({"content": "One."}),
                first,
                chunk({"content": "Two."}),
                second,
                chunk({}, "stop"),
                DONE,
            ]
        )
    )
    task = home.hass.async_create_task(listen(home, "Count", heard))
    await heard.watch.until(heard.texts)
    assert heard.texts() == ["One."]
    first.set()
    await heard.watch.until(lambda: len(heard.texts()) == 2)
    assert heard.texts() == ["One.", "Two."]
    second.set()
    await task


async def test_something_is_said_before_a_long_batch(home: AgentHome) -> None:
    """Before the call is told, so that the pipeline speaks it; and once in a turn."""
    heard = Heard()
    hold = home.counted.hold("a1")
    again = home.counted.hold("b2")
    home.server.say(
        calls(("test__a", {"n": 1})), calls(("test__b", {"n": 2})), words("Ok.")
    )
    task = home.hass.async_create_task(listen(home, "Work", heard))
    await heard.watch.until(heard.called)
    kinds = [next(iter(each)) for each in heard.deltas]
    assert kinds == ["role", "content", "tool_calls"]
    assert heard.deltas[1]["content"] == "One moment, please."
    hold.set()
    again.set()
    await task
    assert heard.texts() == ["One moment, please.", "Ok."]


async def test_words_of_the_model_are_enough_before_a_long_batch(
    home: AgentHome,
) -> None:
    heard = Heard()
    hold = home.counted.hold("a1")
    home.server.say(calls(("test__a", {"n": 1}), text="I see to it."), words("Ok."))
    task = home.hass.async_create_task(listen(home, "Work", heard))
    await heard.watch.until(heard.called)
    hold.set()
    await task
    assert heard.texts() == ["I see to it.", "Ok."]


async def test_calls_and_results_stand_in_the_log_in_order(home: AgentHome) -> None:
    """Home Assistant runs none of them itself, and its log has all."""
    home.server.say(calls(("test__a", {"n": 1}), ("test__needs", {})), words("Ok."))
    await home.say("Go")
    log = home.hass.data[DATA_CHAT_LOGS]["talk"]
    (made,) = [each for each in log.content if getattr(each, "tool_calls", None)]
    assert isinstance(made, AssistantContent)
    assert made.tool_calls is not None
    assert all(call.external for call in made.tool_calls)
    results = [each for each in log.content if isinstance(each, ToolResultContent)]
    assert [each.tool_call_id for each in results] == [
        call.id for call in made.tool_calls
    ]
    assert [each.result.error for each in results] == [False, True]
    assert json.dumps(results[1].result.data).count("required") == 1


async def test_a_cancelled_turn_ends_its_tools(home: AgentHome) -> None:
    """A new wake word: nothing goes on, and the next turn is as if nothing had been."""
    home.counted.hold("a1")
    home.server.say(calls(("test__a", {"n": 1}), ("test__b", {"n": 2})), words("Hm."))
    task = asyncio.ensure_future(home.say("Work"))
    await home.counted.watch.until(lambda: home.counted.begun == ["a1", "b2"])
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert home.counted.ended == ["b2"]
    assert await home.hear("And now?", conversation_id="other") == "Hm."


async def test_a_turn_cancelled_while_the_model_speaks(home: AgentHome) -> None:
    """The connection is closed."""
    home.server.say(Reply(steps=[chunk({"content": "I"}), asyncio.Event()]))
    task = asyncio.ensure_future(home.say("Go"))
    await home.server.watch.until(lambda: home.server.open_now)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    home.server.say(words("Yes."))
    assert await home.hear("Still there?", conversation_id="other") == "Yes."


async def test_effects_are_told(home: AgentHome) -> None:
    """An action without response tells which of its targets changed."""
    arguments = {"entity_id": "input_boolean.hall"}
    home.server.say(calls(("homeassistant__turn_on", arguments)), words("Ok."))
    await home.hear("Hall on")
    (answer,) = home.answers()
    assert "input_boolean.hall" in answer


async def test_the_prompt_tells_the_rule_and_the_home(home: AgentHome) -> None:
    home.server.say(words("Ok."))
    await home.hear("Hi")
    (system, *_) = home.server.requests[0]["messages"]
    assert (
        "Tool calls in one reply run at the same time by default" in system["content"]
    )
    offered = [each["function"]["name"] for each in home.server.requests[0]["tools"]]
    assert {"test__a", "get_state", "tool_search"} <= set(offered)


@pytest.mark.parametrize(
    ("choice", "sent"), [("required", ["required", "auto"]), ("auto", ["auto", "auto"])]
)
async def test_tool_choice(
    home: AgentHome, choice: str, sent: list[str | None]
) -> None:
    """What is demanded is demanded once: else calls would never end."""
    home.change(tool_choice=choice)
    home.server.say(calls(("test__a", {})), words("Ok."))
    await home.hear("Go")
    assert [each.get("tool_choice") for each in home.server.requests] == sent


async def test_no_tools_wanted(home: AgentHome) -> None:
    home.change(tool_choice="none")
    home.server.say(words("Ok."))
    await home.hear("Go")
    assert "tools" not in home.server.requests[0]


async def test_template_that_is_wrong(home: AgentHome) -> None:
    home.change(prompt="{{ nothing( }}")
    assert "cannot be rendered" in await home.hear("Go")


async def test_bug_inside_the_agent_does_not_end_the_turn(
    home: AgentHome,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last line of defense."""

    def broken(trouble: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(home.entity._agent.reports, "tell", broken)
    home.server.say(words("Ok."))
    assert "Something went wrong inside HomeAgent" in await home.hear("Go")
    assert "a bug" in caplog.text


async def test_twenty_rounds_leave_nothing_behind(
    home: AgentHome, hass: HomeAssistant, server: ScriptedServer
) -> None:
    """Turns that follow one another: no task, no open connection, no error."""
    await home.hear("")
    before = asyncio.all_tasks()
    for number in range(20):
        server.say(calls(("test__a", {"n": number})), words("Ok."))
        assert await home.hear(f"round {number}") == "Ok."
    assert home.counted.ended == [f"a{number}" for number in range(20)]
    await server.watch.until(lambda: server.open_now == 0)
    left = [
        each for each in asyncio.all_tasks() - before if "aiohttp" not in repr(each)
    ]
    assert left == []


async def test_context_of_the_speaker_goes_with_the_calls(
    home: AgentHome, hass: HomeAssistant
) -> None:
    """Home Assistant's logbook can tell who it was."""
    context = Context(user_id=home.user_id)
    events: list[Any] = []
    hass.bus.async_listen("homeagent_tool_call", events.append)
    home.server.say(calls(("test__a", {"n": 1})), words("Ok."))
    await home.hear("Go", context=context)
    await hass.async_block_till_done()
    (event,) = events
    assert context.id in {event.context.id, event.context.parent_id}
    assert event.data["tool"] == "test.a"
