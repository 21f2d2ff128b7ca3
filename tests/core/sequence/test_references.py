"""References in texts: what they mean, what only looks like one, where they lead."""

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.sequence.failures import (
    LanguageError,
    UnresolvedReference,
)
from custom_components.homeagent.sequence.flaws import Flaw
from custom_components.homeagent.sequence.model import Reference, Step, Template
from custom_components.homeagent.sequence.reference_syntax import (
    escape_text,
    format_path,
    needs_braces,
    scan_select,
    scan_text,
)
from custom_components.homeagent.sequence.references import (
    Scope,
    format_reference,
    parse_path,
    parse_text,
    resolve,
)


def args(*steps: Step) -> Reference:
    return Reference(root="args", steps=steps)


def out(*steps: Step) -> Reference:
    return Reference(root="out", steps=steps)


def template(*parts: str | Reference) -> Template:
    return Template(parts=parts)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("$args.host", args("host")),
        ("${args.host}", args("host")),
        ("$args", args()),
        ("${args}", args()),
        ('$args["host"]', args("host")),
        ("$args.hosts[0]", args("hosts", 0)),
        ("$args.hosts[-1].name", args("hosts", -1, "name")),
        ('$out.r["weather.home"].forecast[0]', out("r", "weather.home", "forecast", 0)),
        (r'$args.a["\u00e9\""]', args("a", 'é"')),
        ("$args.主机", args("主机")),
        ("$args.e\u0301", args("é")),
        ("$args.a-b_c", args("a-b_c")),
        ("ssh $args.host uptime", template("ssh ", args("host"), " uptime")),
        ("$args.a$args.b", template(args("a"), args("b"))),
        ("$args.host.", template(args("host"), ".")),
        ("$args.host. Then", template(args("host"), ". Then")),
        ("$args.host[x]", template(args("host"), "[x]")),
        ("$args.list.0", template(args("list"), ".0")),
        ("$args.list[01]", template(args("list"), "[01]")),
        ('$args.a["b', template(args("a"), '["b')),
        ('$args.a["b"x', template(args("a"), '["b"x')),
        ("all: $args, ok", template("all: ", args(), ", ok")),
        ("${args.host}s", template(args("host"), "s")),
        ("主机${args.host}的", template("主机", args("host"), "的")),
        ("$$args.host", "$args.host"),
        ("$$out", "$out"),
        ("$${args.host}", "${args.host}"),
        ("$$$args.x", "$$args.x"),
        ("$$Args.x", "$Args.x"),
        ("a $$output[0]", "a $output[0]"),
        ("$$ $HOME $1 $(ls) ${HOME} $", "$$ $HOME $1 $(ls) ${HOME} $"),
        ("$argsfile $outfile.txt $argument.x", "$argsfile $outfile.txt $argument.x"),
        ("$Args $OUT $output", "$Args $OUT $output"),
        ("$0 and more", "$0 and more"),
        ("$10", "$10"),
        ("", ""),
    ],
)
def test_meaning(text: str, meaning: object) -> None:
    """A whole reference stays one, in words it is a part, anything else is text."""
    assert parse_text(text) == meaning


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("$arg.host", "near_miss", 0),
        ("x $Args.host", "near_miss", 2),
        ("$ARGS[0]", "near_miss", 0),
        ("$outs.x", "near_miss", 0),
        ("$output.x", "near_miss", 0),
        ("$Out[0]", "near_miss", 0),
        ("${Args.host}", "near_miss", 0),
        ("$args.", "reference_step", 0),
        ("$args. Then", "reference_step", 0),
        ("$args.1", "reference_step", 0),
        ("$args['host']", "reference_step", 0),
        ("$out[", "reference_step", 0),
        ("$args[0]", "reference_index", 0),
        ("echo $out", "out_without_key", 5),
        ("${out}", "out_without_key", 0),
        ("${args.host", "reference_brace", 0),
        ("${args:-x}", "reference_brace", 0),
        ("${args[@]}", "reference_brace", 0),
        ("$0", "numbered_slot", 0),
        ("$9", "numbered_slot", 0),
    ],
)
def test_near_misses(text: str, code: str, at: int) -> None:
    """What looks like a reference is never taken for text silently."""
    (flaw,) = scan_text(text).flaws
    assert (flaw.code, flaw.at) == (code, at)
    with pytest.raises(LanguageError) as caught:
        parse_text(text)
    assert caught.value.problem.caret.split("\n")[1] == " " * at + "^"


