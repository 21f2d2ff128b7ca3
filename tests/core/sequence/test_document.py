"""Documents: every field, right and wrong, and the two forms with one meaning."""

import json

import pytest

from custom_components.homeagent.sequence.document import (
    parse_sequence,
    read_group,
    read_sequence,
)
from custom_components.homeagent.sequence.model import (
    ABSENT,
    Comparison,
    Constant,
    Group,
    Missing,
    OnError,
    Parameter,
    Reference,
    Sequence,
    SlotType,
    Template,
    ToolEntry,
)

from .texts import (
    ENTRY,
    check,
    codes,
    error_codes,
    group_text,
    legal,
    one_group,
    only_error,
    sequence_text,
)

INSPECTION = """\
{
  "name": "巡检三节点",
  "description": "拉取三台节点状态，异常时展开",
  "groups": [
    {
      "name": "拉取单台",
      "description": "拉取一台节点的 uptime 与负载",
      "call_only": true,
      "in":  { "host": "string", "verbose": { "type": "bool", "default": true } },
      "out": { "summary": "string", "load": "string" },
      "when": "$args.verbose == true",
      "tools": "{\\"tool\\":\\"host_run\\",\\"args\\":{\\"host\\":\\"$args.host\\",\\"command\\":\\"uptime\\"},\\"as\\":\\"summary\\"} ; {\\"tool\\":\\"host_run\\",\\"args\\":{\\"host\\":\\"$args.host\\",\\"command\\":\\"ps -eo pid,comm,%cpu\\"},\\"as\\":\\"load\\"} ;"
    },
    {
      "name": "巡检全部",
      "description": "对三台节点并行调用「拉取单台」",
      "in":  { "hosts": "array" },
      "out": { "reports": "array" },
      "parallel": true,
      "tools": "{\\"tool\\":\\"seq_call\\",\\"args\\":{\\"target\\":\\"拉取单台\\",\\"args\\":{\\"host\\":$args.hosts[0]}},\\"as\\":\\"reports\\"} ; {\\"tool\\":\\"seq_call\\",\\"args\\":{\\"target\\":\\"拉取单台\\",\\"args\\":{\\"host\\":$args.hosts[1]}},\\"as\\":\\"reports\\"} ; {\\"tool\\":\\"seq_call\\",\\"args\\":{\\"target\\":\\"拉取单台\\",\\"args\\":{\\"host\\":$args.hosts[2]}},\\"as\\":\\"reports\\"} ;"
    }
  ]
}"""


def test_the_example_of_the_design() -> None:
    """The example of §7.1, corrected, is legal and means what it says."""
    inspection = legal(INSPECTION)
    single, all_hosts = inspection.groups
    assert single.call_only
    assert single.inputs["verbose"] == Parameter(
        type=SlotType.BOOLEAN, default=True, required=False
    )
    assert single.tools[0].args["host"] == Reference(root="args", steps=("host",))
    assert [entry.args["args"] for entry in all_hosts.tools] == [
        {"host": Reference(root="args", steps=("hosts", index))} for index in range(3)
    ]
    assert set(codes(check(INSPECTION).warnings)) == {"unknown_tool"}


def test_the_example_as_it_was() -> None:
    """`group` in the place of `target` is an error with that hint."""
    text = INSPECTION.replace("target", "group")
    problems = parse_sequence(text).errors
    assert codes(problems) == ["call_without_target", "call_unknown_key"] * 3
    assert problems[1].hint == "Did you mean target?"


def test_every_field() -> None:
    """Every field of every object reaches the AST."""
    entry = {
        "tool": "t.a",
        "args": {"a": ["x", 1, 1.5, True, None, {"b": "c $args.k"}]},
        "as": "r",
        "select": 'x["y"][0]',
        "fallback": {"z": [1]},
        "unsafe_serial": True,
    }
    long_form = {
        "type": "integer",
        "description": "how many",
        "default": 2,
        "enum": [1, 2],
    }
    text = sequence_text(
        {
            "name": "g",
            "description": "d",
            "in": {"k": long_form, "o": {"type": "any", "required": False}},
            "out": {"r": {"type": "object", "description": "what came"}},
            "tools": [entry],
            "when": "$args.k > 1",
            "parallel": False,
            "timeout": "1m",
            "on_error": "retry",
            "retries": 3,
            "missing": "degrade",
            "call_only": True,
        },
        description="all of it",
    )
    reference = Reference(root="args", steps=("k",))
    template = Template(parts=("c ", reference))
    assert legal(text) == Sequence(
        name="s",
        description="all of it",
        groups=(
            Group(
                name="g",
                description="d",
                inputs={
                    "k": Parameter(
                        type=SlotType.INTEGER,
                        description="how many",
                        default=2,
                        required=False,
                        enum=(1, 2),
                    ),
                    "o": Parameter(type=SlotType.ANY, required=False),
                },
                outputs={"r": Parameter(type=SlotType.OBJECT, description="what came")},
                when=Comparison(operator=">", left=reference, right=Constant(value=1)),
                parallel=False,
                timeout=60.0,
                on_error=OnError.RETRY,
                retries=3,
                missing=Missing.DEGRADE,
                call_only=True,
                tools=(
                    ToolEntry(
                        tool="t.a",
                        args={"a": ("x", 1, 1.5, True, None, {"b": template})},
                        as_="r",
                        select=("x", "y", 0),
                        fallback={"z": [1]},
                        unsafe_serial=True,
                    ),
                ),
            ),
        ),
    )


