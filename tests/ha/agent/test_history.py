"""Histories that servers take: every call has its answer, and all of it fits."""

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.homeagent.agent.healing import heal
from custom_components.homeagent.agent.messages import (
    Answered,
    Asked,
    Instructions,
    Made,
    Message,
    Picture,
    Said,
    Shown,
    to_wire,
)
from custom_components.homeagent.agent.trimming import (
    LEFT_OUT,
    fit,
    message_tokens,
    tokens,
)

IDS = st.sampled_from(["a", "b", "c", ""])
MESSAGES = st.one_of(
    st.builds(Asked, text=st.sampled_from(["hi", ""])),
    st.builds(
        Said,
        text=st.sampled_from(["well", ""]),
        calls=st.lists(
            st.builds(Made, id=IDS, function=st.just("f"), arguments=st.just("{}")),
            max_size=3,
        ).map(tuple),
    ),
    st.builds(Answered, call_id=IDS, function=st.just("f"), text=st.text(max_size=3)),
    st.just(
        Shown(pictures=(Picture(mime_type="image/png", data=b"x", label="a cat"),))
    ),
)


def is_paired(messages: list[Message]) -> bool:
    """Whether each call is answered once, at once and in order, by ids of its own."""
    used: set[str] = set()
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, Answered):
            if not waiting or waiting.pop(0) != message.call_id:
                return False
            continue
        if waiting:
            return False
        if isinstance(message, Said):
            waiting = [call.id for call in message.calls]
            if used.intersection(waiting) or len(set(waiting)) < len(waiting):
                return False
            used.update(waiting)
    return not waiting


@settings(max_examples=500, deadline=None)
@given(st.lists(MESSAGES, max_size=12))
def test_any_history_heals(messages: list[Message]) -> None:
    """Twice is as once, no answer of a call is lost, and nothing is empty."""
    healed = heal(messages)
    assert is_paired(healed)
    assert heal(healed) == healed
    assert "" not in [each.text for each in healed if isinstance(each, Asked)]


def test_two_calls_with_one_id_keep_their_own_answers() -> None:
    made = tuple(Made(id="x", function=name, arguments="{}") for name in "pq")
    healed = heal(
        [
            Said(calls=made),
            Answered(call_id="x", function="p", text="first"),
            Answered(call_id="x", function="q", text="second"),
        ]
    )
    answers = [each.text for each in healed if isinstance(each, Answered)]
    assert answers == ["first", "second"]
    assert is_paired(healed)


def turn(number: int, size: int = 400) -> list[Message]:
    made = Made(id=f"c{number}", function="f", arguments="{}")
    return [
        Asked(text=f"turn {number}"),
        Said(calls=(made,)),
        Answered(call_id=made.id, function="f", text="x" * size),
        Said(text="well"),
    ]


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 12), st.integers(100, 6000), st.integers(0, 3000))
def test_what_does_not_fit_goes_by_whole_turns(
    turns: int, context: int, size: int
) -> None:
    """The last turn and the instructions always stay, and pairs stay pairs."""
    messages: list[Message] = [Instructions(text="Be kind.")]
    for number in range(turns):
        messages += turn(number, size)
    fitted = fit(messages, [], context)
    assert is_paired(fitted)
    asked = [each.text for each in fitted if isinstance(each, Asked)]
    assert asked == [f"turn {number}" for number in range(turns)][-len(asked) :]
    assert isinstance(fitted[0], Instructions)
    assert (LEFT_OUT in fitted[0].text) is (len(asked) < turns)
    if len(asked) > 1:
        # The note that something is missing is not counted.
        assert sum(map(message_tokens, fitted)) <= context + tokens(LEFT_OUT) + 1


def test_a_very_long_talk() -> None:
    """In proportion to its length: Home Assistant stands still meanwhile."""
    made = [Made(id="c", function="f", arguments="{}")] * 20
    answered = [Answered(call_id="c", function="f", text="x" * 3000)] * 20
    one: list[Message] = [Asked(text="Go"), Said(calls=tuple(made)), *answered]
    many = heal(one * 1000)
    assert is_paired(many)
    assert len(fit(many, [], 16_000)) < len(many)
    under_way = heal([Asked(text="Go"), *one[1:] * 1000])
    fitted = fit(under_way, [], 16_000)
    assert len(fitted) == len(under_way)
    assert max(len(each.text) for each in fitted if isinstance(each, Answered)) <= 512


def test_a_long_answer_is_cut_with_a_marker() -> None:
    """Where even the turn under way does not fit; the number in it is the whole."""
    fitted = fit([Instructions(text="Hi"), *turn(1, 40_000)], [], 2000)
    (answer,) = [each for each in fitted if isinstance(each, Answered)]
    assert len(answer.text) <= 10_000
    assert "of 40000 bytes are left out" in answer.text


@pytest.mark.parametrize(
    ("text", "estimate"),
    [("", 0), ("word", 1), ("words", 2), ("灯", 1), ("开灯 now", 3)],
)
def test_tokens(text: str, estimate: int) -> None:
    assert tokens(text) == estimate


@pytest.mark.parametrize(
    ("message", "wire"),
    [
        (Asked(text="half \ud800"), {"role": "user", "content": "half \ufffd"}),
        (
            Answered(call_id="c", function="f", text=""),
            {"role": "tool", "tool_call_id": "c", "content": ""},
        ),
        (Said(text=""), {"role": "assistant", "content": ""}),
    ],
)
def test_wire(message: Message, wire: dict[str, object]) -> None:
    assert to_wire(message) == wire
