"""Whatever a server sends: no exception of ours ends a turn."""

from collections.abc import Callable
import json
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.homeagent.agent.payloads import PayloadReader
from custom_components.homeagent.agent.reply import ReplyReader

from .agent_home import AgentHome
from .scripted_server import DONE, Reply, calls, chunk, event, fragment, words

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(["test__a", "test__bug", "test__alone", "", "nowhere"]) | JSON
ARGUMENTS = st.sampled_from(['{"n": 1}', "{}", "", '{"n": ', "[1]", "null"]) | JSON
FRAGMENTS = st.fixed_dictionaries(
    {},
    optional={
        "index": st.integers(-1, 3) | JSON,
        "id": st.sampled_from(["x", "y", ""]) | JSON,
        "function": st.fixed_dictionaries(
            {}, optional={"name": NAMES, "arguments": ARGUMENTS}
        )
        | JSON,
    },
)
DELTAS = st.fixed_dictionaries(
    {},
    optional={
        "role": st.just("assistant") | JSON,
        "content": st.text(max_size=8) | JSON,
        "reasoning_content": st.text(max_size=8) | JSON,
        "tool_calls": st.lists(FRAGMENTS | JSON, max_size=3) | JSON,
        "function_call": FRAGMENTS | JSON,
        "refusal": JSON,
    },
)
CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "index": st.just(0) | JSON,
        "delta": DELTAS | JSON,
        "message": DELTAS | JSON,
        "finish_reason": st.sampled_from(["stop", "length", "tool_calls"]) | JSON,
    },
)
PAYLOADS = st.fixed_dictionaries(
    {}, optional={"choices": st.lists(CHOICES | JSON, max_size=2) | JSON, "error": JSON}
)
EVENTS = st.one_of(
    PAYLOADS.map(event),
    JSON.map(event),
    st.binary(max_size=30),
    st.sampled_from([DONE, b": alive\n\n", b"event: error\n", b"\n", b"data:\n\n"]),
    st.builds(
        lambda index, text: chunk({"tool_calls": [fragment(index, "test__a", text)]}),
        st.integers(0, 2),
        st.sampled_from(['{"n": 1}', "{", ""]),
    ),
)


@st.composite
def streams(draw: Callable[[Any], Any]) -> bytes:
    """Return the bytes of a stream in any order, mostly cut somewhere."""
    whole = b"".join(draw(st.lists(EVENTS, max_size=6)))
    return bytes(whole[: draw(st.integers(0, len(whole)))])


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=200) | streams(), st.integers(1, 17))
def test_reading_is_total_and_does_not_depend_on_the_pieces(
    data: bytes, size: int
) -> None:
    """Any bytes, in pieces of any size, give the same words and calls as at once."""
    assert read(data, size) == read(data, max(len(data), 1))


@settings(max_examples=500, deadline=None)
@given(st.lists(PAYLOADS, max_size=4))
def test_any_object_is_taken(payloads: list[Any]) -> None:
    """Whatever stands in the place of whatever."""
    reader = ReplyReader()
    for payload in payloads:
        reader.take(payload)
    reader.close()
    for call in reader.calls():
        assert isinstance(call.name, str)
        assert isinstance(call.arguments, str)


def read(data: bytes, size: int) -> Any:
    payloads, reader = PayloadReader(), ReplyReader()
    found = []
    for start in range(0, len(data), size):
        found += payloads.feed(data[start : start + size])
    found += payloads.close()
    for payload in found:
        reader.take(payload)
    reader.close()
    told = [(each.name, each.arguments, each.id) for each in reader.calls()]
    return json.dumps([reader.text, told, reader.finish_reason, payloads.garbage])


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(streams(), st.booleans())
async def test_every_turn_ends_with_words(
    home: AgentHome, caplog: pytest.LogCaptureFixture, data: bytes, broken: bool
) -> None:
    """The real client; after that, the same conversation goes on."""

    async def sleep(seconds: float) -> None:
        return None

    home.connection._sleep = sleep
    home.server.always = words("Enough.")
    home.server.script.clear()
    home.server.say(Reply(steps=[data], broken=broken))
    assert (await home.hear("Go")).strip()
    home.server.script.clear()
    home.server.say(calls(("test__a", {"n": 1})), words("Yes."))
    assert await home.hear("And now?") == "Yes."
    assert "Traceback" not in "".join(
        record.getMessage() for record in caplog.records if record.name.endswith("turn")
    )
    assert not [record for record in caplog.records if record.name.endswith(".turn")]


async def test_the_turn_of_a_user_who_may_nothing(
    hass: HomeAssistant, home: AgentHome, hass_read_only_user: User
) -> None:
    """The model gets no tools that do anything, and a call is refused."""
    from homeassistant.core import Context

    home.server.say(calls(("test__a", {"n": 1})), words("Sorry."))
    said = await home.hear("Go", context=Context(user_id=hass_read_only_user.id))
    assert said == "Sorry."
    assert '"reason":"unauthorized"' in home.answers()[0]
    offered = [
        each["function"]["name"] for each in home.server.requests[0].get("tools", ())
    ]
    assert "test__a" not in offered
    assert home.counted.begun == []
