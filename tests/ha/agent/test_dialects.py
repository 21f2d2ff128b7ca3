"""What servers make of the chat completions API: every dialect comes out the same.

The real client speaks to a real server. The reply of each row calls two tools; each must
run once, with its own arguments, and the answers must go back in order.
"""

import json
from typing import Any

import pytest

from .agent_home import AgentHome
from .scripted_server import (
    DONE,
    Reply,
    Step,
    calls,
    chunk,
    event,
    fragment,
    whole,
    words,
)

A = fragment(0, "test__a", {"n": 1})
B = fragment(1, "test__b", {"n": 2})


def without(call: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in call.items() if key not in keys}


def objects(call: dict[str, Any]) -> dict[str, Any]:
    """Return a call whose arguments are an object instead of a text."""
    function = call["function"]
    arguments = json.loads(function["arguments"])
    return {**call, "function": {**function, "arguments": arguments}}


def stream(*deltas: dict[str, Any], finish: str = "tool_calls") -> list[Step]:
    return [*(chunk(delta) for delta in deltas), chunk({}, finish), DONE]


def part(index: int, arguments: str) -> dict[str, Any]:
    return {"tool_calls": [{"index": index, "function": {"arguments": arguments}}]}


INTERLEAVED = stream(
    {"tool_calls": [fragment(0, "test__a", "")]},
    {"tool_calls": [fragment(1, "test__b", "")]},
    part(1, '{"n"'),
    part(0, '{"n"'),
    part(0, ": 1}"),
    part(1, ": 2}"),
)

MESSAGE = {"role": "assistant", "content": None, "tool_calls": [A, B]}

DIALECTS: dict[str, Reply] = {
    "as OpenAI": calls(("test__a", {"n": 1}), ("test__b", {"n": 2})),
    "whole calls in one chunk": Reply(steps=stream({"tool_calls": [A, B]})),
    "interleaved": Reply(steps=INTERLEAVED),
    "descending": Reply(steps=stream({"tool_calls": [B]}, {"tool_calls": [A]})),
    "no index": Reply(
        steps=stream({"tool_calls": [without(A, "index"), without(B, "index")]})
    ),
    "arguments as object": Reply(
        steps=stream({"tool_calls": [objects(A), objects(B)]})
    ),
    "no id": Reply(steps=stream({"tool_calls": [without(A, "id"), without(B, "id")]})),
    "one id for both": Reply(steps=stream({"tool_calls": [A, {**B, "id": "call_0"}]})),
    "blank ids": Reply(
        steps=stream({"tool_calls": [{**A, "id": ""}, {**B, "id": ""}]})
    ),
    "empty content": Reply(steps=stream({"content": "", "tool_calls": [A, B]})),
    "null content": Reply(steps=stream({"content": None, "tool_calls": [A, B]})),
    "finish reason stop": Reply(steps=stream({"tool_calls": [A, B]}, finish="stop")),
    "no finish reason": Reply(steps=[chunk({"tool_calls": [A, B]}), DONE]),
    "no done": Reply(steps=[chunk({"tool_calls": [A, B]}), chunk({}, "stop")]),
    "finish twice": Reply(
        steps=[
            chunk({"tool_calls": [A, B]}, "tool_calls"),
            chunk({"tool_calls": [A, B]}, "tool_calls"),
            chunk({}, "stop"),
            DONE,
        ]
    ),
    "usage at the end": Reply(
        steps=[
            *stream({"tool_calls": [A, B]})[:-1],
            event({"choices": [], "usage": {"total_tokens": 1}}),
            DONE,
        ]
    ),
    "keep-alive comments": Reply(
        steps=[
            b": waiting\n\n",
            chunk({"tool_calls": [A]}),
            b": waiting\n\n:\n\n",
            *stream({"tool_calls": [B]}),
        ]
    ),
    "reasoning": Reply(
        steps=stream(
            {"reasoning_content": "Which lamp? "},
            {"reasoning_content": "Both."},
            {"tool_calls": [A, B]},
        )
    ),
    "think marks": Reply(
        steps=stream(
            {"content": "<thi"},
            {"content": "nk>Both.</th"},
            {"content": "ink>\n\n"},
            {"tool_calls": [A, B]},
        )
    ),
    "events without blank lines": Reply(
        steps=[chunk({"tool_calls": [A, B]}).strip() + b"\n", chunk({}, "stop")]
    ),
    "carriage returns": Reply(
        steps=[
            step.replace(b"\n", b"\r\n")
            for step in stream({"tool_calls": [A, B]})
            if isinstance(step, bytes)
        ]
    ),
    "byte by byte": Reply(
        steps=[
            bytes([byte])
            for step in stream({"tool_calls": [A, B]})
            if isinstance(step, bytes)
            for byte in step
        ]
    ),
    "wrong content type": Reply(
        steps=stream({"tool_calls": [A, B]}), content_type="application/json"
    ),
    "plain text": Reply(
        steps=stream({"tool_calls": [A, B]}), content_type="text/plain"
    ),
    "not streamed": whole(MESSAGE, "tool_calls"),
    "not streamed, as a stream": Reply(
        steps=whole(MESSAGE).steps, content_type="text/event-stream"
    ),
    "not streamed, on many lines": Reply(
        steps=[
            json.dumps({"choices": [{"message": MESSAGE}]}, indent=2).encode(),
        ],
        content_type="application/json",
    ),
    "the whole message in one event": Reply(
        steps=[event({"choices": [{"index": 0, "message": MESSAGE}]}), DONE]
    ),
    "a second choice": Reply(
        steps=[
            event(
                {
                    "choices": [
                        {"index": 1, "delta": {"tool_calls": [A]}},
                        {"index": 0, "delta": {"tool_calls": [A, B]}},
                    ]
                }
            ),
            DONE,
        ]
    ),
}


