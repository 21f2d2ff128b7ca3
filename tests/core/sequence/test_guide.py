"""The guide of `seq_help`: its example checks, and its statements are true."""

import json
import re

import pytest

from custom_components.homeagent.sequence import keys, limits
from custom_components.homeagent.sequence.checks import check_parsed
from custom_components.homeagent.sequence.condition_syntax import operator_of
from custom_components.homeagent.sequence.conditions import evaluate, parse_condition
from custom_components.homeagent.sequence.document import parse_sequence
from custom_components.homeagent.sequence.durations import parse_duration
from custom_components.homeagent.sequence.failures import ConditionFailed
from custom_components.homeagent.sequence.guide import EXAMPLE, GUIDE
from custom_components.homeagent.sequence.model import Missing, OnError, SlotType
from custom_components.homeagent.sequence.names import FORBIDDEN_IN_NAMES
from custom_components.homeagent.sequence.values import Scope
from custom_components.homeagent.sequence.writer import to_document

from .declared_actions import ACTIONS
from .texts import (
    Declared,
    Sequences,
    call,
    check,
    codes,
    group_text,
    one_group,
    sequence_text,
)

A, B = '{"tool":"t.a"} ;', '{"tool":"t.b"} ;'
RISKY = {"t.a": Declared(parallel_safe=False), "t.b": Declared()}


def line(begin: str) -> str:
    """Return the line of the guide that begins so."""
    (found,) = [each for each in GUIDE.splitlines() if each.startswith(begin)]
    return found


def test_example_checks() -> None:
    """It has no errors and no warnings, with the tools as the integration declares them."""
    assert EXAMPLE in GUIDE
    report = check_parsed(parse_sequence(EXAMPLE), ACTIONS, Sequences())
    assert (report.errors, report.warnings) == ((), ())


def test_lists() -> None:
    """Keys, types, choices and operators are those that there are, all of them."""
    group, tool = line("Group: "), line("Tool: ")
    named = re.findall(r"\b[a-z_]+", re.sub(r"\(.*?\)", "", group))
    assert named == list(keys.GROUP_KEYS)
    for key in keys.ENTRY_KEYS:
        assert re.search(rf"\b{key}\b", tool), key
    (types,) = re.findall(r"types: ([a-z, ]+)\.", GUIDE)
    assert types.split(", ") == [str(kind) for kind in SlotType]
    (long_form,) = re.findall(r"An input may be \{(.*?)\}", GUIDE)
    assert json.loads(f"[{long_form}]") == list(keys.INPUT_KEYS)
    assert f"on_error ({' | '.join(OnError)})" in group
    assert f"missing ({' | '.join(Missing)})" in group
    assert f"retries (1 to {limits.MAX_RETRIES}, " in group
    operators = line("when: ").removeprefix("when: ").partition(",")[0].split()
    assert [each for each in operators if operator_of(each) != each] == []
    assert len(operators) == 7
    (forbidden,) = re.findall(r"none of (.*?), no \.\.", GUIDE)
    assert sorted(forbidden.split()) == sorted(FORBIDDEN_IN_NAMES)
    assert f"Names have 1 to {limits.MAX_NAME} characters" in GUIDE
    assert f"at most {limits.MAX_CALL_DEPTH} deep" in GUIDE


def test_defaults() -> None:
    """What stands behind a key is what it has when it is not written."""
    told = dict(re.findall(r'(\w+) \(("\w+"|true|false)\)', line("Group: ")))
    assert list(told) == ["when", "parallel", "timeout", "call_only"]
    group = group_text(**{key: json.loads(value) for key, value in told.items()})
    parsed = parse_sequence(sequence_text(group | {"in": {}, "out": {}}))
    assert parsed.sequence is not None
    assert parsed.sequence == parse_sequence(sequence_text(group_text())).sequence
    assert to_document(parsed.sequence)["groups"] == [
        group_text(tools='{"tool":"t.a"} ;')
    ]


def test_durations() -> None:
    """The spellings of a timeout are right."""
    spellings = line("- timeout has a unit: ").partition(": ")[2].partition(". ")[0]
    seconds = [parse_duration(each) for each in spellings.split(", ")]
    assert seconds == [0.5, 30, 120, 90, 3600]


def pair(*entries: str, **fields: object) -> str:
    return one_group(" ".join(entries), **fields)


