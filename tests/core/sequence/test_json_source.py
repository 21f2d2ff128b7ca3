"""Texts that are not quite JSON: each fault has its name and its place."""

import json

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.sequence.document import parse_sequence, read_sequence

from .texts import (
    ENTRY,
    call,
    check,
    codes,
    error_codes,
    group_text,
    one_group,
    only_error,
    sequence_text,
)

FRAME = '{"name": "s", "groups": [{"name": "g1", "tools": %s}]}'
ENTRIES = json.dumps(ENTRY)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "empty_text", 1, 1),
        (" \n ", "empty_text", 2, 2),
        ("nothing", "strange_word", 1, 1),
        ("{", "not_closed", 1, 1),
        ('{"name": "s"', "not_closed", 1, 1),
        ('{"name": "s', "string_open", 1, 10),
        ('{"name" "s"}', "expected_colon", 1, 9),
        ('{"name": }', "expected_value", 1, 10),
        ('{"name": "s" : 1}', "expected_end", 1, 14),
        ('{"name": "s"]', "expected_end", 1, 13),
        ("{1: 2}", "expected_key", 1, 2),
        ("{,}", "expected_end", 1, 2),
        ('[1,\n "s"] // done', "text_behind", 2, 7),
        ("// a sequence\n{}", "comment", 1, 1),
        ("[" * 100_000, "too_deep", 1, 65),
        ('{"a":' * 40_000, "too_deep", 1, 321),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_the_end(text: str, code: str, line: int, column: int) -> None:
    """What ends the reading is an error at its place."""
    problem = parse_sequence(text).errors[-1]
    assert (problem.code, problem.line, problem.column) == (code, line, column)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (FRAME % f"{ENTRIES},", "trailing_comma"),
        (FRAME % f'{ENTRIES} "when": "true"', "missing_comma"),
        (FRAME % f'{ENTRIES}, "tools": {ENTRIES}', "duplicate_key"),
        (FRAME % f"{ENTRIES}, when: 'true'", "unquoted_key"),
        (FRAME % f'{ENTRIES}, "parallel": True', "strange_word"),
        (FRAME % f'{ENTRIES}, "when": None', "strange_word"),
        (FRAME % f'{ENTRIES}, "timeout": 20s', "bad_number"),
        (FRAME % f'{ENTRIES}, "retries": 01', "bad_number"),
        (FRAME % f'{ENTRIES}, "retries": 1.', "bad_number"),
        (FRAME % f'{ENTRIES}, "retries": NaN', "strange_word"),
        (FRAME % f'{ENTRIES}, "retries": -Infinity', "bad_number"),
        (FRAME % f'{ENTRIES}, "retries": 1e999', "number_range"),
        (FRAME % f'{ENTRIES}, "retries": {"9" * 5000}', "number_range"),
        (FRAME % f'{ENTRIES}, "description": "a\nb"', "control_character"),
        (FRAME % rf'{ENTRIES}, "description": "a\x"', "bad_escape"),
        (FRAME % rf'{ENTRIES}, "description": "\u12"', "bad_escape"),
        (FRAME % rf'{ENTRIES}, "description": "\ud83d"', "surrogate"),
        (FRAME % rf'{ENTRIES}, "description": "\ud83d\u0041"', "surrogate"),
        (FRAME % rf'{ENTRIES}, "description": "\ude00\ud83d"', "surrogate"),
        (FRAME % f'{ENTRIES}, "description": "\ud83d"', "surrogate"),
        (FRAME % f'{ENTRIES}, "in": {{"a": $args.a}}', "reference_misplaced"),
        (FRAME % f'{ENTRIES}, "when": $args', "reference_misplaced"),
    ],
)
def test_reading_goes_on(text: str, code: str) -> None:
    """A plain intention is told, and does not hide what stands behind it."""
    assert code in error_codes(text)
    mistaken = text.replace('"name": "g1"', '"name": "g1", "paralel": true')
    assert {code, "unknown_key"} <= set(error_codes(mistaken))


def test_escapes_and_characters() -> None:
    """Escapes become characters; two surrogates become one; a BOM is no character."""
    text = FRAME % rf'{ENTRIES}, "description": "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"'
    sequence = parse_sequence("\ufeff".encode() + text.encode()).sequence
    assert sequence is not None
    assert sequence.groups[0].description == '"\\/\b\f\n\r\té😀'


def test_bytes_that_are_no_text() -> None:
    """Bytes that are not UTF-8 are an error at their place."""
    problem = only_error(parse_sequence(b'{\n"name": "\xff"}'))
    assert (problem.code, problem.line, problem.column) == ("not_utf8", 2, 10)
    assert "0xff" in problem.message