@pytest.mark.parametrize(
    ("text", "placeholders"),
    [
        ("$Args.host", {"nearest": "$args"}),
        ("$arg[0]", {"nearest": "$args"}),
        ("$OUT.x", {"nearest": "$out"}),
        ("$output.x", {"nearest": "$out"}),
        ("$args.", {"root": "args"}),
        ("$out[", {"root": "out"}),
        ("x $args[0].x y", {"root": "args", "written": '"$args[0].x"'}),
        ("${args.host", {"written": '"${args.host"', "found": "the end of the text"}),
        ("a ${args:-x}", {"written": '"${args"', "found": '":"'}),
        ("$out", {}),
        ("$0", {}),
    ],
)
def test_words_of_near_misses(text: str, placeholders: dict[str, str]) -> None:
    """What is said of a flaw: what was meant, what stands there."""
    (flaw,) = scan_text(text).flaws
    assert flaw.placeholders == placeholders


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("$arg.a $args.b $out $Out.c", [0, 15, 20]),
        ("$args.$Out.c", [0, 6]),
        ("${args.a$out", [0, 8]),
        ("$args[0]$out", [0, 8]),
    ],
)
def test_all_flaws_of_a_text(text: str, places: list[int]) -> None:
    """Every flaw of a text is found in one reading."""
    assert [flaw.at for flaw in scan_text(text).flaws] == places


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("stdout", ("stdout",)),
        ("a.b[0][-1]", ("a", "b", 0, -1)),
        ('["weather.home"].forecast[0]', ("weather.home", "forecast", 0)),
        ("[0]", (0,)),
        ('a["b c"]', ("a", "b c")),
        ('["é b"].主机', ("é b", "主机")),
    ],
)
def test_paths(text: str, steps: tuple[Step, ...]) -> None:
    """`select` is a key and then steps, and is written as it was."""
    assert parse_path(text) == steps
    assert format_path(steps) == text


@pytest.mark.parametrize(
    ("text", "code", "at", "found"),
    [
        ("", "select_empty", 0, "the end of the text"),
        (" ", "select_empty", 0, '" "'),
        (".a", "select_step", 0, '".a"'),
        ("a.", "select_step", 1, '"."'),
        ("a b", "select_step", 1, '" b"'),
        ("a[", "select_step", 1, '"["'),
        ("$.a", "select_step", 0, '"$.a"'),
        ("a..b", "select_step", 1, '"..b"'),
        ("1", "select_step", 0, '"1"'),
        ('["a"]b', "select_step", 5, '"b"'),
        ("[1].", "select_step", 3, '"."'),
    ],
)
def test_wrong_paths(text: str, code: str, at: int, found: str) -> None:
    """A path ends where its text ends."""
    flaw = scan_select(text)[1]
    assert flaw == Flaw(code=code, at=at, placeholders={"found": found})
    with pytest.raises(LanguageError) as caught:
        parse_path(text)
    assert caught.value.problem.caret.split("\n")[1] == " " * at + "^"


SCOPE = Scope(
    args={"host": "nas", "n": None, "list": [1, {"a": [5]}], "deep": {"a b": {"": 0}}},
    out={"r": {"x": 1.5}},
)


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        (args("host"), "nas"),
        (args("n"), None),
        (args("list", -1, "a", 0), 5),
        (args("deep", "a b", ""), 0),
        (out("r", "x"), 1.5),
        (args(), SCOPE.args),
    ],
)
def test_resolve(reference: Reference, value: object) -> None:
    """A reference leads to the value as it is."""
    assert resolve(reference, SCOPE) is value or resolve(reference, SCOPE) == value


@pytest.mark.parametrize(
    ("reference", "reason", "words"),
    [
        (args("nope"), "required", "it has: host, n, list, deep"),
        (args("list", 2), "required", "$args.list has 2 elements"),
        (args("list", -3), "required", "none at [-3]"),
        (out("r", "y"), "required", "$out.r has no"),
        (args("host", "x"), "type", "$args.host is of the type string"),
        (args("host", 0), "type", "no indexes"),
        (args("n", "x"), "type", "of the type null"),
        (args("list", "a"), "type", "of the type array, which has no keys"),
        (args("deep", 0), "type", "of the type object, which has no indexes"),
    ],
)
def test_unresolved(reference: Reference, reason: str, words: str) -> None:
    """What leads nowhere names the reference, and why."""
    with pytest.raises(UnresolvedReference) as caught:
        resolve(reference, SCOPE)
    assert caught.value.unresolved.reason == reason
    assert caught.value.unresolved.reference == format_reference(reference)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("", ""),
        ("5 $ and $HOME", "5 $ and $HOME"),
        ("$args.a", "$$args.a"),
        ("a $b $out c", "a $b $$out c"),
        ("$args and ${x} $Out.x", "$$args and $${x} $$Out.x"),
        ("$$args", "$$$args"),
    ],
)
def test_escaped(text: str, escaped: str) -> None:
    """Only a dollar that would begin a reference is doubled."""
    assert escape_text(text) == escaped
    assert parse_text(escaped) == text


@pytest.mark.parametrize(
    ("behind", "needed"),
    [
        *(("", False), (" b", False), ("$args.b", False), (",", False)),
        *((".x", True), ("[0]", True), ("b", True), ("-", True), ("7", True)),
    ],
)
def test_braces(behind: str, needed: bool) -> None:
    """They stand where the text behind would be read as a part of the reference."""
    assert needs_braces(behind) is needed
    text = format_reference(args("a"), braced=needed) + behind
    scan = scan_text(text)
    assert not scan.flaws
    assert scan.references[0] == (0, args("a"))


PIECES = st.sampled_from(
    [
        *("$", "$$", "args", "out", "Args", "output", "{", "}", ".", "[", "]", "[0]"),
        *('["k"]', "a", "b-", "é", "主", "1", " ", "$args", "$out.x", "${args.a}", '"'),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_any_text(text: str) -> None:
    """A text has flaws, or a meaning whose own text means the same."""
    scan = scan_text(text)
    if scan.flaws:
        return
    if isinstance(scan.value, str):
        assert parse_text(escape_text(scan.value)) == scan.value
    assert "$" in text or scan.value == text