STATEMENTS = [
    ("in and out are objects", one_group(in_="{}"), ["wrong_type"]),
    ("keys quoted", one_group('{tool:"t.a"} ;'), ["unquoted_key"]),
    ("a ; after every tool", pair('{"tool":"t.a"}', B), ["missing_semicolon"]),
    ("the last one too", one_group('{"tool":"t.a"}'), ["missing_last_semicolon"]),
    ("timeout has a unit", one_group(timeout=30), ["bad_duration"]),
    ("only with retry", one_group(retries=1), ["retries_without_retry"]),
    (
        "as must name a key of out",
        one_group('{"tool":"t.a","as":"x"} ;'),
        ["as_undeclared"],
    ),
    (
        "Only an array key may be written more than once",
        pair(*['{"tool":"t.a","as":"x"} ;'] * 2, out={"x": "any"}),
        ["slot_written_twice"],
    ),
    (
        "each result is appended",
        pair(*['{"tool":"t.a","as":"x"} ;'] * 2, out={"x": "array"}),
        [],
    ),
    (
        "$args.key is an input of the same group",
        one_group('{"tool":"t.a","args":{"a":$args.x}} ;'),
        ["arg_undeclared"],
    ),
    (
        "$out.key, in parallel: false groups only",
        pair(
            '{"tool":"t.a","as":"x"} ;',
            '{"tool":"t.b","args":{"a":"$out.x"}} ;',
            out={"x": "any"},
        ),
        ["out_in_parallel"],
    ),
    (
        "the result of an earlier tool",
        pair(
            '{"tool":"t.b","args":{"a":"$out.x"}} ;',
            '{"tool":"t.a","as":"x"} ;',
            out={"x": "any"},
            parallel=False,
        ),
        ["out_not_written"],
    ),
    (
        "$$args is a plain $args",
        one_group('{"tool":"t.a","args":{"a":"$$args.x"}} ;'),
        [],
    ),
    (
        "$args alone is all inputs",
        one_group('{"tool":"t.a","args":{"a":"$args"}} ;', in_={"x": "any"}),
        [],
    ),
    (
        'Further: .key, [0], [-1], ["any key"]; ${args.key} inside words',
        one_group(
            r'{"tool":"t.a","args":{"a":"${args.x.k[0][-1][\"a b\"]}th"}} ;',
            in_={"x": "any"},
        ),
        [],
    ),
    (
        "A group's when reads $args only",
        one_group('{"tool":"t.a","as":"x"} ;', out={"x": "any"}, when="$out.x == 1"),
        ["when_reads_out"],
    ),
    (
        "exists($args.key), texts in quotes, numbers, true, false, null",
        one_group(
            when='exists($args.x) && ($args.x != "a" || !($args.x == 1.5)) && true',
            in_={"x": "any"},
        ),
        [],
    ),
    (
        "never !$args.a == 1",
        one_group(when="!$args.a == 1", in_={"a": "any"}),
        ["negated_comparison"],
    ),
    (
        "T a group of the same sequence",
        sequence_text(group_text(call("g2")), group_text() | {"name": "g2"}),
        [],
    ),
    ("#name or #name/group", pair(call("#other"), call("#other/g")), []),
    (
        "Calls never come back to where they began",
        one_group(call("g1")),
        ["cycle"],
    ),
    (
        "seq_when_call takes a when among its args",
        one_group('{"tool":"seq_when_call","args":{"target":"#o","when":"1 == 1"}} ;'),
        [],
    ),
    *(
        ("Never put seq_run, seq_create, seq_delete or tool_call", text, ["forbidden"])
        for text in (
            one_group(f'{{"tool":"{tool}"}} ;')
            for tool in ("seq_run", "seq_create", "seq_delete", "tool_call")
        )
    ),
]


@pytest.mark.parametrize(("statement", "text", "errors"), STATEMENTS)
def test_statement(statement: str, text: str, errors: list[str]) -> None:
    """A text that goes against it is refused for it; one that follows it is right."""
    assert statement in GUIDE
    assert codes(check(text).errors) == errors


@pytest.mark.parametrize(
    ("statement", "fields", "errors"),
    [
        (
            "parallel: true of two tools or more holds only tools that are parallel safe",
            {"parallel": True},
            ["not_parallel_safe"],
        ),
        ('says "unsafe_serial": true', {"parallel": False}, ["not_marked_unsafe"]),
    ],
)
def test_parallel_safe(
    statement: str, fields: dict[str, object], errors: list[str]
) -> None:
    """What is said of tools that are not parallel safe."""
    assert statement in GUIDE
    assert codes(check(pair(A, B, **fields), RISKY).errors) == errors
    assert codes(check(one_group(A, **fields), RISKY).errors) == []


@pytest.mark.parametrize("condition", ['"3" == 3', "$args.absent == 1"])
def test_condition_errors(condition: str) -> None:
    """What is said to be an error in a condition is one."""
    assert '"3" == 3 is an error, and so is an absent input outside of exists' in GUIDE
    with pytest.raises(ConditionFailed):
        evaluate(parse_condition(condition), Scope())
