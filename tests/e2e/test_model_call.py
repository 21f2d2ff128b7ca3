"""A model's own tool calls, as a server streams them, from creating to running."""

from collections.abc import Mapping
import json

from demohome.real_home import RealHome

from custom_components.homeagent.kernel.streaming import ToolCallAccumulator

TOOL = {
    "tool": "persistent_notification.create",
    "args": {"message": "$args.text", "notification_id": "from_a_model"},
}
CREATE: Mapping[str, object] = {
    "name": "By a model",
    "groups": [
        {"name": "note", "in": {"text": "string"}, "tools": f"{json.dumps(TOOL)} ;"}
    ],
}
RUN: Mapping[str, object] = {"name": "By a model", "args": {"text": "It works; really"}}


def streamed(name: str, arguments: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the call as a server's fragments, put together again."""
    accumulator = ToolCallAccumulator()
    text = json.dumps(arguments)
    pieces = [text[start : start + 7] for start in range(0, len(text), 7)]
    first = {"index": 0, "id": "c", "function": {"name": name, "arguments": ""}}
    accumulator.add([first])
    for piece in pieces:
        accumulator.add([{"index": 0, "function": {"arguments": piece}}])
    calls = accumulator.flush()
    return [
        {"tool": call.name, "arguments": call.arguments, "id": call.id}
        for call in calls
    ]


async def test_from_create_to_run(home: RealHome) -> None:
    """The arguments arrive as the JSON text that the model wrote."""
    for name, arguments in (("seq_create", CREATE), ("seq_run", RUN)):
        calls = streamed(name, arguments)
        assert isinstance(calls[0]["arguments"], str)
        done = await home.api.call_action("homeagent.call_tools", {"calls": calls})
        assert done["success"] is True, done
    async with home.api.socket() as socket:
        notes = await socket.command("persistent_notification/get")
    assert "It works; really" in json.dumps(notes)


async def test_arguments_cut_off_by_the_token_limit(home: RealHome) -> None:
    """Nothing is made of half a sequence, and the error says what to do."""
    call = streamed("seq_create", CREATE)[0]
    call["arguments"] = str(call["arguments"])[:80]
    done = await home.api.call_action("homeagent.call_tools", {"calls": [call]})
    assert done["success"] is False
    assert '"reason": "arguments"' in json.dumps(done)
