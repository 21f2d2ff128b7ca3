"""Conditions: their grammar, their text, and what they say of values."""

from contextlib import suppress

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.sequence.condition_syntax import scan_condition
from custom_components.homeagent.sequence.condition_text import format_condition
from custom_components.homeagent.sequence.conditions import evaluate, parse_condition
from custom_components.homeagent.sequence.document import parse_sequence
from custom_components.homeagent.sequence.failures import ConditionFailed, LanguageError
from custom_components.homeagent.sequence.values import Scope

from .texts import check, one_group, only_error

SCOPE = Scope(
    args={
        "host": "nas",
        "empty": "",
        "n": 3,
        "real": 2.5,
        "yes": True,
        "no": False,
        "null": None,
        "list": [1, "b", [2], None],
        "none": [],
        "object": {"count": 3, "flag": True, "a b": {}},
    },
    out={"r": {"exit_code": 0}},
)


def says(text: str) -> bool:
    return evaluate(parse_condition(text), SCOPE)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('$args.host != ""', True),
        ("$args.host == 'nas'", True),
        (r'$args.host == "\u006eas"', True),
        ("'it\\'s' == \"it's\"", True),
        ('$args.host contains "a"', True),
        ("$args.list contains 1", True),
        ("$args.list contains '1'", False),
        ("$args.list contains true", False),
        ("$args.list contains null", True),
        ("$args.object contains 'count'", True),
        ("$args.object contains 'other'", False),
        ("$args contains 'host'", True),
        ("$args.object.count > 0", True),
        ("$args.object.flag", True),
        ('$args.object["a b"]', False),
        ("$args.list[-1] == null", True),
        ("$args.null == null", True),
        ("$args.n == null", False),
        ("$args.host != null", True),
        ("$args.n == 3.0", True),
        ("$args.n >= 3 && $args.n <= 3", True),
        ("-1 < $args.real", True),
        ("1e2 == 100", True),
        ("'a' < 'b'", True),
        ("$args.list == $args.list", True),
        ("$args.list == $args.none", False),
        ("$args.yes != $args.no", True),
        ("$out.r.exit_code == 0", True),
        ("${args.n} == 3", True),
        ("$args.empty", False),
        ("$args.none", False),
        ("$args.null", False),
        ("$args.n", True),
        ("0", False),
        ("'0'", True),
        ("true", True),
        ("!$args.no", True),
        ("!!$args.no", False),
        ("!($args.n == 3)", False),
        ("!exists($args.nope)", True),
        ("exists($args.null)", True),
        ("exists( $args.host.x )", False),
        ("exists($args.nope) && $args.nope == 1", False),
        ("true || $args.nope", True),
        ("false && $args.nope == 1 || $args.yes", True),
        ("false && (false || true)", False),
        (" ( ( true ) ) ", True),
    ],
)
def test_truth(text: str, value: bool) -> None:
    """A condition says what it says, and its own text says the same."""
    condition = parse_condition(text)
    assert evaluate(condition, SCOPE) is value
    assert parse_condition(format_condition(condition)) == condition


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("'3' == 3", "string and number"),
        ("true == 1", "boolean and number"),
        ("$args.list == 1", "array and number"),
        ("$args.object != 'x'", "object and string"),
        ("$args.n < '4'", "number and string"),
        ("$args.null < 1", "null and number"),
        ("true < false", "boolean and boolean"),
        ("$args.list > $args.list", "array and array"),
        ("$args.n contains 3", "number and number"),
        ("$args.host contains 1", "string and number"),
        ("$args.object contains 1", "object and number"),
        ("$args.null contains 1", "null and number"),
        ("$args.nope", "$args.nope"),
        ("$args.nope == null", "$args.nope"),
        ("!$args.nope", "$args.nope"),
        ("$args.host.x == 1", "of the type string"),
        ("$out.nope == 1", "$out.nope"),
    ],
)
def test_failures(text: str, words: str) -> None:
    """What cannot be judged is an error that names both types, never false."""
    with pytest.raises(ConditionFailed) as caught:
        says(text)
    assert words in str(caught.value)


