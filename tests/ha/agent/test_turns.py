"""Turns with a model: streaming, order, limits, retries, cancellation, troubles in words."""

import asyncio
import json
import logging
from typing import Any

from homeassistant.components.conversation import AssistantContent, ToolResultContent
from homeassistant.components.conversation.chat_log import (
    DATA_CHAT_LOGS,
    async_get_chat_log,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import chat_session, issue_registry as ir, llm
import pytest

from custom_components.homeagent.agent import reports
from custom_components.homeagent.agent.server import Limits, OpenAIServer

from .agent_home import AgentHome
from .scripted_server import (
    DONE,
    Reply,
    ScriptedServer,
    Watch,
    calls,
    chunk,
    refusal,
    whole,
    words,
)


def model_server(home: AgentHome) -> OpenAIServer:
    """Return the agent's own connection, to give it other limits."""
    entity = home.hass.data["entity_components"]["conversation"].get_entity(
        home.entity_id
    )
    server = entity._agent.server
    assert isinstance(server, OpenAIServer)
    return server


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


@pytest.mark.parametrize("steps", [[], [b": still thinking\n\n"]])
async def test_silence_is_an_error_in_words(home: AgentHome, steps: list[Any]) -> None:
    model_server(home)._limits = Limits(silence=0.2, in_all=30)
    home.server.say(Reply(steps=[*steps, asyncio.Event()]))
    said = await home.hear("Go")
    assert said == "The model server did not answer within 0.2 seconds."


async def test_an_answer_without_end_is_stopped(home: AgentHome) -> None:
    """Comments that keep the connection alive do not do so for ever."""
    model_server(home)._limits = Limits(silence=30, in_all=0.3)

    async def pause() -> None:
        await asyncio.sleep(0.05)

    home.server.say(Reply(steps=[b": wait\n\n", pause] * 100))
    assert "took longer than 0.3 seconds" in await home.hear("Go")


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
async def test_another_try_after_the_servers_own_delay(
    home: AgentHome, status: int
) -> None:
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    model_server(home)._sleep = sleep
    home.server.say(
        refusal(status, "not now", {"Retry-After": "7"}),
        refusal(status, "not now", {"retry-after-ms": "1500"}),
        words("Yes."),
    )
    assert await home.hear("Go") == "Yes."
    assert waits == [7.0, 1.5]


async def test_no_delay_given(home: AgentHome) -> None:
    """Half a second, then one; after three tries it is told."""
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    model_server(home)._sleep = sleep
    home.server.always = refusal(503, "loading model")
    said = await home.hear("Go")
    assert said == (
        "The model server is overloaded or not ready. Please try again."
        " It says: loading model"
    )
    assert waits == [0.5, 1.0]
    assert len(home.server.requests) == 3


async def test_a_delay_that_is_too_long_is_told(home: AgentHome) -> None:
    home.server.say(refusal(429, "slow down", {"Retry-After": "3600"}))
    assert "too many requests" in await home.hear("Go")
    assert len(home.server.requests) == 1


TROUBLES = [
    (refusal(403, "no"), "does not allow"),
    (refusal(404, "model 'x' not found"), "does not know this model"),
    (refusal(402, "pay"), "no credit"),
    (refusal(429, "You exceeded your current quota"), "no credit"),
    (refusal(400, "maximum context length is 4096 tokens"), "too long"),
    (refusal(400, "x", code="context_length_exceeded"), "too long"),
    (refusal(413, "large"), "too long"),
    (refusal(422, "nonsense"), "refused the request. It says: nonsense"),
    (refusal(400, "model x does not support tools"), "does not know tools"),
    (refusal(500, "tools param requires --jinja flag"), "does not know tools"),
    (
        Reply(steps=[b"<html>Hello</html>"], content_type="text/html"),
        "did not understand",
    ),
    (Reply(steps=[b"[1, 2]"]), "did not understand"),
    (Reply(steps=[chunk({"content": "I"})], broken=True), "broke off"),
]


@pytest.mark.parametrize(
    ("reply", "said"), TROUBLES, ids=[each[1] for each in TROUBLES]
)
async def test_troubles_in_words(home: AgentHome, reply: Reply, said: str) -> None:
    home.server.always = reply
    assert said in await home.hear("Go")


async def test_troubles_in_chinese(home: AgentHome) -> None:
    home.server.say(refusal(403, "no"))
    assert (
        await home.hear("好", language="zh-CN") == "模型服务器不允许此请求。 它说：no"
    )


async def test_no_server_at_all(home: AgentHome, hass: HomeAssistant) -> None:
    """Told in words and in a repair issue, which goes when the server is back."""
    url = home.subentry.data["url"]
    change(home, url="http://127.0.0.1:9/v1")

    async def sleep(seconds: float) -> None:
        return None

    said_first = await home.hear("")
    assert said_first == "I did not hear anything."
    home_server = entity_server_after_change(home)
    home_server._sleep = sleep
    assert (await home.hear("Go")).startswith("I cannot reach the model server.")
    assert issue(home, reports.UNREACHABLE) is not None
    change(home, url=url)
    home.server.say(words("Yes."))
    assert await home.hear("Go") == "Yes."
    assert issue(home, reports.UNREACHABLE) is None


def change(home: AgentHome, **data: object) -> None:
    """Change the agent's settings, as the flow does."""
    home.hass.config_entries.async_update_subentry(
        home.entry, home.subentry, data={**home.subentry.data, **data}
    )


def entity_server_after_change(home: AgentHome) -> OpenAIServer:
    """Return the connection that the changed settings make."""
    entity = home.hass.data["entity_components"]["conversation"].get_entity(
        home.entity_id
    )
    server = entity._current().server
    assert isinstance(server, OpenAIServer)
    return server


def issue(home: AgentHome, key: str) -> ir.IssueEntry | None:
    """Return a repair issue of the agent."""
    issue_id = f"{key}_{home.subentry.subentry_id}"
    return ir.async_get(home.hass).async_get_issue("homeagent", issue_id)


async def test_server_without_tools_raises_an_issue(home: AgentHome) -> None:
    home.server.say(refusal(400, "does not support tools"), words("Yes."))
    await home.hear("Go")
    assert issue(home, reports.NO_TOOLS) is not None
    await home.hear("Go")
    assert issue(home, reports.NO_TOOLS) is None


async def test_server_that_refuses_to_stream(home: AgentHome) -> None:
    """Asked without from then on; the issue says so."""
    whole_call = whole(
        {
            "content": None,
            "tool_calls": [
                {"id": "x", "function": {"name": "test__a", "arguments": {"n": 1}}}
            ],
        }
    )
    home.server.say(
        refusal(400, "streaming is not supported"),
        whole_call,
        whole({"content": "Done."}),
    )
    assert await home.hear("Go") == "Done."
    assert [each["stream"] for each in home.server.requests] == [True, False, False]
    assert home.counted.ended == ["a1"]
    assert issue(home, reports.NO_STREAMING) is not None


async def test_wrong_key_starts_a_reauth_that_names_the_agent(
    home: AgentHome, hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    """The entry stays loaded, and the key is repeated nowhere."""
    home.server.say(refusal(401, "Incorrect API key provided: sk-secret"))
    said = await home.hear("Go")
    await hass.async_block_till_done()
    assert said.startswith("The model server does not accept the API key.")
    (flow,) = hass.config_entries.flow.async_progress_by_handler("homeagent")
    assert flow["step_id"] == "reauth_confirm"
    assert flow["context"]["title_placeholders"] == {"name": "Scripted"}
    assert home.entry.state.name == "LOADED"
    assert "sk-secret" not in said + caplog.text
    assert home.server.keys == ["Bearer sk-secret"]


async def test_dropped_arguments_are_warned_of_once(
    home: AgentHome, caplog: pytest.LogCaptureFixture
) -> None:
    """A call whose arguments are blank; a tool without parameters is called all the same."""
    home.server.always = None
    for _ in range(2):
        home.server.say(calls(("test__nothing", "")), words("Ok."))
        assert await home.hear("Go") == "Ok."
    assert home.counted.ended == ["nothing", "nothing"]
    warnings = [
        record.getMessage()
        for record in caplog.records
        if record.levelno == logging.WARNING and "dropped" in record.getMessage()
    ]
    assert len(warnings) == 1
    assert "test.nothing" in warnings[0]
    assert "scripted" in warnings[0]
    assert "127.0.0.1" in warnings[0]


async def test_dropped_arguments_of_a_tool_that_needs_some(home: AgentHome) -> None:
    home.server.say(calls(("test__needs", "")), words("Hm."))
    await home.hear("Go")
    error = json.loads(home.answers()[0])
    assert (error["reason"], error["detail"]) == (
        "required",
        "the arguments arrived empty",
    )


async def test_an_empty_object_was_not_dropped(
    home: AgentHome, caplog: pytest.LogCaptureFixture
) -> None:
    home.server.say(calls(("test__nothing", "{}")), words("Ok."))
    await home.hear("Go")
    assert "look dropped" not in caplog.text


async def test_old_turns_are_left_out_without_breaking_pairs(
    hass: HomeAssistant, home: AgentHome
) -> None:
    """And the model is told so."""
    change(home, context=6000)
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
    ("choice", "sent"), [("required", ["required", None]), ("auto", [None, None])]
)
async def test_tool_choice(
    home: AgentHome, choice: str, sent: list[str | None]
) -> None:
    """What is demanded is demanded once: else calls would never end."""
    change(home, tool_choice=choice)
    home.server.say(calls(("test__a", {})), words("Ok."))
    await home.hear("Go")
    assert [each.get("tool_choice") for each in home.server.requests] == sent


async def test_no_tools_wanted(home: AgentHome) -> None:
    change(home, tool_choice="none")
    home.server.say(words("Ok."))
    await home.hear("Go")
    assert "tools" not in home.server.requests[0]


async def test_template_that_is_wrong(home: AgentHome) -> None:
    change(home, prompt="{{ nothing( }}")
    assert "cannot be rendered" in await home.hear("Go")


async def test_bug_inside_the_agent_does_not_end_the_turn(
    home: AgentHome, caplog: pytest.LogCaptureFixture
) -> None:
    """The last line of defense."""

    def broken(trouble: object) -> None:
        raise RuntimeError("a bug")

    home.hass.data["entity_components"]["conversation"].get_entity(
        home.entity_id
    )._agent.reports.tell = broken
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
