"""Each static check, with what it refuses and what it lets through (page 2 §2.2)."""

import json

import pytest

from custom_components.homeagent.sequence.checks import (
    check_group,
    check_moment,
    check_sequence,
)
from custom_components.homeagent.sequence.document import read_group

from .texts import (
    Declared,
    Sequences,
    Tools,
    call,
    check,
    codes,
    group_text,
    legal,
    lookup,
    named,
    one_group,
    only_error,
    sequence_text,
)

SAFE = Declared()
UNSAFE = Declared(parallel_safe=False)
TOOLS = {"safe": SAFE, "unsafe": UNSAFE}

A, B = '{"tool":"t.a","as":"x"} ;', '{"tool":"t.b","args":{"v":"$out.x"}} ;'
CALLEE = {
    "name": "callee",
    "in": {"host": "string", "n": {"type": "integer", "default": 1}},
    "out": {"r": "object", "s": "string"},
    "tools": '{"tool":"t.a","args":{"h":"$args.host $args.n"},"as":"r"} ;',
    "call_only": True,
}
BOTH = named(
    "both",
    group_text(in_={"k": {"type": "integer", "enum": [1, 2]}}),
    group_text(in_={"k": "any"}) | {"name": "g2"},
)
OTHER = named("other", CALLEE | {"call_only": False})
LISTS = named("lists", CALLEE, group_text(call("callee", {"host": "x"})))


def with_callee(tools: str, **fields: object) -> str:
    """Return a sequence with a callee and one group that calls it."""
    return sequence_text(CALLEE, group_text(tools, **fields))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 1: `as` is declared
        (one_group(A, out={"x": "any"}), []),
        (one_group(A), ["as_undeclared"]),
        (one_group(A, out={"y": "any"}), ["as_undeclared"]),
        # 2: references are declared, slots are written before they are read
        (one_group('{"tool":"t","args":{"v":"$args"}} ;'), []),
        (one_group('{"tool":"t","args":{"v":"$args.a"}} ;', in_={"a": "any"}), []),
        (one_group('{"tool":"t","args":{"v":["x $args.a"]}} ;'), ["arg_undeclared"]),
        (one_group(when="exists($args.a)"), ["arg_undeclared"]),
        (one_group(A + B, out={"x": "any"}, parallel=False), []),
        (one_group(A + B, out={"x": "any"}), ["out_in_parallel"]),
        (one_group(B + A, out={"x": "any"}, parallel=False), ["out_not_written"]),
        (one_group(B, parallel=False), ["out_undeclared"]),
        (
            one_group(A, out={"x": "any"}, when="$out.x", parallel=False),
            ["when_reads_out"],
        ),
        # 3: only an array is written more than once
        (one_group(A + A, out={"x": "array"}), []),
        (one_group(A + A, out={"x": "any"}), ["slot_written_twice"]),
        (one_group(A + A, out={"x": "any"}, parallel=False), ["slot_written_twice"]),
        # 5: calls name what there is, and fit it
        (with_callee(call("callee", {"host": "x"})), []),
        (with_callee(call(" callee ", {"host": 5, "n": "2"})), []),
        (with_callee(call("callee", {"host": "$args.h"}), in_={"h": "any"}), []),
        (with_callee(call("nope", {})), ["unknown_group"]),
        (
            with_callee('{"tool":"seq_call","args":{"target":"#o","when":"true"}} ;'),
            ["call_unknown_key"],
        ),
        (with_callee(call("")), ["call_without_target"]),
        (with_callee('{"tool":"seq_call"} ;'), ["call_without_target"]),
        (with_callee(call("a/b")), ["bad_target"]),
        (with_callee(call("#")), ["bad_target"]),
        (with_callee(call("#a/b/c")), ["bad_target"]),
        (with_callee(call("$args.t"), in_={"t": "string"}), ["call_target_no_text"]),
        (with_callee(call(5)), ["call_target_no_text"]),
        (with_callee(call("callee")), ["call_missing_input"]),
        (with_callee(call("callee", {"host": None})), ["call_missing_input"]),
        (with_callee(call("callee", {"host": "x", "hots": 1})), ["call_unknown_input"]),
        (with_callee(call("callee", {"host": ["a", "b"]})), ["call_wrong_type"]),
        (with_callee(call("callee", {"host": "x", "n": 1.5})), ["call_wrong_type"]),
        (with_callee(call("callee", "x")), ["call_args_no_object"]),
        (with_callee(call("#both", {"k": 1})), []),
        (with_callee(call("#both", {"k": "x"})), ["call_wrong_type"]),
        (with_callee(call("#both", {"k": 3})), ["call_no_choice"]),
        (with_callee(call("#both", {"k": None})), ["call_missing_input"]),
        (with_callee(call("callee", "$args"), in_={"host": "any"}), []),
        (
            with_callee(call("callee", "$args"), in_={"n": "any"}),
            ["call_missing_input"],
        ),
        (
            with_callee(call("callee", "$args"), in_={"host": "any", "o": "any"}),
            ["call_unknown_input"],
        ),
        (
            with_callee(
                call("callee", {"host": "x"}).replace("seq_call", "seq_when_call")
            ),
            ["call_without_when"],
        ),
        (
            with_callee('{"tool":"seq_call","args":{"group":"callee"}} ;'),
            ["call_without_target", "call_unknown_key"],
        ),
        (
            with_callee('{"tool":"homeagent__seq_call","args":{"target":"callee"}} ;'),
            ["call_by_other_name"],
        ),
        (with_callee(call("#other", {"host": "x"})), []),
        (with_callee(call("#other/callee", {"host": "x"})), []),
        (
            with_callee(call("#other", {"hots": "x"})),
            ["call_unknown_input", "call_missing_input"],
        ),
        (with_callee(call("#lists")), []),
        (with_callee(call("#lists/callee")), ["call_missing_input"]),
        # 5: steps lead somewhere
        (one_group('{"tool":"t","args":{"v":"$args.a.b"}} ;', in_={"a": "object"}), []),
        (
            one_group('{"tool":"t","args":{"v":"$args.a.b"}} ;', in_={"a": "string"}),
            ["no_such_step"],
        ),
        (one_group('{"tool":"t","args":{"v":"$args.a[0]"}} ;', in_={"a": "array"}), []),
        (
            one_group('{"tool":"t","args":{"v":"$args.a.b"}} ;', in_={"a": "array"}),
            ["no_such_step"],
        ),
        (one_group(when="$args.a.b == 1", in_={"a": "bool"}), ["no_such_step"]),
        # 12: fallbacks
        (one_group(A, out={"x": "any"}, missing="degrade"), ["fallback_missing"]),
        (one_group('{"tool":"t"} ;', missing="degrade"), []),
        # 13: names of groups
        (sequence_text(group_text(), group_text() | {"name": "G1"}), []),
        (sequence_text(group_text(), group_text()), ["group_name_twice"]),
    ],
    ids=lambda value: repr(value)[-60:],
)
def test_structure(text: str, expected: list[str]) -> None:
    """What follows from the text and the sequences that are called."""
    errors = check(text, sequences=lookup(OTHER, LISTS, BOTH)).errors
    assert sorted(codes(errors)) == sorted(expected)


