"""`seq check`: what it prints, and what it exits with."""

import pytest

from .conftest import Seq, Write

GOOD = '{"name": "s", "groups": [{"name": "g", "tools": "{\\"tool\\":\\"t.a\\"} ;"}]}\n'
BAD = """\
{"name": "s", "groups": [
  {"name": "g", "in": {"hosts": "array"},
   "tools": "{\\"tool\\":\\"t.a\\",\\"args\\":{\\"h\\":$args.hots[0]}} ;"}
]}
"""
BAD_FOR_PEOPLE = """\
s.json:3:48: error: $args.hots[0] reads the input "hots", which in does not declare; \
in has: hosts [arg_undeclared]
  at groups[0].tools[0].args.h, character 26 of tools
    {"tool":"t.a","args":{"h":$args.hots[0]}} ;
                              ^
  Did you mean $args.hosts?
s.json:2:33: warning: the input "hosts" is never used [input_unused]
  at groups[0].in.hosts
      {"name": "g", "in": {"hosts": "array"},
                                    ^
  Use it as $args.hosts, or remove it.
s.json: 1 error, 1 warning
"""


def test_good(seq: Seq, write: Write) -> None:
    """A good text is ok, and nothing is said of tools that only a home knows."""
    write("s.json", GOOD)
    ran = seq("check", "s.json")
    assert (ran.code, ran.out, ran.err) == (0, "s.json: ok\n", "")
    answer = seq("check", "s.json", "--json").answer
    assert answer == {"ok": True, "errors": [], "warnings": []}


def test_bad_for_people(seq: Seq, write: Write) -> None:
    """Every problem has its place, an excerpt with a caret, and what to do."""
    write("s.json", BAD)
    ran = seq("check", "s.json")
    assert (ran.code, ran.out) == (1, BAD_FOR_PEOPLE)


def test_bad_for_programs(seq: Seq, write: Write) -> None:
    """The JSON has the same problems with all keys."""
    write("s.json", BAD)
    ran = seq("check", "s.json", "--json")
    assert ran.code == 1
    (error,) = ran.answer["errors"]
    assert list(error) == "code path line column position message hint".split()
    place = (error["path"], error["line"], error["column"], error["position"])
    assert place == ("groups[0].tools[0].args.h", 3, 48, 26)
    assert [each["code"] for each in ran.answer["warnings"]] == ["input_unused"]


@pytest.mark.parametrize(
    ("tools", "code", "warnings"),
    [
        ('{"t.a": {"parallel_safe": true}}', 0, []),
        ("{}", 0, ["unknown_tool"]),
        (
            '{"t.a": {"parameters": {"type": "object", "required": ["x"]}}}',
            0,
            ["argument_does_not_fit"],
        ),
    ],
)
def test_against_tools(
    tools: str, code: int, warnings: list[str], seq: Seq, write: Write
) -> None:
    """With --tools the text is checked against them."""
    write("s.json", GOOD)
    write("tools.json", tools)
    ran = seq("check", "s.json", "--tools", "tools.json", "--json")
    assert ran.code == code
    assert [each["code"] for each in ran.answer["warnings"]] == warnings


def test_many_tools_of_which_nothing_is_known(seq: Seq) -> None:
    """What is not said of tools takes no place from what is said."""
    tools = '{\\"tool\\":\\"t.a\\"} ;' * 150
    groups = [
        f'{{"name": "{n}", "in": {{"x": "any"}}, "tools": "{tools}"}}' for n in "ab"
    ]
    text = f'{{"name": "s", "groups": [{", ".join(groups)}]}}'
    answer = seq("check", "-", "--json", stdin=text.encode()).answer
    assert [each["code"] for each in answer["warnings"]] == ["input_unused"] * 2


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (b"\xff\xfe", "not_utf8", (1, 1)),
        (b'{"name": "s",\n "x": "\xe9"}', "not_utf8", (2, 8)),
        (b"", "empty_text", (1, 1)),
        (b" " * (256 * 1024 + 1), "too_large", (None, None)),
    ],
    ids=["utf-16", "latin-1", "empty", "large"],
)
def test_bytes_that_are_no_sequence(
    text: bytes, code: str, place: tuple[int | None, int | None], seq: Seq, write: Write
) -> None:
    """They are problems of the text like any other."""
    write("s.json", text)
    ran = seq("check", "s.json", "--json")
    (error,) = ran.answer["errors"]
    assert (ran.code, error["code"]) == (1, code)
    assert (error["line"], error["column"]) == place


HIDDEN = """{"name": "s", "description": "\u202e", "groups": [
 {"name": "g", "parallel": false,
  "tools": "{\\"tool\\":\\"t.a\\",\\"args\\":{\\"a\\":\\"\u009b31m\\"}} ; {\\"tool\\":\\"t.b\\"} ;"}
]}"""


@pytest.mark.parametrize("command", ["check", "plan", "run"])
def test_nothing_hidden_is_printed(command: str, seq: Seq, write: Write) -> None:
    """What a text holds cannot move the terminal's cursor."""
    write("tools.json", '{"t.a": {}, "t.b": {"behaviour": [{"value": "\u009b"}]}}')
    tools = [] if command == "plan" else ["--tools", "tools.json"]
    ran = seq(command, "-", *tools, stdin=HIDDEN.encode())
    assert ran.out
    assert [char for char in "\u009b\u202e" if char in ran.out + ran.err] == []
