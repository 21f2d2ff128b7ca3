"""The words of what is wrong with references, and the place where they point (§7.3)."""

import json

import pytest

from .texts import call, check, group_text, one_group, only_error, sequence_text

ANY = {"x": "any"}
CALLEE = {
    "name": "callee",
    "out": {"r": "object", "s": "string"},
    "tools": '{"tool":"t.a","as":"r"} ;',
    "call_only": True,
}


def tools(*entries: object) -> str:
    """Write entries as the string of the text form."""
    return " ".join(f"{json.dumps(entry, ensure_ascii=False)} ;" for entry in entries)


def reads(value: object) -> dict[str, object]:
    """Write an entry with one argument."""
    return {"tool": "t", "args": {"v": value}}


WRITES = {"tool": "t", "as": "x"}


@pytest.mark.parametrize(
    ("text", "at", "message", "hint"),
    [
        (
            one_group(tools(reads("$args.hots")), in_={"host": "string"}),
            "$args.hots",
            '$args.hots reads the input "hots", which in does not declare; in has: host',
            "Did you mean $args.host?",
        ),
        (
            one_group(tools(reads("x $args.hosts y")), in_={"host": "string"}),
            "$args.hosts",
            (
                '$args.hosts reads the input "hosts", which in does not declare;'
                " in has: host"
            ),
            "Did you mean ${args.host}?",
        ),
        (
            one_group(tools(reads("$args.abc")), in_={"a": "any", "ab": "any"}),
            "$args.abc",
            '$args.abc reads the input "abc", which in does not declare; in has: a, ab',
            "Did you mean ${args.ab}?",
        ),
        (
            one_group(tools(reads("$args.abxy")), in_={"ab": "any"}),
            "$args.abxy",
            '$args.abxy reads the input "abxy", which in does not declare; in has: ab',
            "Did you mean ${args.ab}?",
        ),
        (
            one_group(tools(reads("$args.axyz")), in_={"a": "any"}),
            "$args.axyz",
            '$args.axyz reads the input "axyz", which in does not declare; in has: a',
            "Did you mean ${args.a}?",
        ),
        (
            one_group(tools(reads("$args.zz"))),
            "$args.zz",
            '$args.zz reads the input "zz", which in does not declare; in has: none',
            'Add it to in, such as "zz": "any".',
        ),
        (
            one_group(tools(reads("$args.list.x")), in_={"list": "array"}),
            "$args.list",
            (
                "$args.list.x leads nowhere: $args.list is of the type array, which has no"
                " .x"
            ),
            "End the reference at $args.list, or correct the declared type.",
        ),
        (
            one_group(tools(WRITES, reads("$out.y")), out=ANY, parallel=False),
            "$out.y",
            '$out.y reads the slot "y", which out does not declare; out has: x',
            "Add it to out, and write it with as in an earlier tool.",
        ),
        (
            one_group(tools(WRITES, reads(["a $out.xx"])), out=ANY, parallel=False),
            "$out.xx",
            '$out.xx reads the slot "xx", which out does not declare; out has: x',
            "Did you mean $out.x?",
        ),
        (
            one_group(tools(WRITES, reads("$out.x")), out=ANY),
            "$out.x",
            "$out.x reads a slot of a parallel group, whose tools do not see each other",
            'Add "parallel": false to the group.',
        ),
        (
            one_group(tools(reads("$out.x"), WRITES), out=ANY, parallel=False),
            "$out.x",
            '$out.x reads the slot "x", which no earlier tool of the group writes',
            'Add "as": "x" to an earlier tool.',
        ),
        (
            one_group(tools(WRITES), out=ANY, when="$out.x == 1"),
            "$out.x",
            "$out.x: the when of a group reads $args only",
            "Take the value as an input, or use seq_when_call inside of the group.",
        ),
        (
            sequence_text(
                CALLEE,
                group_text(
                    call("callee", **{"as": "x"}) + tools(reads("$out.x.q")),
                    out=ANY,
                    parallel=False,
                ),
            ),
            "$out.x",
            "$out.x.q leads nowhere: $out.x has no .q; it has: r, s",
            "Correct the key.",
        ),
        (
            sequence_text(
                CALLEE,
                group_text(
                    call("callee", **{"as": "x"}) + tools(reads("a $out.x.s.q.z")),
                    out=ANY,
                    parallel=False,
                ),
            ),
            "$out.x.s",
            "$out.x.s.q.z leads nowhere: $out.x.s is of the type string, which has no .q",
            "End the reference at $out.x.s, or correct the declared type.",
        ),
        (
            sequence_text(
                CALLEE, group_text(call("callee", select="s.q", **{"as": "x"}), out=ANY)
            ),
            r"\"s.q",
            "select leads nowhere: the result has no .q; it has: none",
            "Correct the path.",
        ),
        (
            sequence_text(
                CALLEE, group_text(call("callee", select="q.z", **{"as": "x"}), out=ANY)
            ),
            r"\"q.z",
            "select leads nowhere: the result has no .q; it has: r, s",
            "Correct the path.",
        ),
    ],
)
def test_words(text: str, at: str, message: str, hint: str) -> None:
    """Told once, with what there is and what was meant, at the reference itself."""
    problem = only_error(check(text))
    assert (problem.message, problem.hint) == (message, hint)
    assert problem.column is not None
    assert text[problem.column - 1 :].startswith(at)


