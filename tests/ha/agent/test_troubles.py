"""Troubles with a model server: limits, other tries, words, repair issues."""

import asyncio
import json
import logging
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest

from custom_components.homeagent.agent import reports
from custom_components.homeagent.agent.server import Limits

from .agent_home import AgentHome, no_sleep
from .scripted_server import Reply, calls, chunk, refusal, whole, words


def issue(home: AgentHome, key: str) -> ir.IssueEntry | None:
    """Return a repair issue of the agent."""
    issue_id = f"{key}_{home.subentry.subentry_id}"
    return ir.async_get(home.hass).async_get_issue("homeagent", issue_id)


@pytest.mark.parametrize("steps", [[], [b": still thinking\n\n"]])
async def test_silence_is_an_error_in_words(home: AgentHome, steps: list[Any]) -> None:
    home.connection._limits = Limits(silence=0.2, in_all=30)
    home.server.say(Reply(steps=[*steps, asyncio.Event()]))
    said = await home.hear("Go")
    assert said == "The model server did not answer within 0.2 seconds."


async def test_an_answer_without_end_is_stopped(home: AgentHome) -> None:
    """Comments that keep the connection alive do not do so for ever."""
    home.connection._limits = Limits(silence=30, in_all=0.3)

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

    home.connection._sleep = sleep
    home.server.say(
        refusal(status, "not now", {"Retry-After": "7"}),
        refusal(status, "not now", {"retry-after-ms": "1500"}),
        words("Yes."),
    )
    assert await home.hear("Go") == "Yes."
    assert waits == [7.0, 1.5]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        (
            {
                "date": "Mon, 30 Nov 2026 19:00:00 GMT",
                "retry-after": "Mon, 30 Nov 2026 19:00:09 GMT",
            },
            9.0,
        ),
        ({"retry-after": "soon"}, 0.5),
        ({"retry-after": "nan"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
    ],
)
async def test_delays_of_all_kinds(
    home: AgentHome, headers: dict[str, str], seconds: float
) -> None:
    """A date counts by the server's own clock; nonsense is as no delay given."""
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    home.connection._sleep = sleep
    home.server.say(refusal(429, "not now", headers), words("Yes."))
    assert await home.hear("Go") == "Yes."
    assert waits == [seconds]


async def test_no_delay_given(home: AgentHome) -> None:
    """Half a second, then one; after three tries it is told."""
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    home.connection._sleep = sleep
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
    home.change(url="http://127.0.0.1:9/v1")

    async def sleep(seconds: float) -> None:
        return None

    said_first = await home.hear("")
    assert said_first == "I did not hear anything."
    home.connection._sleep = sleep
    assert (await home.hear("Go")).startswith("I cannot reach the model server.")
    assert issue(home, reports.UNREACHABLE) is not None
    home.change(url=url)
    home.server.say(words("Yes."))
    assert await home.hear("Go") == "Yes."
    assert issue(home, reports.UNREACHABLE) is None


async def test_server_without_tools_raises_an_issue(home: AgentHome) -> None:
    home.server.say(refusal(400, "does not support tools"), words("Yes."))
    await home.hear("Go")
    assert issue(home, reports.NO_TOOLS) is not None
    await home.hear("Go")
    assert issue(home, reports.NO_TOOLS) is None


BROKEN = Reply(steps=[b": wait\n\n"], broken=True)


@pytest.mark.parametrize(
    "first",
    [
        [refusal(400, "streaming is not supported")],
        [Reply(steps=[])] * 2,
        [BROKEN] * 2,
    ],
    ids=["refused", "empty", "broken off"],
)
async def test_server_that_does_not_stream(home: AgentHome, first: list[Reply]) -> None:
    """Asked without from then on; the issue says so."""
    home.connection._sleep = no_sleep
    whole_call = whole(
        {
            "content": None,
            "tool_calls": [
                {"id": "x", "function": {"name": "test__a", "arguments": {"n": 1}}}
            ],
        }
    )
    home.server.say(*first, whole_call, whole({"content": "Done."}))
    assert await home.hear("Go") == "Done."
    asked = [each["stream"] for each in home.server.requests]
    assert asked == [*(True for _ in first), False, False]
    assert home.counted.ended == ["a1"]
    assert issue(home, reports.NO_STREAMING) is not None


async def test_server_that_breaks_off_once_can_stream(home: AgentHome) -> None:
    """It was started anew, perhaps: that says nothing for good."""
    home.connection._sleep = no_sleep
    home.server.say(BROKEN, words("Yes."), words("Again."))
    assert await home.hear("Go") == "Yes."
    assert await home.hear("Go") == "Again."
    assert [each["stream"] for each in home.server.requests] == [True] * 3
    assert issue(home, reports.NO_STREAMING) is None


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
