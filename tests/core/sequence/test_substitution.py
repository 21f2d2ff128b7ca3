"""References become values: typed, rendered, quoted, in one pass (page 2 §2.1)."""

import shlex
from typing import Final

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.kernel.errors import ToolError
from custom_components.homeagent.sequence.model import Argument, Reference, Template
from custom_components.homeagent.sequence.references import parse_text
from custom_components.homeagent.sequence.substitution import substitute
from custom_components.homeagent.sequence.values import Scope

SCOPE = Scope(
    args={
        "n": 3,
        "f": 1.5,
        "yes": True,
        "none": None,
        "text": "a $args.n b",
        "list": [1, {"k": "é"}],
        "évier": "sink",
        "lines": ["a b", "c"],
        "host": {"c": "a b", "d": "a b"},
    },
    out={"x": {"k": [7], "odd key": 1}},
)
COMMAND: dict[str, object] = {"type": "string", "format": "command-line"}


def parsed(value: object) -> Argument:
    """Return an argument as a reader makes it of JSON."""
    match value:
        case str():
            return parse_text(value)
        case dict():
            return {key: parsed(inner) for key, inner in value.items()}
        case list():
            return tuple(parsed(inner) for inner in value)
        case None | bool() | int() | float():
            return value
        case _:
            raise TypeError(value)


def substituted(value: object, schema: object = None) -> object:
    """Substitute one argument; `schema` is that of its parameter."""
    given_schema = {} if schema is None else {"properties": {"v": schema}}
    result = substitute({"v": parsed(value)}, SCOPE, given_schema)
    assert not isinstance(result, ToolError), result
    return result["v"]


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("$args.n", 3),
        ("$args.f", 1.5),
        ("$args.yes", True),
        ("$args.none", None),
        ("$args.list", [1, {"k": "é"}]),
        ("$args.list[1].k", "é"),
        ("$args.list[-1]", {"k": "é"}),
        ('$out.x["odd key"]', 1),
        ("$args.évier", "sink"),
        ("${args.n}", 3),
        ("n=$args.n", "n=3"),
        ("${args.n}rd", "3rd"),
        ("$args.yes, $args.none, $args.f", "true, , 1.5"),
        ("l=$args.list", 'l=[1,{"k":"é"}]'),
        ("got $out.x.k", "got [7]"),
        ("$args.text", "a $args.n b"),
        ("-> $args.text", "-> a $args.n b"),
        ("$$args.n", "$args.n"),
        ("$5 and $HOME", "$5 and $HOME"),
        ([1, "$args.n", {"k": "$args.yes"}], [1, 3, {"k": True}]),
        ({"$args.n": "$args.n"}, {"$args.n": 3}),
        ("", ""),
    ],
)
def test_values(argument: object, value: object) -> None:
    """A whole reference keeps its type, inside a text it is rendered."""
    result = substituted(argument)
    assert result == value
    assert type(result) is type(value)


def test_whole_input_object() -> None:
    """`$args` alone is all inputs, inside a text too."""
    assert substituted("$args") == SCOPE.args
    text = substituted("all: $args")
    assert isinstance(text, str)
    assert text.startswith('all: {"n":3,"f":1.5,"yes":true,"none":null,')


@pytest.mark.parametrize(
    ("argument", "reason", "field", "words"),
    [
        ("$args.gone", "required", "v", "$args.gone"),
        ("x $args.gone", "required", "v", "$args.gone"),
        (["$args.list[2]"], "required", "v[0]", "$args.list[2]"),
        ({"k": "$out.y"}, "required", "v.k", "$out.y"),
        ("$args.n.k", "type", "v", "$args.n"),
        ("$args.none.k", "type", "v", "$args.none"),
        ("$args.list.k", "type", "v", "$args.list"),
        ("$out.x[0]", "type", "v", "$out.x"),
    ],
)
def test_what_leads_nowhere(
    argument: object, reason: str, field: str, words: str
) -> None:
    """An error names the reference and why; it is never left in the text."""
    result = substitute({"v": parsed(argument)}, SCOPE)
    assert isinstance(result, ToolError)
    assert (result.reason, result.field) == (reason, field)
    assert words in result.detail


def test_all_that_leads_nowhere_is_told_together() -> None:
    """One retry can mend it all."""
    result = substitute({"a": parsed("$args.x $args.y"), "b": parsed("$args.z")}, SCOPE)
    assert isinstance(result, ToolError)
    assert [each.field for each in (result, *result.also)] == ["a", "a", "b"]


def test_nothing_is_shared_with_the_scope() -> None:
    """A tool that changes its arguments changes nobody else's."""
    result = substituted("$args.list")
    assert isinstance(result, list)
    result[1]["k"] = "changed"
    assert SCOPE.args["list"] == [1, {"k": "é"}]