def broken(first: str) -> str:
    """Write a serial group whose first entry is amiss, and whose last one reads x."""
    entries = first + tools({"tool": "t", "as": "y"}, reads("$out.x"))
    return one_group(entries, out={"x": "any", "y": "any"}, parallel=False)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (one_group(tools(reads("$args.a")), in_={"a": "odd"}), ["bad_type"]),
        (one_group(tools(reads("$args.a")), in_=5), ["wrong_type"]),
        (
            sequence_text(
                CALLEE,
                group_text(
                    call("callee", **{"as": "x"}) + tools(reads("$out.x.q")),
                    parallel=False,
                ),
            ),
            ["as_undeclared", "out_undeclared"],
        ),
        (
            one_group(tools(WRITES, reads("$out.x")), out=ANY, parallel="no"),
            ["wrong_type"],
        ),
        (
            one_group(tools(WRITES, reads("$out.x")), out=5, parallel=False),
            ["wrong_type"],
        ),
        (
            one_group(
                tools({"tool": "t", "as": 5}, reads("$out.x")), out=ANY, parallel=False
            ),
            ["wrong_type"],
        ),
        (broken("5 ; "), ["text_between_tools"]),
        (broken('{"tool":"t","as":"x"} '), ["missing_semicolon"]),
        (broken('{"tool":"t" "as":"x"} ; '), ["missing_comma"]),
        (broken('{"tool":"t","as":5} ; '), ["wrong_type"]),
        (broken('{"tool":"t","as":"x","odd":1} ; '), ["unknown_key"]),
        (broken('{"tool":"t","args":5} ; '), ["wrong_type", "out_not_written"]),
        (
            one_group(tools(reads("$args.b"), reads("$args.b")), in_={"a": "any"}),
            ["arg_undeclared"] * 2,
        ),
        (
            one_group(tools(reads("$args.b $args.b $args.c"))),
            ["arg_undeclared"] * 2,
        ),
    ],
)
def test_one_fault_is_told_once(text: str, codes: list[str]) -> None:
    """What cannot be read is one error; what refers to it is not another one."""
    report = check(text)
    assert [each.code for each in report.errors] == codes


LIST = {"x": "array"}
LISTED = call("callee", **{"as": "x"})


@pytest.mark.parametrize(
    ("entries", "codes"),
    [
        (LISTED, ["no_such_key"]),
        (LISTED * 2, ["no_such_key"]),
        (LISTED + tools(WRITES), []),
        (LISTED + call("#gone", **{"as": "x"}), []),
        (tools(WRITES), []),
    ],
)
def test_elements_of_several_kinds(entries: str, codes: list[str]) -> None:
    """Only where every element comes of a known callee a key is surely wrong."""
    text = sequence_text(
        CALLEE,
        group_text(entries + tools(reads("$out.x[0].q")), out=LIST, parallel=False),
    )
    assert [each.code for each in check(text).errors] == codes


@pytest.mark.parametrize(
    ("value", "unused"),
    [
        ("$args.a", [("groups[0].in.b", 'the input "b"')]),
        ("$args", []),
        ("all: $args", []),
        (["$args.a", {"k": "$args.b"}], []),
    ],
)
def test_inputs_without_a_use(value: object, unused: list[tuple[str, str]]) -> None:
    """A warning each; the whole input object uses them all."""
    text = one_group(tools(reads(value)), in_={"a": "any", "b": "any"})
    warnings = [each for each in check(text).warnings if each.code != "unknown_tool"]
    assert [(each.path, each.message[:13]) for each in warnings] == unused


def test_outputs_that_nobody_writes() -> None:
    """A warning each, at the slot."""
    text = one_group(tools(WRITES), out={"x": "any", "y": "any"})
    warnings = [each for each in check(text).warnings if each.code != "unknown_tool"]
    assert [(each.path, each.message[:14]) for each in warnings] == [
        ("groups[0].out.y", 'the output "y"')
    ]