RESULT = '{"tool":"t.b","args":{"v":"$out.x%s"}} ;'


@pytest.mark.parametrize(
    ("target", "slot", "select", "steps", "expected"),
    [
        ("callee", "object", None, ".r.any.thing", []),
        ("callee", "any", None, ".r", []),
        ("callee", "object", None, ".nope", ["no_such_key"]),
        ("callee", "any", None, ".s.x", ["no_such_step"]),
        ("callee", "any", None, "[0]", ["no_such_key"]),
        ("callee", "array", None, "[0].r", []),
        ("callee", "array", None, "[0].nope", ["no_such_key"]),
        ("callee", "any", "r", ".any", []),
        ("callee", "any", "nope", ".any", ["select_leads_nowhere"]),
        ("callee", "string", None, ".r", ["no_such_step"]),
        ("#other", "object", None, ".callee.r", []),
        ("#other", "object", None, ".r", ["no_such_key"]),
        ("#other/callee", "object", None, ".r", []),
        ("#other/callee", "object", None, ".nope", ["no_such_key"]),
        ("#lists", "object", None, ".callee", ["no_such_key"]),
        ("#unknown", "object", None, ".nope", []),
    ],
)
def test_steps_into_results(
    target: str, slot: str, select: str | None, steps: str, expected: list[str]
) -> None:
    """A step into the result of a call must be one that the callee gives."""
    args = {} if target in {"#lists", "#unknown"} else {"host": "x"}
    more = {} if select is None else {"select": select}
    tools = call(target, args, **{"as": "x"}, **more) + RESULT % steps
    text = with_callee(tools, parallel=False, out={"x": slot})
    assert codes(check(text, sequences=lookup(OTHER, LISTS)).errors) == expected


@pytest.mark.parametrize(
    ("slot", "fallback", "fits"),
    [
        ("integer", 1, True),
        ("integer", "20", True),
        ("integer", "x", False),
        ("integer", None, False),
        ("boolean", [], False),
        ("object", {}, True),
        ("object", [1, 2], False),
        ("string", [1], True),
        ("any", None, True),
        ("array", 5, True),
        ("array", None, True),
    ],
)
def test_fallbacks(slot: str, fallback: object, fits: bool) -> None:
    """A fallback fits its slot; any fits an array, as one element (check 12)."""
    entry = {"tool": "t.a", "as": "x", "fallback": fallback}
    text = one_group([entry], out={"x": slot}, missing="degrade")
    assert codes(check(text).errors) == ([] if fits else ["fallback_does_not_fit"])


