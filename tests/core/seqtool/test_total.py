"""Whatever comes in, there is an answer, or an error of the command's own family."""

from contextlib import suppress
import json
from typing import Any

from hypothesis import given, settings, strategies as st
from seqtool.canonical import canonical
from seqtool.checking import check_text
from seqtool.dry_run import dry_run
from seqtool.fake_tools import Behavior, Declared, DeclaredTools
from seqtool.inputs import BadInput, read_arguments
from seqtool.plan_lines import plan_lines
from seqtool.planning import plan_of
from seqtool.tools_file import read_tools

from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.document import parse_sequence
from custom_components.homeagent.sequence.model import Sequence

from ..sequence.ast_strategies import JSON, sequences

WORDS = st.sampled_from(
    "t.a seq_call parallel_safe parameters behaviour value echo error delay_ms reason"
    " failed detail type object properties required items enum integer $args".split()
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.floats() | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4)
    ),
    max_leaves=12,
)
ONE_CALL = (
    b'{"name": "s", "groups": [{"name": "g", "in": {"detail": "any"}, "tools":'
    b' "{\\"tool\\":\\"t.a\\",\\"args\\":{\\"value\\":1,\\"detail\\":$args.detail}} ;"}]}'
)
BEHAVIORS = st.builds(
    Behavior,
    value=JSON,
    echo=st.booleans(),
    error=st.none() | st.builds(ToolError, reason=st.sampled_from(list(Reason))),
    delay=st.sampled_from([0.0, 0.2, 1e7]),
)


SCHEMAS = VALUES.map(lambda told: {"t.a": {"parameters": told}})


@settings(max_examples=200)
@given(VALUES | SCHEMAS | st.binary(max_size=8))
def test_tools(told: object) -> None:
    """A file of tools is read and used, or refused."""
    data = told if isinstance(told, bytes) else json.dumps(told).encode()
    with suppress(BadInput):
        tools = read_tools(data, "tools.json")
        assert all(each.behaviors for each in tools.by_name.values())
        sequence = check_text(ONE_CALL, tools).sequence
        if sequence is not None:
            dry_run(sequence, {"detail": 1}, tools)


@given(VALUES.map(json.dumps) | st.text(max_size=8))
def test_arguments(text: str) -> None:
    """So are arguments."""
    with suppress(BadInput):
        assert isinstance(read_arguments(text), dict)


@given(st.binary(max_size=30) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_texts(data: bytes) -> None:
    """A text has a sequence or errors, in a form that JSON can hold."""
    checked = check_text(data)
    assert (checked.sequence is None) == bool(checked.errors)
    json.dumps(checked.as_dict()).encode()


@settings(max_examples=60)
@given(sequences(), st.lists(BEHAVIORS, min_size=1, max_size=3), st.booleans())
def test_sequences(sequence: Sequence, behaviors: list[Behavior], safe: bool) -> None:
    """A legal sequence has one form, a plan and a run, whatever its tools do."""
    formatted = canonical(sequence)
    again = parse_sequence(formatted).sequence
    assert again == sequence
    assert canonical(again) == formatted
    json.dumps(plan_of(sequence).as_dict()).encode()
    assert list(plan_lines(plan_of(sequence)))
    names = {entry.tool for group in sequence.groups for entry in group.tools}
    declared = DeclaredTools(
        by_name={
            name: Declared(name=name, parallel_safe=safe, behaviors=tuple(behaviors))
            for name in sorted(names - {"seq_call", "seq_when_call"})[1:]
        }
    )
    done = dry_run(sequence, {}, declared)
    json.dumps(done.as_dict(), ensure_ascii=False).encode()