def _nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("'3'==3", '"3" == 3: string and number do not compare with =='),
        ("$args.a  < null", "$args.a < null: array and null do not compare with <"),
        ("$args.a == $args.b", "$args.a == $args.b: the values are nested too deeply"),
    ],
)
def test_words_of_failures(text: str, words: str) -> None:
    """A failure shows the comparison as it is read, and then what is wrong with it."""
    scope = Scope(args={"a": _nested(100_000), "b": _nested(100_000)})
    with pytest.raises(ConditionFailed) as caught:
        evaluate(parse_condition(text), scope)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("text", "code", "at", "hint"),
    [
        ("", "condition_empty", 0, ""),
        ("1 ==", "condition_unexpected", 4, ""),
        ("== 1", "condition_unexpected", 0, ""),
        ("$args.a = 1", "condition_unexpected", 8, "=="),
        ("$args.a === 1", "condition_unexpected", 8, "=="),
        ("$args.a <> 1", "condition_unexpected", 8, "!="),
        ("$args.a and $args.b", "condition_unexpected", 8, "&&"),
        ("not $args.a", "condition_unexpected", 0, "!"),
        ("$args.a & $args.b", "condition_unexpected", 8, "&&"),
        ("$args.a is 1", "condition_unexpected", 8, "=="),
        ("$args.a == True", "condition_unexpected", 11, "true"),
        ("$args.a CONTAINS 'x'", "condition_unexpected", 8, "contains"),
        ("$args.a == x", "condition_unexpected", 11, ""),
        ("host == 'x'", "condition_unexpected", 0, ""),
        ("$args.a == XxX", "condition_unexpected", 11, ""),
        ("($args.a", "condition_unexpected", 8, ""),
        ("$args.a)", "condition_unexpected", 7, ""),
        ("$args.a == 1 2", "condition_unexpected", 13, ""),
        ("($args.a) == 1", "condition_unexpected", 10, ""),
        ("$args.a == .5", "condition_unexpected", 11, ""),
        ("$args.a == 01", "condition_unexpected", 11, ""),
        ("$args.a == 3s", "condition_unexpected", 11, ""),
        ("$args.a. == 1", "condition_unexpected", 7, ""),
        ("exists $args.a", "condition_unexpected", 7, ""),
        ("exists(1)", "condition_unexpected", 7, ""),
        ("exists($args.a == 1)", "condition_unexpected", 15, ""),
        ("$HOME == 1", "condition_unexpected", 0, ""),
        ("$$args.a == 1", "condition_unexpected", 0, ""),
        ("$args.a == “x”", "condition_quotes", 11, ""),
        ("$args.a == 'x", "string_open", 11, ""),
        (r"$args.a == '\x'", "bad_escape", 12, ""),
        ("$args.a == '\ud800'", "surrogate", 12, ""),
        ("$args.a == 1e999", "number_range", 11, ""),
        (f"$args.a == {'9' * 5000}", "number_range", 11, ""),
        ("1 < 2 < 3", "chained_comparison", 6, ""),
        ("!$args.a == 1", "negated_comparison", 0, "!="),
        ("$Args.a == 1", "near_miss", 0, "$args"),
        ("$out == 1", "out_without_key", 0, ""),
        ("(" * 5000, "condition_too_deep", 65, ""),
        ("!" * 5000, "condition_too_deep", 65, ""),
        ("1" + " && 1" * 5000, "condition_too_deep", 324, ""),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_flaws(text: str, code: str, at: int, hint: str) -> None:
    """A text that is no condition is told where, and what was expected."""
    scan = scan_condition(text)
    assert scan.flaw is not None
    assert (scan.flaw.code, scan.flaw.at) == (code, at)
    with pytest.raises(LanguageError) as caught:
        parse_condition(text)
    assert hint in caught.value.problem.hint
    assert caught.value.problem.caret.endswith("^")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("'é' == $args.a", '"é" == $args.a'),
        ("((1<2))&&!(true)", "1 < 2 && !true"),
        ("true && (true && false)", "true && (true && false)"),
        ("true||(true||false)", "true || (true || false)"),
        ("(true || false) && true", "(true || false) && true"),
        ("!(1 == 2) || !exists( $args.a )", "!(1 == 2) || !exists($args.a)"),
    ],
)
def test_written(text: str, written: str) -> None:
    """As people write it: no parentheses but those that matter, letters as they are."""
    assert format_condition(parse_condition(text)) == written


OPERAND = "a reference, a text, a number, true, false or null"
BEHIND = "an operator, `&&`, `||` or the end"
REFERENCE = "a reference such as $args.host"
END = "the end of the text"


