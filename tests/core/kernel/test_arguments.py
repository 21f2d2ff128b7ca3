"""What a model sent as arguments is read as page 1 §1.2 says (plan 1c)."""

import json
from types import MappingProxyType

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.homeagent.kernel.arguments import (
    SEND_LESS,
    SEND_OBJECT,
    arguments_look_dropped,
    arrived_empty,
    parse_arguments,
)
from custom_components.homeagent.kernel.contract import UnparsedArguments
from custom_components.homeagent.kernel.errors import Reason, ToolError


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        (None, {}),
        ("", {}),
        (" \n\t", {}),
        ("{}", {}),
        ({}, {}),
        ({"a": 1}, {"a": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        ({1: "a"}, {"1": "a"}),
        ('{"a": 1, "b": [true, null, "é"]}', {"a": 1, "b": [True, None, "é"]}),
        (b'{"a": 1}', {"a": 1}),
        ('\n {"a": "\\ud83d\\ude00"} ', {"a": "😀"}),
        (r'"{\"a\": 1}"', {"a": 1}),
        ('""', {}),
        ('"{}"', {}),
        ('{"t": 20s}', {"t": "20s"}),
        ('{"t":500ms,"u":-1.5h}', {"t": "500ms", "u": "-1.5h"}),
        ('{"t": 1m30s}', {"t": "1m30s"}),
        ('{"t": [1s, 2s ,3]}', {"t": ["1s", "2s", 3]}),
        (
            '{"t": 50%, "u": 21.5°C, "v": 20秒}',
            {"t": "50%", "u": "21.5°C", "v": "20秒"},
        ),
        ('{"a": {"b": 5min}}', {"a": {"b": "5min"}}),
        ('{"c": "a: 20s, \\"30s", "t": 20s}', {"c": 'a: 20s, "30s', "t": "20s"}),
        (r'"{\"t\": 20s}"', {"t": "20s"}),
        ('{"n": 1e3}', {"n": 1000.0}),
    ],
)
def test_read(raw: object, arguments: dict[str, object]) -> None:
    assert parse_arguments(raw) == arguments


@pytest.mark.parametrize(
    ("raw", "detail"),
    [
        ('{"a": 1', "they end before they are complete"),
        ('{"a": "b', "they end before they are complete"),
        ('{"a": "b\\', "they end before they are complete"),
        ('{"a": 20s', "they end before they are complete"),
        ('{"a": [1, 2', "they end before they are complete"),
        ("{a: 1}", "at character 2"),
        ("{'a': 1}", "at character 2"),
        ('{"a": 1,}', "at character 8"),
        ('{"a": 1} and more', "extra data at character 10"),
        ('{"a": 1}{"a": 1}', "extra data at character 9"),
        ("{20s: 1}", "no valid JSON"),
        ('{"a": 20 s}', "no valid JSON"),
        ('{"a": 1, 20s}', "no valid JSON"),
        ('{"a": 1, 20s: 2}', "no valid JSON"),
        ("20s", "no valid JSON"),
        ('{"a": 0x1F}', "no valid JSON"),
        ('{"a": True}', "no valid JSON"),
        ('{"a": "line\nbreak"}', "no valid JSON"),
        ('{"a": NaN}', "NaN is no JSON number"),
        ('{"a": -Infinity}', "-Infinity is no JSON number"),
        ('{"a": 1e999}', "1e999 is too large a number"),
        ('{"a": 1, "a": 2}', 'the key "a" stands twice'),
        ('{"a": "\\ud800"}', "half a surrogate pair"),
        ('{"a": "\ud800"}', "half a surrogate pair"),
        ("9" * 5000, "no valid JSON"),
        ('{"a":' * 300_000, "nested too deeply"),
        (b"\xff", "no valid JSON"),
        ("null", "no JSON object: found null"),
        ("[]", "no JSON object: found a list of 0"),
        ('[{"a": 1}]', "no JSON object: found a list of 1"),
        ("5", "no JSON object: found the number 5"),
        ('"text"', "no valid JSON"),
        (r'"\"{}\""', 'no JSON object: found the text "{}"'),
        (5, "no JSON object: found the number 5"),
        ([], "no JSON object: found a list of 0"),
        (object(), 'no JSON object: found {"object":"object"}'),
    ],
)
def test_unreadable(raw: object, detail: str) -> None:
    parsed = parse_arguments(raw, finish_reason="tool_calls")
    assert isinstance(parsed, UnparsedArguments)
    assert parsed.error.reason is Reason.ARGUMENTS
    assert detail in parsed.error.detail
    assert parsed.error.hint == SEND_OBJECT