def test_defaults() -> None:
    """What is not written has its default."""
    group = legal(one_group(when="true")).groups[0]
    assert group == Group(name="g1", tools=(ToolEntry(tool="t.a"),))
    assert group.tools[0].fallback is ABSENT
    assert (group.timeout, group.when) == (30.0, None)


def test_two_forms_one_meaning() -> None:
    """Text or array of entries, text or decoded: one AST."""
    entries = [{"tool": "t.a", "args": {"x": "$args.k[0]"}}, {"tool": "t.b"}]
    as_text = " ".join(f"{json.dumps(entry)} ;" for entry in entries)
    bare = as_text.replace('"$args.k[0]"', "$args.k[0]")
    forms = [
        {"name": "s", "groups": [group_text(tools, in_={"k": "array"})]}
        for tools in (entries, as_text, bare)
    ]
    read = [legal(json.dumps(form)) for form in forms]
    read += [sequence for form in forms if (sequence := read_sequence(form).sequence)]
    assert len(read) == 6
    assert all(each == read[0] for each in read)


def test_a_condition_in_a_call() -> None:
    """The when of a `seq_when_call` is parsed, and is no argument."""
    entry = (
        '{"tool":"seq_when_call","args":{"target":"g1","when":"$args.k","args":{}}} ;'
    )
    group = legal(
        sequence_text(group_text(), group_text(entry, in_={"k": "any"}) | {"name": "g"})
    ).groups[1]
    assert group.tools[0].when == Reference(root="args", steps=("k",))
    assert list(group.tools[0].args) == ["target", "args"]