def test_places_inside_of_tools() -> None:
    """Behind escapes, line and column are the document's, the position is in tools."""
    tools = '{"tool":"t.a","args":{"é":"\\"😀","x":"$arg.y"}} ;'
    text = '{"name": "s",\n "groups": [{"name": "g1", "tools": %s}]}'
    document = text % json.dumps(tools)
    problem = only_error(parse_sequence(document))
    line, column = 2, document.split("\n")[1].index("$arg.y") + 1
    assert (problem.line, problem.column) == (line, column)
    assert problem.position == tools.index("$arg.y")
    assert problem.path == "groups[0].tools[0].args.x"
    excerpt, caret = problem.caret.split("\n")
    assert excerpt.startswith('{"tool":"t.a"')
    assert len(caret) == caret.index("^") + 1 == tools.index("$arg.y") + 2


def test_wire_form() -> None:
    """The wire form has exactly these keys; the caret is for reading."""
    problem = only_error(parse_sequence(one_group(when="1 ==")))
    assert list(problem.as_dict()) == [
        *("code", "path", "line", "column", "position", "message", "hint")
    ]
    assert problem.caret.endswith("^")


def test_all_errors_at_once() -> None:
    """Syntax, fields, references and checks are told together, in their order."""
    tools = (
        '{"tool":"t.a","as":"x"} ; {"tool":"t.b","args":{a:1}} ; {"tool":"seq_run"} ;'
    )
    text = one_group(tools, timeout=20, when="$args.no == 1", in_={"a": "strng"})
    assert set(codes(check(text).errors)) == {
        "as_undeclared",
        "unquoted_key",
        "forbidden",
        "bad_duration",
        "arg_undeclared",
        "bad_type",
    }


@pytest.mark.parametrize(
    "broken",
    [
        '{"tool":"t.a","as":"x","args":{oops}} ; {"tool":"t.b","args":{"v":"$out.x"}} ;',
        '{"tool":"t.a","as":"x" ; {"tool":"t.b","args":{"v":"$out.x"}} ;',
    ],
)
def test_no_errors_that_follow_from_broken_entries(broken: str) -> None:
    """Nothing is concluded from what could not be read."""
    text = one_group(broken, parallel=False, out={"x": "any"})
    assert len(check(text).errors) == 1
    assert check(text).warnings == () or codes(check(text).warnings) == ["unknown_tool"]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": 1},
        {"in": []},
        {"in": {"a": "strng"}},
        {"in": {"a": {"type": "any", "required": 1}}},
        {"out": 5},
        {"parallel": "no"},
        {"tools": "{"},
        {"tools": [5]},
    ],
)
def test_no_errors_that_follow_from_broken_groups(fields: dict[str, object]) -> None:
    """A group with one fault gives one error, also where others call it."""
    entry = '{"tool":"t","args":{"x":"$args.a $out.r"}} ;'
    both = call("g1", {"a": 1}, **{"as": "r"}) + call("#s/g1", {"a": 1}) + entry
    callee = {"name": "g1", "in": {"a": "any"}, "out": {}, "tools": '{"tool":"t"} ;'}
    caller = group_text(both, in_={"a": "any"}, out={"r": "any"}, parallel=False)
    text = sequence_text(callee | fields, caller | {"name": "caller"})
    assert len(check(text).errors) == 1


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_any_text(text: str | bytes) -> None:
    """Whatever comes in, errors come out."""
    parsed = parse_sequence(text)
    assert parsed.sequence is None
    assert parsed.errors
    for problem in parsed.errors:
        json.dumps(problem.as_dict(), ensure_ascii=False).encode()
        problem.caret.encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
KEYS = ["name", "groups", "tools", "in", "out", "args", "tool", "as", "when", "timeout"]


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4), st.data())
def test_any_arguments(data: dict[str, object], draw: st.DataObject) -> None:
    """Decoded arguments of any kind are read or refused, never raised about."""
    group = draw.draw(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6))
    for document in (data, {"name": "s", "groups": [group]}):
        parsed = read_sequence(document)
        assert (parsed.sequence is None) is bool(parsed.errors)
        assert all(problem.line is None for problem in parsed.errors)


def test_very_many_errors() -> None:
    """Two hundred are told one by one, of the others the number; checks go on."""
    report = check(one_group('{"tool":"seq_run"} ;' * 150 + ";" * 300))
    assert codes(report.errors)[-1] == "more_errors"
    assert report.errors[-1].message == "250 more errors"
    assert len(report.errors) == 201


def test_arguments_without_end() -> None:
    """Cycles, doublings and other values than JSON's end in an error."""
    cycle: list[object] = []
    cycle.append(cycle)
    doubled: list[object] = []
    for _ in range(60):
        doubled = [doubled, doubled]
    for value in (cycle, doubled, {1: 2}, {"a": {3}}, float("nan"), 2**64, "\ud800"):
        assert read_sequence({"name": "s", "groups": value}).errors