@pytest.mark.parametrize("reply", DIALECTS.values(), ids=DIALECTS.keys())
async def test_calls_in_a_dialect(home: AgentHome, reply: Reply) -> None:
    home.server.say(reply, words("Done."))
    assert await home.hear("Do both") == "Done."
    assert home.counted.ended == ["a1", "b2"]
    assert home.answers() == ['{"did":"a1"}', '{"did":"b2"}']
    ids = sent_ids(home)
    assert len(set(ids)) == 2
    assert ids == answered_ids(home)


def sent_ids(home: AgentHome) -> list[str]:
    """Return the ids of the calls that stand in the last request."""
    return [
        call["id"]
        for message in home.server.requests[-1]["messages"]
        for call in message.get("tool_calls", ())
    ]


def answered_ids(home: AgentHome) -> list[str]:
    """Return the ids that the answers in the last request name."""
    messages = home.server.requests[-1]["messages"]
    return [each["tool_call_id"] for each in messages if each["role"] == "tool"]


WORDS: dict[str, Reply] = {
    "streamed": words("All ", "is well."),
    "not streamed": whole({"role": "assistant", "content": "All is well."}),
    "parts": Reply(
        steps=stream(
            {"content": [{"type": "text", "text": "All "}]},
            {"content": [{"type": "text", "text": "is well."}]},
            finish="stop",
        )
    ),
    "thoughts before": Reply(
        steps=stream(
            {"reasoning": "Hm."},
            {"content": "<think>Is it?</think>All is well."},
            finish="stop",
        )
    ),
    "think marks in pieces": Reply(
        steps=stream(
            {"content": "\n<thi"},
            {"content": "nk>Is it?</th"},
            {"content": "ink>\n\n"},
            {"content": "All is well."},
            finish="stop",
        )
    ),
    "an end of thoughts that is none": Reply(
        steps=stream(
            {"content": "<think>a </thin"},
            {"content": "g></think>All is well."},
            finish="stop",
        )
    ),
    "a repeated last chunk": Reply(
        steps=[
            chunk({"content": "All is well."}, "stop"),
            chunk({"content": "All is well."}, "stop"),
            DONE,
        ]
    ),
    "something that is no JSON between": Reply(
        steps=[
            chunk({"content": "All "}),
            b"data: {half\n\n",
            chunk({"content": "is well."}, "stop"),
            DONE,
        ]
    ),
    "cut inside a character": Reply(
        steps=[b"data: \xff\xfe\n\n", *stream({"content": "All is well."})]
    ),
    "the finish twice": Reply(
        steps=[
            chunk({"content": "All is well."}),
            chunk({}, "stop"),
            chunk({}, "stop"),
            DONE,
        ]
    ),
}


@pytest.mark.parametrize("reply", WORDS.values(), ids=WORDS.keys())
async def test_words_in_a_dialect(home: AgentHome, reply: Reply) -> None:
    home.server.say(reply)
    assert await home.hear("How is it?") == "All is well."


async def test_reasoning_goes_back_with_its_calls(home: AgentHome) -> None:
    """Under the server's own name for it, and only within the turn."""
    home.server.say(DIALECTS["reasoning"], words("Done."), words("Yes."))
    await home.hear("Do both")
    await home.hear("Really?")
    second, third = (
        [
            message.get("reasoning_content")
            for message in request["messages"]
            if message.get("tool_calls")
        ]
        for request in home.server.requests[1:]
    )
    assert (second, third) == (["Which lamp? Both."], [None])