CUT = '{"groups": [{"name": "a", "to'


@pytest.mark.parametrize(
    ("raw", "finish_reason", "hint", "told"),
    [
        (CUT, "length", "", SEND_LESS),
        (CUT, "max_tokens", "", SEND_LESS),
        (CUT, "length", "use append", "use append"),
        (CUT, "tool_calls", "use append", SEND_OBJECT),
        (CUT, None, "use append", SEND_OBJECT),
        (r'"{\"a\": 1', "length", "use append", "use append"),
        ("{a: 1}", "length", "use append", SEND_OBJECT),
        ("[1]", "length", "use append", SEND_OBJECT),
    ],
)
def test_cut_off_and_malformed_are_told_apart(
    raw: str, finish_reason: str | None, hint: str, told: str
) -> None:
    parsed = parse_arguments(raw, finish_reason=finish_reason, cut_off_hint=hint)
    assert isinstance(parsed, UnparsedArguments)
    assert parsed.error.hint == told
    assert ("token limit" in parsed.error.detail) == (told != SEND_OBJECT)


def test_what_is_whole_is_taken_from_a_reply_that_was_cut() -> None:
    assert parse_arguments('{"a": 1}', finish_reason="length") == {"a": 1}


def test_a_fault_is_shown_where_it_is() -> None:
    parsed = parse_arguments('{"first": 1, "second": oops, "third": 3}')
    assert isinstance(parsed, UnparsedArguments)
    assert parsed.error.detail == (
        "the arguments are no valid JSON: expecting value at character 24, after"
        ' "{\\"first\\": 1, \\"second\\": ", before "oops, \\"third\\": 3}"'
    )


@pytest.mark.parametrize(
    ("raw", "dropped"),
    [
        (None, True),
        ("", True),
        ("  \n", True),
        ('{"a": ', True),
        ("{a}", True),
        (b"", True),
        ('""', True),
        ("{}", False),
        (" {} ", False),
        ('{"a": 1}', False),
        ('{"t": 20s}', False),
        (r'"{}"', False),
        ("[]", False),
        ("5", False),
        ({}, False),
        (5, False),
    ],
)
def test_look_dropped(raw: object, dropped: bool) -> None:
    assert arguments_look_dropped(raw) is dropped


def test_missing_arguments_are_told_to_have_arrived_empty() -> None:
    missing = ToolError(reason=Reason.REQUIRED, field="a", detail="not given", hint="h")
    other = ToolError(reason=Reason.TYPE, field="b", detail="x")
    empty = ToolError(
        reason=Reason.REQUIRED,
        field="a",
        detail="the arguments arrived empty",
        hint="h",
    )
    assert arrived_empty([missing, other]) == (empty, other)


json_like = st.text('{}[]:,"\\ \n20smaé', max_size=25)


@settings(deadline=None)
@given(json_like | st.text() | st.binary(), st.sampled_from([None, "length"]))
def test_any_text_gives_arguments_or_an_error(raw: object, reason: str | None) -> None:
    parsed = parse_arguments(raw, finish_reason=reason)
    if isinstance(parsed, UnparsedArguments):
        assert parsed.error.detail
        assert parsed.error.hint
    else:
        assert isinstance(parsed, dict)
    assert isinstance(arguments_look_dropped(raw), bool)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.text("ab"), st.integers() | st.text('a\\"{},:20s')))
def test_truncated_json_is_never_repaired(arguments: dict[str, object]) -> None:
    whole = json.dumps(arguments)
    for length in range(1, len(whole)):
        cut = parse_arguments(whole[:length], finish_reason="length")
        assert isinstance(cut, UnparsedArguments)
        assert "token limit" in cut.error.detail
    assert parse_arguments(whole) == arguments
