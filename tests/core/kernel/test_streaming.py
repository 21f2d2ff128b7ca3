"""Calls are put together from fragments, whatever the server's dialect (§6.3)."""

from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.homeagent.kernel.streaming import ToolCallAccumulator

type Chunk = tuple[list[Any] | None, str | None]
type Call = tuple[str, str, str]


def part(
    index: int | str | None = None,
    id: str | None = None,
    name: str | None = None,
    arguments: object = None,
) -> dict[str, object]:
    return {
        "index": index,
        "id": id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def calls_of(chunks: list[Chunk]) -> list[Call]:
    accumulator = ToolCallAccumulator()
    for fragments, finish_reason in chunks:
        accumulator.add(fragments, finish_reason)
    return [(call.id, call.name, call.arguments) for call in accumulator.flush()]


def data(*fragments: object) -> Chunk:
    return (list(fragments), None)


FINISH: Chunk = (None, "tool_calls")
A = '{"a":1}'
B = '{"b":2}'

CASES: dict[str, tuple[list[Chunk], list[Call]]] = {
    "nothing": ([FINISH], []),
    "one call in one fragment": (
        [data(part(0, "c0", "x", A)), FINISH],
        [("c0", "x", A)],
    ),
    "one call in many": (
        [
            data(part(0, "c0", "x", "")),
            data(part(0, None, None, '{"a"')),
            data(part(0, None, None, ":1}")),
            FINISH,
        ],
        [("c0", "x", A)],
    ),
    "two calls interleaved": (
        [
            data(part(0, "c0", "x", '{"a"'), part(1, "c1", "y", "")),
            data(part(1, arguments='{"b"'), part(0, arguments=":")),
            data(part(0, arguments="1}")),
            data(part(1, arguments=":2}")),
            FINISH,
        ],
        [("c0", "x", A), ("c1", "y", B)],
    ),
    "calls that come in another order": (
        [
            data(part(2, "c2", "z", A)),
            data(part(0, "c0", "x", A), part(1, "c1", "y", B)),
        ],
        [("c0", "x", A), ("c1", "y", B), ("c2", "z", A)],
    ),
    "one id for two calls": (
        [data(part(0, "c", "x", A), part(1, "c", "x", B)), FINISH],
        [("c", "x", A), ("c", "x", B)],
    ),
    "one id for two equal calls": (
        [data(part(0, "c", "x", A), part(1, "c", "x", A)), FINISH],
        [("c", "x", A), ("c", "x", A)],
    ),
    "no id": (
        [data(part(0, None, "x", A)), data(part(1, "", "y", B)), FINISH],
        [("", "x", A), ("", "y", B)],
    ),
    "no index, but ids": (
        [
            data(part(None, "c0", "x", "")),
            data(part(None, "c1", "y", "")),
            data(part(None, "c0", None, A)),
            data(part(None, "c1", None, B)),
        ],
        [("c0", "x", A), ("c1", "y", B)],
    ),
    "no index, ids, no arguments": (
        [data(part(None, "c0", "x", "")), data(part(None, "c1", "x", ""))],
        [("c0", "x", ""), ("c1", "x", "")],
    ),
    "no index, one id for two calls": (
        [data(part(None, "c", "x", A)), data(part(None, "c", "y", B))],
        [("c", "x", A), ("c", "y", B)],
    ),
    "neither index nor id, whole calls": (
        [data(part(None, None, "x", A)), data(part(None, None, "x", A)), FINISH],
        [("", "x", A), ("", "x", A)],
    ),
    "neither index nor id, in fragments": (
        [
            data(part(None, None, "x", "")),
            data(part(None, None, None, '{"a"')),
            data(part(None, None, None, ":1}")),
            data(part(None, None, "y", B)),
        ],
        [("", "x", A), ("", "y", B)],
    ),
    "index only in the first fragment": (
        [data(part(0, "c0", "x", '{"a"')), data(part(None, None, None, ":1}"))],
        [("c0", "x", A)],
    ),
    "the index 0 for all, by id": (
        [data(part(0, "c0", "x", A)), data(part(0, "c1", "x", A)), FINISH],
        [("c0", "x", A), ("c1", "x", A)],
    ),
    "the index 0 for all, without ids": (
        [data(part(0, None, "x", A)), data(part(0, None, "y", B)), FINISH],
        [("", "x", A), ("", "y", B)],
    ),
    "the index 0 and one id for all": (
        [data(part(0, "c", "x", A)), data(part(0, "c", "x", B)), FINISH],
        [("c", "x", A), ("c", "x", B)],
    ),
    "a fresh id in every fragment": (
        [
            data(part(0, "c0", "x", "")),
            data(part(0, "c1", None, '{"a"')),
            data(part(0, "c2", None, ":1}")),
        ],
        [("c0", "x", A)],
    ),
    "name and a fresh id in every fragment": (
        [
            data(part(0, "c0", "x", "")),
            data(part(0, "c1", "x", '{"a"')),
            data(part(0, "c2", "x", ":1}")),
            data(part(0, "c3", "x", "")),
        ],
        [("c0", "x", A)],
    ),
    "no index and a fresh id in every fragment": (
        [data(part(None, "c0", "x", "")), data(part(None, "c1", None, A))],
        [("c0", "x", A)],
    ),
    "the index 0 for all, no arguments": (
        [data(part(0, "c0", "x", "")), data(part(0, "c1", "y", ""))],
        [("c0", "x", ""), ("c1", "y", "")],
    ),
    "neither index nor id nor arguments": (
        [data(part(None, None, "x", "")), data(part(None, None, "y", ""))],
        [("", "x", ""), ("", "y", "")],
    ),
    "too much at the end": (
        [data(part(0, "c0", "x", A)), data(part(0, None, None, "}"))],
        [("c0", "x", A + "}")],
    ),
    "a name in pieces": (
        [data(part(0, "c0", "light__")), data(part(0, None, "turn_on", A))],
        [("c0", "light__turn_on", A)],
    ),
    "an index as a text": (
        [data(part("1", "c1", "y", B)), data(part("0", "c0", "x", A))],
        [("c0", "x", A), ("c1", "y", B)],
    ),
    "arguments as an object": (
        [data(part(0, "c0", "x", {"a": 1})), FINISH],
        [("c0", "x", A)],
    ),
    "an object that comes again": (
        [data(part(0, "c0", "x", {})), data(part(0, "c0", "x", {"a": 1})), FINISH],
        [("c0", "x", A)],
    ),
    "an empty object before the text": (
        [
            data(part(0, "c0", "x", "{}")),
            data(part(0, None, None, '{"a"')),
            data(part(0, None, None, ":1}")),
        ],
        [("c0", "x", A)],
    ),
    "the finish chunk twice": (
        [data(part(0, "c0", "x", A)), FINISH, FINISH],
        [("c0", "x", A)],
    ),
    "the last chunk twice, with the finish": (
        [([part(None, None, "x", A)], "stop"), ([part(None, None, "x", A)], "stop")],
        [("", "x", A)],
    ),
    "the last chunk twice, after the finish": (
        [
            data(part(0, "c0", "x", '{"a"')),
            data(part(0, None, None, ":1}")),
            FINISH,
            data(part(0, None, None, ":1}")),
            FINISH,
        ],
        [("c0", "x", A)],
    ),
    "the last chunk twice, before the finish": (
        [
            data(part(0, "c0", "x", '{"a"')),
            data(part(0, None, None, ":1}")),
            data(part(0, None, None, ":1}")),
            FINISH,
        ],
        [("c0", "x", A)],
    ),
    "a whole call twice": (
        [data(part(0, "c0", "x", A)), data(part(0, "c0", "x", A)), FINISH],
        [("c0", "x", A)],
    ),
    "a call after an early finish": (
        [
            ([part(0, "c0", "x", A)], "tool_calls"),
            ([part(1, "c1", "y", B)], "tool_calls"),
        ],
        [("c0", "x", A), ("c1", "y", B)],
    ),
    "pieces that are equal by right": (
        [
            data(part(0, "c0", "x", '{"a":"')),
            data(part(0, None, None, "ha")),
            data(part(0, None, None, "ha")),
            data(part(0, None, None, '"}')),
        ],
        [("c0", "x", '{"a":"haha"}')],
    ),
    "cut off": (
        [
            data(part(0, "c0", "x", A)),
            data(part(1, "c1", "y", '{"b"')),
            (None, "length"),
        ],
        [("c0", "x", A), ("c1", "y", '{"b"')],
    ),
    "no function around the name": (
        [data({"index": 0, "id": "c0", "name": "x", "arguments": A})],
        [("c0", "x", A)],
    ),
    "objects in the place of mappings": (
        [
            data(
                SimpleNamespace(
                    index=0, id="c0", function=SimpleNamespace(name="x", arguments=A)
                )
            )
        ],
        [("c0", "x", A)],
    ),
    "fragments that say nothing": (
        [data({}, part(0), part(1, "", "", ""), None, 5, "x"), ("text", None)],  # type: ignore[list-item]
        [],
    ),
}


@pytest.mark.parametrize(("chunks", "calls"), CASES.values(), ids=CASES.keys())
def test_calls(chunks: list[Chunk], calls: list[Call]) -> None:
    assert calls_of(chunks) == calls


def test_each_call_is_given_once() -> None:
    accumulator = ToolCallAccumulator()
    accumulator.add([part(0, "c0", "x", A)])
    first = accumulator.flush()
    accumulator.add([part(0, None, None, "late")], "stop")
    accumulator.add([part(1, "c1", "y", B)])
    assert [call.id for call in first] == ["c0"]
    assert [call.id for call in accumulator.flush()] == ["c1"]
    assert accumulator.flush() == ()


def test_the_first_finish_reason_counts() -> None:
    accumulator = ToolCallAccumulator()
    for reason in (None, "", "length", "stop"):
        accumulator.add(None, reason)
    assert accumulator.finish_reason == "length"


@settings(deadline=None)
@given(st.data())
def test_any_interleaving_gives_the_same_calls(data: st.DataObject) -> None:
    texts = [f'{{"call":{index},"text":"{"ab" * index}"}}' for index in range(4)]
    queues = []
    for index, text in enumerate(texts):
        size = data.draw(st.integers(1, len(text)))
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        queues.append(
            [part(index, f"c{index}", f"t{index}", "")]
            + [part(index, arguments=piece) for piece in pieces]
        )
    accumulator = ToolCallAccumulator()
    while any(queues):
        queue = data.draw(st.sampled_from([queue for queue in queues if queue]))
        accumulator.add([queue.pop(0)])
    assert [
        (call.index, call.id, call.name, call.arguments) for call in accumulator.flush()
    ] == [(index, f"c{index}", f"t{index}", texts[index]) for index in range(4)]


scraps = st.none() | st.integers(-1, 2) | st.sampled_from(["", "a", "{", "}", A, "{}"])
fragments = st.dictionaries(
    st.sampled_from(["index", "id", "name", "arguments"]),
    scraps,
) | st.builds(part, scraps, scraps, scraps, scraps)


some_chunks = st.tuples(
    st.lists(fragments | scraps, max_size=3), st.sampled_from([None, "stop"])
)


@settings(deadline=None)
@given(st.lists(some_chunks, max_size=5))
def test_any_chunks_give_calls_in_ascending_order(chunks: list[Chunk]) -> None:
    accumulator = ToolCallAccumulator()
    for chunk in chunks:
        accumulator.add(*chunk)
    indices = [call.index for call in accumulator.flush()]
    assert indices == sorted(indices)
