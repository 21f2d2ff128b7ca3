"""Servers that break off, never end, repeat the key, or are not strict about JSON."""

import asyncio
from collections.abc import Mapping
import json
import logging
from typing import Any

from homeassistant.helpers import issue_registry as ir
import pytest

from custom_components.homeagent.agent.reply import MOST_STREAMED
from custom_components.homeagent.agent.troubles import hidden

from .agent_home import AgentHome, no_sleep
from .scripted_server import (
    DONE,
    Reply,
    Step,
    calls,
    chunk,
    event,
    fragment,
    refusal,
    words,
)

KEY = "Incorrect API key provided: sk-secret"


@pytest.mark.parametrize(
    "reply",
    [
        Reply(steps=[event({"error": {"message": KEY, "code": 401}})]),
        Reply(
            steps=[json.dumps({"error": {"message": KEY}}).encode()],
            content_type="application/json",
        ),
        refusal(404, f"{'x' * 293} sk-secret"),
        refusal(404, KEY),
        refusal(400, "tools: sk-secret"),
    ],
    ids=["in the stream", "instead of a stream", "cut", "not found", "issue"],
)
async def test_the_key_is_repeated_nowhere(
    home: AgentHome, caplog: pytest.LogCaptureFixture, reply: Reply
) -> None:
    """Whatever way the server takes to repeat it; not even its beginning."""
    home.server.always = reply
    caplog.set_level(logging.INFO)
    said = await home.hear("Go")
    issues = [
        str(one.translation_placeholders)
        for one in ir.async_get(home.hass).issues.values()
    ]
    told = "\n".join([said, *issues, *(one.getMessage() for one in caplog.records)])
    assert said
    assert "sk-s" not in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bad key sk-0123456789abcdef!", "bad key ***!"),
        ("bad key sk-0123456789a...", "bad key ***..."),
        ("sk-0123456789abcdef, sk-0123456789abcdef", "***, ***"),
        ("sk-0123 is known to all", "sk-0123 is known to all"),
        ("a%2Fb%2Fc and a/b/c", "*** and ***"),
    ],
)
def test_hidden(text: str, told: str) -> None:
    """Whole, cut, more than once, and as it stands in an address."""
    assert hidden(text, ["sk-0123456789abcdef", "a/b/c"]) == told


@pytest.mark.parametrize(
    ("inside", "repeated", "sent"),
    [
        ("ann:pa%3As5", "ann with pa:s5", "Basic YW5uOnBhOnM1"),
        ("ann:pa%3As5", "Basic YW5uOnBhOnM1", "Basic YW5uOnBhOnM1"),
        ("t0k-s5", "t0k-s5", "Basic dDBrLXM1Og=="),
    ],
    ids=["password", "header", "name alone"],
)
async def test_secrets_in_the_address_are_sent_and_told_nowhere(
    home: AgentHome,
    caplog: pytest.LogCaptureFixture,
    inside: str,
    repeated: str,
    sent: str,
) -> None:
    home.change(url=home.server.url.replace("//", f"//{inside}@"))
    home.server.say(refusal(404, f"nothing for {repeated}"), words("Yes."))
    caplog.set_level(logging.INFO)
    said = await home.hear("Go")
    assert await home.hear("And now?") == "Yes."
    assert home.server.keys == [sent] * 2
    assert "***" in said
    logged = [one.getMessage() for one in caplog.records]
    assert any("/chat/completions" in line for line in logged)
    assert not [
        line for line in [said, *logged] if "s5" in line or sent.split()[1] in line
    ]


@pytest.mark.parametrize("key", ["", "x"])
async def test_a_key_that_is_none_hides_no_words(home: AgentHome, key: str) -> None:
    """Where no key is wanted, people enter anything."""
    home.change(api_key=key)
    home.server.say(refusal(400, "none of the next models is loaded"))
    assert "none of the next models is loaded" in await home.hear("Go")


CUT: dict[str, Mapping[str, Any]] = {
    "broken off": {"broken": True},
    "token limit": {"end": [chunk({}, "length"), DONE]},
    "ended without a word": {},
}


@pytest.mark.parametrize("how", CUT.values(), ids=CUT.keys())
async def test_a_call_whose_arguments_never_came_does_not_run(
    home: AgentHome, how: Mapping[str, Any]
) -> None:
    """Without them it may do more than was meant; a tool that has none runs."""
    steps: list[Step] = [
        chunk({"tool_calls": [fragment(0, "test__nothing", "")]}),
        chunk({"tool_calls": [fragment(1, "test__b", {"n": 2})]}),
        chunk({"tool_calls": [fragment(2, "test__a", "")]}),
    ]
    home.server.say(
        Reply(steps=[*steps, *how.get("end", ())], broken=how.get("broken", False)),
        words("Hm."),
    )
    assert await home.hear("Go") == "Hm."
    assert home.counted.ended == ["nothing", "b2"]
    assert json.loads(home.answers()[2])["reason"] == "arguments"