@pytest.mark.parametrize(
    ("argument", "schema", "value"),
    [
        ("uptime", COMMAND, "uptime"),
        ("ls $args.text; id", COMMAND, "ls 'a $args.n b'; id"),
        ("$args.text", COMMAND, "'a $args.n b'"),
        ("$args.none", COMMAND, "''"),
        ("$args.n", COMMAND, "3"),
        ("$args.list", COMMAND, """'[1,{"k":"é"}]'"""),
        ("$args.text", {"anyOf": [{"type": "null"}, COMMAND]}, "'a $args.n b'"),
        (["$args.text"], {"items": COMMAND}, ["'a $args.n b'"]),
        (
            {"c": "$args.text"},
            {"properties": {"c": COMMAND}},
            {"c": "'a $args.n b'"},
        ),
        ("$args.lines", {"items": COMMAND}, ["'a b'", "c"]),
        ("$args.lines", {"items": {"type": "string"}}, ["a b", "c"]),
        (
            "$args.host",
            {"properties": {"c": COMMAND}},
            {"c": "'a b'", "d": "a b"},
        ),
        ("$args", {"additionalProperties": COMMAND}, None),
        ("$args.text", {"type": "string"}, "a $args.n b"),
    ],
)
def test_command_line(argument: object, schema: object, value: object) -> None:
    """What comes from a value is one shell word, however it gets into the command."""
    result = substituted(argument, schema)
    if value is None:
        assert isinstance(result, dict)
        assert result["text"] == "'a $args.n b'"
    else:
        assert result == value


@pytest.mark.parametrize(
    "line",
    [
        "df '$args.text'",
        'grep "$args.text" f',
        "df '-h $args.text'",
        r"df \$args.text",
        "df '$args.text",
        r'df "a\" $args.text',
        'df "$HOME $args.text"',
        """sh -c "echo '$args.text'" """,
        """echo "$(df "$args.text")" """,
        """echo "`df "$args.text"`" """,
        "echo `df $args.text`",
        "echo ${HOME:$args.text}",
        "echo $((1 + $args.text))",
        "((n = $args.text))",
        "echo $[1 + $args.text]",
        r"echo $'it\'s $args.text'",
        "uptime # $args.text",
        "cat <<END\n$args.text\nEND",
    ],
)
def test_no_reference_inside_of_quotes(line: str) -> None:
    """There its own quotes would end the author's, so the call is an error."""
    result = substitute({"v": parsed(line)}, SCOPE, {"properties": {"v": COMMAND}})
    assert isinstance(result, ToolError)
    assert (result.reason, result.field) == ("value", "v")
    assert "$args.text stands inside of quotes" in result.detail
    assert "Leave out the quotes" in result.hint
    assert isinstance(substituted(line), str)


@pytest.mark.parametrize(
    "line",
    [
        "cat /etc/$args.text",
        "cat ${args.text}.log",
        "cut -d' ' $args.text",
        r"echo it\'s $args.text",
        r'echo "\"" $args.text',
        """df "it's" ${args.text}'' """,
        'echo "$(date)" "${HOME}" $args.text',
        "echo `date` ${HOME} $((1+2)) $args.text",
        "wc <<<$args.text",
        "echo a#$args.text $#",
        "echo $(ls $args.text)",
    ],
)
def test_attached_to_plain_text(line: str) -> None:
    """Outside of quotes a value may stand anywhere, and is part of that word."""
    text = line.replace("${args.text}", "$args.text")
    wanted = text.replace("$args.text", "'a $args.n b'")
    assert substituted(line, COMMAND) == wanted


def command_line(template: Template, value: str) -> object:
    schema = {"properties": {"v": COMMAND}}
    result = substitute({"v": template}, Scope(args={"v": value}), schema)
    return result if isinstance(result, ToolError) else result["v"]


def words(line: object) -> int | str:
    assert isinstance(line, str)
    try:
        return len(shlex.split(line))
    except ValueError as error:
        return str(error)


SHELL: Final = st.text(alphabet="'\"\\`$# \na(){}[]<", max_size=6)


@given(st.lists(SHELL, min_size=2, max_size=4), st.text(alphabet="'\" x#\\`$-;"))
def test_a_value_changes_no_words(texts: list[str], value: str) -> None:
    """Whatever the value is, a shell reads as many words as with the value x."""
    reference = Reference(root="args", steps=("v",))
    first, *others = texts
    pairs = [part for text in others for part in (reference, text)]
    template = Template(parts=(first, *pairs))
    line, plain = (command_line(template, each) for each in (value, "x"))
    if isinstance(line, ToolError):
        assert isinstance(plain, ToolError)
    else:
        assert words(line) == words(plain)


@given(st.text() | st.lists(st.text(max_size=3), max_size=3))
def test_no_value_becomes_a_command(value: object) -> None:
    """A shell reads each value as exactly one word."""
    schema = {"properties": {"v": COMMAND}}
    scope = Scope(args={"v": value})
    for text in ("echo $args.v", "$args.v"):
        result = substitute({"v": parse_text(text)}, scope, schema)
        assert isinstance(result, dict)
        line = result["v"]
        assert isinstance(line, str)
        assert len(shlex.split(line)) == len(text.split())