@pytest.mark.parametrize(
    ("fields", "code", "hint"),
    [
        ({"paralell": False}, "unknown_key", "parallel"),
        ({"inputs": {}}, "unknown_key", "Did you mean in?"),
        ({"condition": "true"}, "unknown_key", "Did you mean when?"),
        ({"select": "x"}, "misplaced_key", "select is a key of the tool"),
        ({"zzzzzz": 1}, "unknown_key", "Remove it."),
        ({"description": 1}, "wrong_type", '"1"'),
        ({"in": "{}"}, "wrong_type", "an object"),
        ({"in": ["host"]}, "wrong_type", "an object"),
        ({"in": {"a": "strng"}}, "bad_type", '"string"'),
        ({"in": {"a": "Integer"}}, "bad_type", '"integer"'),
        ({"in": {"a": "list"}}, "bad_type", '"array"'),
        ({"in": {"a": 1}}, "wrong_type", "a type"),
        ({"in": {"a": {"description": "x"}}}, "missing_key", '"type"'),
        ({"in": {"a": {"type": "any", "defalt": 1}}}, "unknown_key", "default"),
        ({"in": {"a": {"type": "integer", "default": "1"}}}, "value_does_not_fit", ""),
        ({"in": {"a": {"type": "integer", "default": True}}}, "value_does_not_fit", ""),
        ({"in": {"a": {"type": "string", "default": None}}}, "value_does_not_fit", ""),
        ({"in": {"a": {"type": "any", "enum": []}}}, "wrong_type", "at least one"),
        ({"in": {"a": {"type": "string", "enum": [1]}}}, "value_does_not_fit", ""),
        (
            {"in": {"a": {"type": "string", "default": "x", "enum": ["y"]}}},
            "default_no_choice",
            "",
        ),
        ({"in": {"a": {"type": "any", "required": "no"}}}, "wrong_type", "a boolean"),
        ({"out": {"a": {"type": "any", "default": 1}}}, "misplaced_key", "an input"),
        ({"tools": 1}, "wrong_type", "a string"),
        ({"tools": {}}, "wrong_type", "a string"),
        ({"tools": ""}, "no_tools", ""),
        ({"tools": []}, "no_tools", ""),
        ({"tools": ["t.a"]}, "wrong_type", "an object such as"),
        ({"tools": [{}]}, "missing_key", '"tool"'),
        ({"tools": [{"tool": ""}]}, "bad_tool_name", ""),
        ({"tools": [{"tool": "$args.t"}]}, "bad_tool_name", "never substituted"),
        ({"tools": [{"tool": "t.a", "args": "x"}]}, "wrong_type", "an object"),
        ({"tools": [{"tool": "t.a", "as": 1}]}, "wrong_type", '"1"'),
        ({"tools": [{"tool": "t.a", "select": "a b"}]}, "select_step", ""),
        ({"tools": [{"tool": "t.a", "select": ""}]}, "select_empty", ""),
        ({"tools": [{"tool": "t.a", "unsafe_serial": 1}]}, "wrong_type", "a boolean"),
        ({"tools": [{"tool": "t.a", "parallel": True}]}, "misplaced_key", "the group"),
        ({"tools": [{"tool": "t.a"}] * 201}, "too_many_tools", ""),
        ({"when": True}, "wrong_type", '"true"'),
        ({"when": ""}, "condition_empty", ""),
        ({"parallel": "false"}, "wrong_type", "Write false."),
        ({"on_error": "retri"}, "not_a_choice", '"retry"'),
        ({"on_error": None}, "not_a_choice", "abort, continue, retry"),
        ({"missing": "ignore"}, "not_a_choice", "fail, skip, degrade"),
        ({"on_error": "retry"}, "retry_without_retries", ""),
        ({"retries": 2}, "retries_without_retry", ""),
        ({"on_error": "retry", "retries": 0}, "retry_without_retries", ""),
        ({"on_error": "retry", "retries": 11}, "bad_retries", ""),
        ({"on_error": "retry", "retries": True}, "bad_retries", ""),
        ({"on_error": "retry", "retries": 1.5}, "bad_retries", ""),
        ({"on_error": "retry", "retries": "2"}, "bad_retries", ""),
        ({"call_only": None}, "wrong_type", "a boolean, true or false"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_wrong_fields(fields: dict[str, object], code: str, hint: str) -> None:
    """A fault is one error, with what is right, in the text and in arguments."""
    group = {"name": "g1", "tools": ENTRY} | fields
    problem = only_error(parse_sequence(sequence_text(group)))
    assert problem.code == code
    assert hint in problem.hint
    assert problem.caret.endswith("^")
    again = only_error(read_sequence({"name": "s", "groups": [group]}))
    assert (again.code, again.path, again.line) == (code, problem.path, None)
    assert again.message == problem.message


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"nmae": "x"}, "unknown_key"),
        ({"name": 1}, "wrong_type"),
        ({"description": None}, "wrong_type"),
        ({"groups": {}}, "wrong_type"),
        ({"groups": []}, "no_groups"),
        ({"groups": ["g"]}, "wrong_type"),
        (
            {"groups": [group_text() | {"name": str(i)} for i in range(201)]},
            "too_many_groups",
        ),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_wrong_sequences(fields: dict[str, object], code: str) -> None:
    """The outer object is as strict as those inside."""
    document = json.loads(one_group()) | fields
    assert error_codes(json.dumps(document)) == [code]


@pytest.mark.parametrize("key", ["name", "groups"])
def test_missing_keys(key: str) -> None:
    """What must be there is asked for by its name."""
    document = json.loads(one_group())
    del document[key]
    problem = only_error(parse_sequence(json.dumps(document)))
    assert (problem.code, problem.hint) == ("missing_key", f'Add "{key}".')


def test_a_name_from_beside_the_text() -> None:
    """A name from the call stands in for that of the text, and may not differ."""
    text = json.dumps({"groups": [group_text()]})
    parsed = parse_sequence(text, name="given")
    assert parsed.sequence is not None
    assert parsed.sequence.name == "given"
    assert parse_sequence(one_group(), name="s").sequence is not None
    assert codes(parse_sequence(one_group(), name="t").errors) == ["name_differs"]


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (
            one_group(in_={"a": {"type": "any", "default": 1, "required": True}}),
            "required_with_default",
        ),
        (one_group('{"tool":"t.a","args":{"$args.a":1}} ;'), "reference_in_key"),
        (
            one_group(
                '{"tool":"t.a","as":"x","fallback":"$args.a"} ;',
                out={"x": "any"},
                missing="degrade",
            ),
            "fallback_text",
        ),
    ],
)
def test_warnings(text: str, warning: str) -> None:
    """What is legal and probably not meant is told."""
    assert warning in codes(parse_sequence(text).warnings)
    assert parse_sequence(text).sequence is not None


def test_misplaced_references() -> None:
    """Bare references stand in the arguments of a tool only."""
    for entry in (
        '{"tool":$args.t} ;',
        '{"tool":"t.a","as":$out.x} ;',
        '{"tool":"t.a","unsafe_serial":$args} ;',
    ):
        assert error_codes(one_group(entry)) == ["reference_misplaced"]
    entry = '{"tool":"t.a","as":"x","fallback":[$args.t]} ;'
    assert error_codes(one_group(entry, out={"x": "any"})) == ["reference_in_value"]


def test_a_limit_of_size() -> None:
    """More than 256 KiB is refused, in the text and in arguments."""
    fits, over = ("x" * (256 * 1024 - len(one_group(description=""))), "x" * 262_144)
    assert error_codes(one_group(description=fits)) == []
    assert error_codes(one_group(description=over)) == ["too_large"]
    long_text = {"name": "s", "groups": [group_text(description=over)]}
    assert only_error(read_sequence(long_text)).code == "too_large"
    grows = one_group(tools=[{"tool": "t.a", "args": {"x": '"' * 100_000}}])
    assert error_codes(grows) == ["too_large"]


def test_one_group_alone() -> None:
    """A group is read alone, with paths that begin in it."""
    assert read_group(group_text()).group == legal(one_group()).groups[0]
    (problem,) = read_group(group_text('{"tool":"t.a"}')).errors
    assert (problem.path, problem.position) == ("tools", 14)