async def test_a_whole_message_is_no_beginning(home: AgentHome) -> None:
    """Also instead of a stream, without a reason for its end: nothing is missing."""
    function = {"name": "test__a", "arguments": ""}
    call = {"id": "1", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    home.server.say(Reply(steps=[event({"choices": [{"message": message}]})]))
    home.server.say(words("Done."))
    await home.hear("Go")
    assert home.counted.ended == ["a"]


ENDLESS: dict[str, list[Step]] = {
    "words": [chunk({"content": "word " * 100_000})] * 6,
    "thoughts": [chunk({"reasoning_content": "hm " * 100_000})] * 9,
    "arguments": [
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": "y" * 500_000}}]})
    ]
    * 6,
    "calls": [
        chunk({"tool_calls": [fragment(n, "test__alone", {}, "same")]})
        for n in range(1, 1100)
    ],
    "calls in one piece": [
        chunk({"tool_calls": [fragment(n, "test__a", {}) for n in range(1, 9000)]})
    ],
}


@pytest.mark.parametrize("endless", ENDLESS.values(), ids=ENDLESS.keys())
async def test_an_answer_that_is_too_much_is_stopped(
    home: AgentHome, endless: list[Step]
) -> None:
    """It is told and not waited for, and nothing that stands in it is done."""
    begin = chunk({"tool_calls": [fragment(0, "test__a", {"n": 1})]})
    home.server.say(Reply(steps=[begin, *endless, asyncio.Event()]))
    said = await home.hear("Go")
    assert "much longer than any answer" in said
    assert len(said) < 2 * MOST_STREAMED
    assert home.counted.begun == []
    assert len(home.server.requests) == 1


@pytest.mark.parametrize(
    ("raw", "sent"),
    [
        ('{"n": 3}', {"n": 3}),
        ('"{\\"n\\": 3}"', {"n": 3}),
        ('{"n": 20s}', {"n": "20s"}),
    ],
)
async def test_arguments_go_back_as_an_object(
    home: AgentHome, raw: str, sent: dict[str, Any]
) -> None:
    """Servers read the history's arguments, and refuse what is no JSON object."""
    home.server.say(calls(("test__a", raw)), words("Hm."))
    await home.hear("Go")
    (call,) = home.server.requests[1]["messages"][-2]["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == sent


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (
            [
                rb'data: {"choices":[{"delta":{"content":"Hi \ud83d"}}]}' + b"\n\n",
                rb'data: {"choices":[{"delta":{"content":"\ude00!"}}]}' + b"\n\n",
            ],
            "Hi 😀!",
        ),
        ([b'data: {"choices":[{"delta":{"content":"Hi"},"x":NaN}]}\n\n'], "Hi"),
        ([b'data: {"id":1,"id":2,"choices":[{"delta":{"content":"Hi"}}]}\n\n'], "Hi"),
        ([b'data: {\ndata: "choices":[{"delta":{"content":"Hi"}}]\ndata: }\n\n'], "Hi"),
    ],
    ids=["emoji in two halves", "no number", "a key twice", "event on many lines"],
)
async def test_json_that_is_not_strict(
    home: AgentHome, steps: list[Step], said: str
) -> None:
    home.server.say(Reply(steps=[*steps, DONE]))
    assert await home.hear("Go") == said


async def test_ids_and_names_with_half_a_character_go_back(home: AgentHome) -> None:
    """A message with one could not be sent."""
    whole = json.dumps(fragment(0, "test__a", {"n": 1}, "call"))
    broken = whole.replace('"call"', '"call\\ud800"')
    home.server.say(
        Reply(
            steps=[
                b'data: {"choices":[{"delta":{"tool_calls":[%b]}}]}\n\n'
                % broken.encode(),
                DONE,
            ]
        ),
        words("Done."),
    )
    assert await home.hear("Go") == "Done."
    assert home.counted.ended == ["a1"]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            Reply(
                steps=[b"<html><head><style>a{}</style><title>502</title></head>"],
                status=502,
                content_type="text/html",
            ),
            "overloaded or not ready. Please try again. It says: 502",
        ),
        (
            Reply(
                steps=[b'{"detail": [{"loc": ["body"], "msg": "extra field"}]}'],
                status=422,
                content_type="application/json",
            ),
            "refused the request. It says: extra field",
        ),
        (Reply(steps=[chunk({"content": "Hi"})], broken=True), "broke off."),
        (
            Reply(steps=[chunk({"reasoning": "Hm"}), chunk({}, "length"), DONE]),
            "(The answer was cut off at the model's token limit.)",
        ),
    ],
    ids=["page", "list of problems", "broken off", "thought too long"],
)
async def test_words_are_plain(home: AgentHome, reply: Reply, said: str) -> None:
    """No markup and no name of a class is read aloud."""
    home.connection._sleep = no_sleep
    home.server.always = reply
    assert (await home.hear("Go")).endswith(said)


async def test_what_was_done_is_told_also_after_trouble(home: AgentHome) -> None:
    """Whoever hears only of the trouble would do it again."""
    home.server.say(
        calls(("test__a", {"n": 1}), ("test__bug", {})), refusal(400, "no more")
    )
    said = await home.hear("Go")
    trouble, done = said.split("\n")
    assert trouble == "The model server refused the request. It says: no more"
    assert done.startswith("Done: A (n: 1). This did not work: Bug")


async def test_a_context_far_too_large_is_found_in_few_requests(
    home: AgentHome,
) -> None:
    """Halving what was sent, not what was set; and it is never told as tool calls."""
    home.change(context=2_000_000)
    home.server.always = refusal(400, "maximum context length is 100 tokens")
    said = await home.hear("Go")
    assert said.startswith("This conversation is too long for the model.")
    assert len(home.server.requests) <= 5