SAFE_ONE, UNSAFE_ONE, UNKNOWN = (f'{{"tool":"{n}"}} ;' for n in ("safe", "unsafe", "t"))
MARKED = '{"tool":"unsafe","unsafe_serial":true} ;'


def reaching(*tools: str) -> str:
    """Return a sequence whose second group calls the first, twice at once."""
    callee = group_text("".join(tools), parallel=False) | {"name": "in"}
    return sequence_text(callee, group_text(call("in") + call("in")))


@pytest.mark.parametrize(
    ("text", "errors", "warnings"),
    [
        (one_group(SAFE_ONE + SAFE_ONE), [], []),
        (one_group(UNSAFE_ONE), [], []),
        (one_group(SAFE_ONE + UNSAFE_ONE), ["not_parallel_safe"], []),
        (one_group(SAFE_ONE + UNKNOWN), [], ["unknown_tool"]),
        (one_group(UNSAFE_ONE, parallel=False), [], []),
        (one_group(SAFE_ONE + UNSAFE_ONE, parallel=False), ["not_marked_unsafe"], []),
        (one_group(SAFE_ONE + MARKED, parallel=False), [], []),
        (one_group(MARKED), [], ["needless_unsafe"]),
        (one_group(MARKED, parallel=False), [], ["needless_unsafe"]),
        (one_group(SAFE_ONE + MARKED), ["not_parallel_safe"], []),
        (
            one_group(SAFE_ONE + MARKED.replace("unsafe", "safe", 1), parallel=False),
            [],
            ["needless_unsafe"],
        ),
        (
            one_group(SAFE_ONE + MARKED.replace('"unsafe"', '"t"'), parallel=False),
            [],
            ["unknown_tool"],
        ),
        (reaching(SAFE_ONE), [], []),
        (reaching(UNKNOWN), [], ["unknown_tool"]),
        (reaching(UNSAFE_ONE), ["not_parallel_safe"] * 2, []),
        (reaching(UNKNOWN, MARKED), ["not_parallel_safe"] * 2, ["unknown_tool"]),
        (
            one_group(call("#plain") + call("#gone")),
            [],
            ["unknown_sequence"],
        ),
    ],
    ids=lambda value: repr(value)[-60:],
)
def test_parallel_safety(text: str, errors: list[str], warnings: list[str]) -> None:
    """Known tools that are not parallel safe, also behind calls (check 4, D2)."""
    inner = legal(one_group('{"tool":"t"} ;').replace('"s"', '"plain"'))
    report = check(text, TOOLS, lookup(inner))
    assert codes(report.errors) == errors
    assert set(codes(report.warnings)) == set(warnings)


def test_the_corrected_entry() -> None:
    """The error names the tool and shows the entry as it must be."""
    tools = '{"tool":"unsafe","args":{"x":"$args.a"}} ; {"tool":"safe"} ;'
    text = one_group(tools, parallel=False, in_={"a": "any"})
    problem = only_error(check(text, TOOLS))
    assert '"unsafe"' in problem.message
    right = '{"tool":"unsafe","args":{"x":"$args.a"},"unsafe_serial":true} ;'
    assert problem.hint == f"Write {right}"
    corrected = text.replace(
        json.dumps(tools)[1:-1], json.dumps(f"{right}{SAFE_ONE}")[1:-1]
    )
    assert check(corrected, TOOLS).errors == ()


def test_what_a_call_reaches_is_named() -> None:
    """The tool behind a call is named, not the call."""
    problem = check(reaching(UNSAFE_ONE), TOOLS).errors[0]
    assert '"unsafe" is not parallel safe' in problem.message
    assert problem.path == "groups[1].tools[0].tool"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (one_group(in_={"a": "any"}), "input_unused"),
        (one_group(out={"a": "any"}), "output_unwritten"),
        (one_group('{"tool":"t","select":"x"} ;'), "select_unused"),
        (one_group('{"tool":"t","fallback":1} ;'), "fallback_unused"),
        (one_group(call("#gone")), "unknown_sequence"),
        (one_group(call("#other/gone")), "unknown_foreign_group"),
    ],
)
def test_warnings(text: str, expected: str) -> None:
    """What is legal and has no effect, or does not exist now (checks 6, 7)."""
    report = check(text, sequences=lookup(OTHER))
    assert report.errors == ()
    assert expected in codes(report.warnings)
    assert codes(check(one_group('{"tool":"safe"} ;'), TOOLS).warnings) == []


SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "who": {"type": "string"}},
    "required": ["n"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("args", "count"),
    [
        ({"n": 1}, 0),
        ({"n": "20"}, 0),
        ({"n": "$args.a"}, 0),
        ({"n": ["$args.a"], "who": "x"}, 0),
        ({"n": "three"}, 1),
        ({}, 1),
        ({"who": "$args.a"}, 1),
        ({"n": 1, "extra": 2}, 1),
        ({"n": "three", "extra": 2}, 2),
    ],
)
def test_literal_arguments(args: dict[str, object], count: int) -> None:
    """Literal arguments against the tool's schema: warnings (check 11)."""
    tools = {"t": Declared(parameters=SCHEMA)}
    text = one_group([{"tool": "t", "args": args}], in_={"a": "any"})
    report = check(text, tools)
    assert report.errors == ()
    told = [code for code in codes(report.warnings) if code == "argument_does_not_fit"]
    assert len(told) == count


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("$args.a", 0),
        ("cat /etc/$args.a 'b c'", 0),
        ("df '$args.a'", 1),
        ('grep "$args.a" $args.a "$args.a"', 2),
    ],
)
def test_reference_in_the_quotes_of_a_command_line(command: str, told: int) -> None:
    """It would break out of them: an error where the tool's schema is known."""
    line = {"type": "string", "format": "command-line"}
    declared = Declared(parameters={"properties": {"c": line, "n": {}}})
    args = {"c": command, "n": "'$args.a'"}
    text = one_group([{"tool": "t", "args": args}], in_={"a": "any"})
    report = check(text, {"t": declared})
    assert codes(report.errors) == ["reference_in_quotes"] * told
    assert {each.path for each in report.errors} <= {"groups[0].tools[0].args.c"}
    assert check(text, {}).errors == ()


@pytest.mark.parametrize(
    ("parallel", "keys", "told"),
    [
        (True, ({"entity:a"}, {"entity:a"}), ["same_ordering_key"]),
        (True, ({"entity:a"}, {"entity:b"}), []),
        (True, ({"entity:a"}, None), []),
        (False, ({"entity:a"}, {"entity:a"}), []),
    ],
)
def test_ordering_keys(
    parallel: bool, keys: tuple[set[str] | None, ...], told: list[str]
) -> None:
    """Two literal calls with one ordering key will run in order (check 14)."""
    known = {
        f"t{index}": Declared(keys=None if each is None else frozenset(each))
        for index, each in enumerate(keys)
    }
    text = one_group('{"tool":"t0"} ; {"tool":"t1"} ;', parallel=parallel)
    assert codes(check(text, known).warnings) == told


def test_keys_of_references_are_unknown() -> None:
    """A call that is not literal has no keys before the run."""
    known = {"t": Declared(keys=frozenset({"entity:a"}))}
    entry = '{"tool":"t","args":{"x":"$args.a"}} ;'
    assert (
        codes(check(one_group(entry + entry, in_={"a": "any"}), known).warnings) == []
    )


def test_own_buttons() -> None:
    """A press of a button that runs a sequence is refused where it is reached."""
    press = '{"tool":"button.press","args":{"target":{"area_id":"hall"}}} ;'
    reached = {"button.press": Declared(keys=frozenset({"entity:button.s"}))}
    assert codes(check(one_group(press), reached, None, ["button.s"]).errors) == [
        "forbidden"
    ]
    assert check(one_group(press), reached, None, ["button.t"]).errors == ()


def test_an_ast_without_its_text() -> None:
    """What was put together of several texts is checked whole."""
    sequence = legal(sequence_text(group_text(A, out={"x": "any"}), name="own"))
    doubled = legal(one_group()).groups * 201
    groups = (*sequence.groups, *doubled)
    joined = type(sequence)(name="own", groups=groups)
    report = check_sequence(joined, Tools(), Sequences())
    told = {"group_name_twice", "too_many_groups", "more_errors"}
    assert set(codes(report.errors)) == told
    assert check_sequence(sequence, Tools(), Sequences()).errors == ()
    again = check_moment(sequence, Tools({"t.a": SAFE}), Sequences())
    assert (again.errors, again.warnings) == ((), ())


def test_one_group_alone() -> None:
    """A group is checked alone; with its sequence, its calls of other groups too."""
    group = read_group(group_text(call("callee"))).group
    assert group is not None
    alone = check_group(group, Tools(), Sequences())
    beside = check_group(group, Tools(), Sequences(), legal(sequence_text(CALLEE)))
    without = check_group(group, Tools(), Sequences(), legal(one_group()))
    assert alone.errors == ()
    assert only_error(beside).code == "call_missing_input"
    assert only_error(without).code == "unknown_group"
    assert only_error(without).path == "tools[0].args.target"