@pytest.mark.parametrize(
    ("text", "found", "expected", "nearest"),
    [
        ("1 ==", END, OPERAND, ""),
        ("== 1", '"=="', OPERAND, ""),
        ("$args.a === 1", '"==="', BEHIND, "=="),
        ("$args.a and 1", '"and"', BEHIND, "&&"),
        ("$args.a CONTAINS 'x'", '"CONTAINS"', BEHIND, "contains"),
        ("$args.a == True", '"True"', OPERAND, "true"),
        ("$args.a == Exists", '"Exists"', OPERAND, "exists"),
        ("$args.a == x", '"x"', OPERAND, ""),
        (f"$args.a == {'x' * 70}", f'"{"x" * 32}"', OPERAND, ""),
        ("$args.a == .5", '"."', OPERAND, ""),
        ("$args.a. == 1", '"."', 'a step: .key, [0] or ["key"]', ""),
        ("$args.a[x] == 1", '"["', 'a step: .key, [0] or ["key"]', ""),
        ("$args.a == 1 2", '"2"', BEHIND, ""),
        ("($args.a", END, "`)`", ""),
        ("($args.a 1)", '"1"', "`)`", ""),
        ("exists $args.a", '"$"', "`(`", ""),
        ("exists(1)", '"1"', REFERENCE, ""),
        ("exists($args.a == 1)", '"=="', "`)`", ""),
        ("$HOME == 1", '"$"', REFERENCE, ""),
    ],
)
def test_what_was_expected(text: str, found: str, expected: str, nearest: str) -> None:
    """A flaw shows what stands there, what should, and what was meant."""
    flaw = scan_condition(text).flaw
    assert flaw is not None
    assert flaw.placeholders == {
        "found": found,
        "expected": expected,
        "nearest": nearest,
    }


@pytest.mark.parametrize(
    ("text", "placeholders"),
    [
        ("$args.a == “x”", {"found": '"“"'}),
        (r"$args.a == '\x'", {"found": r'"\\x"'}),
        ("$args.a == 1e999", {"found": '"1e999"'}),
        ("(" * 65, {"limit": "64"}),
        ("$Args.a == 1", {"nearest": "$args"}),
        ("1 < 2 < 3", {}),
    ],
)
def test_words_of_other_flaws(text: str, placeholders: dict[str, str]) -> None:
    """What their words need beside the place."""
    flaw = scan_condition(text).flaw
    assert flaw is not None
    assert flaw.placeholders == placeholders


@pytest.mark.parametrize(
    ("when", "message", "hint", "column"),
    [
        (
            True,
            "is a boolean; it must be a string with a condition",
            'Write "true".',
            82,
        ),
        (
            False,
            "is a boolean; it must be a string with a condition",
            'Write "false".',
            82,
        ),
        (5, "is a number; it must", "Write a string with a condition.", 82),
        ("$args.a and 1", 'found "and"; an operator', "Write &&.", 91),
    ],
)
def test_in_a_group(when: object, message: str, hint: str, column: int) -> None:
    """What is no condition is told at its place in the whole text."""
    problem = only_error(parse_sequence(one_group(when=when)))
    assert (problem.path, problem.line, problem.column) == (
        "groups[0].when",
        1,
        column,
    )
    assert message in problem.message
    assert problem.hint == hint


@pytest.mark.parametrize(
    "when",
    [
        "$args.gone",
        "!$args.gone",
        "!exists($args.gone)",
        "1 == $args.gone",
        "$args.a && $args.gone",
        "$args.gone || true",
        "true || !(1 == $args.gone)",
    ],
)
def test_every_reference_is_checked(when: str) -> None:
    """Wherever it stands; and what a condition reads is no unused input."""
    text = one_group(when=when, in_={"a": "any"})
    problem = only_error(check(text))
    assert problem.code == "arg_undeclared"
    assert problem.message.startswith("$args.gone reads")
    assert problem.column == text.index("$args.gone") + 1
    fine = check(one_group(when=when, in_={"a": "any", "gone": "any"}))
    unused = [each.path[-1] for each in fine.warnings if each.code == "input_unused"]
    assert unused == ([] if "$args.a" in when else ["a"])


PIECES = st.sampled_from(
    "$args.a $args $out.b ${args.c[0]} 1 -2.5 'x' \"y\" true null == != < <= > >= "
    "contains && || ! ( ) exists exists($args.a) (1==1)".split()
)


@given(st.lists(PIECES, max_size=9).map(" ".join))
def test_any_condition(text: str) -> None:
    """A text has a flaw, or an AST whose own text is the same AST, and an answer."""
    scan = scan_condition(text)
    if scan.condition is None:
        assert scan.flaw is not None
        return
    assert parse_condition(format_condition(scan.condition)) == scan.condition
    with suppress(ConditionFailed):
        evaluate(scan.condition, Scope(args={"a": 1, "c": [2]}, out={"b": "x"}))


DEEP = st.recursive(
    st.sampled_from(["$args.a", "1 == 2", "exists($args.b)", "true"]),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(
            lambda parts: f"({parts[0]}) {parts[1]} ({parts[2]})"
        )
        | inner.map(lambda text: f"!({text})")
    ),
    max_leaves=8,
)


@given(DEEP)
def test_parentheses(text: str) -> None:
    """Where parentheses matter they are written, and the AST stays as it was."""
    condition = parse_condition(text)
    written = format_condition(condition)
    assert parse_condition(written) == condition
    assert len(written) <= len(text)
