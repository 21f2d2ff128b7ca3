"""Calls by name: values, conditions, depth, cycles, identity, facts (page 2 §2.5)."""

import inspect

import pytest

from custom_components.homeagent.kernel.batch import Batch
from custom_components.homeagent.kernel.contract import ToolCall, ToolResult
from custom_components.homeagent.kernel.journal import NoJournal
from custom_components.homeagent.sequence.report import RunReport

from ..virtual_time import run_virtual
from .engine_home import ANYONE, Home, Json, call, fails, group, serial, shape


def from_outside(home: Home, tool: str, **arguments: object) -> ToolResult:
    """Make one call through the door, as a model does."""

    async def scene() -> ToolResult:
        made = ToolCall(tool=tool, arguments=arguments)
        batch = Batch(
            door=home.door,
            journal=NoJournal(),
            caller=ANYONE,
            calls=[made],
            batch_id="b",
        )
        return (await batch.run()).results[0]

    return run_virtual(scene())


def when_call(target: str, when: str, *, as_: str = "x") -> Json:
    """Write an entry that calls on a condition."""
    args = {"target": target, "args": {}, "when": when}
    return {"tool": "seq_when_call", "args": args, "as": as_}


@pytest.mark.parametrize(
    ("when", "args", "status", "calls"),
    [
        ("true", {}, "ok", 1),
        ("$args.v == 1", {"v": 1}, "ok", 1),
        ("$args.v == 1", {"v": 2}, "skipped", 0),
        ("$args.v == 1", {"v": "1"}, "failed", 0),
        ("$args.v", {}, "failed", 0),
        ("exists($args.v)", {}, "skipped", 0),
        ("!exists($args.v)", {}, "ok", 1),
    ],
)
def test_when_of_a_call(when: str, args: Json, status: str, calls: int) -> None:
    """Evaluated in the caller's scope, before anything else; an error is an error."""
    home = Home()
    home.tool("t.a")
    report = home.run(
        group(
            when_call("g2", when),
            out={"x": "any"},
            inputs={"v": {"type": "any", "required": False}},
        ),
        group("t.a", name="g2", call_only=True),
        args=args,
    )
    [tool] = report.groups[0].tools
    assert (tool.status, home.calls("t.a")) == (status, calls)
    assert report.out == {"g1": {"x": {}} if calls else {}}
    if status == "failed":
        assert tool.error is not None
        assert (tool.error.reason, tool.attempts) == ("condition", 0)


def test_when_of_a_call_reads_the_step_before() -> None:
    """In a serial group the caller's scope has its slots."""
    home = Home()
    home.tool("t.a", {"value": 3})
    report = home.run(
        serial(
            {"tool": "t.a", "as": "n"},
            when_call("g2", "$out.n > 2", as_="x"),
            when_call("g2", "$out.n > 3", as_="y"),
            out={"n": "integer", "x": "any", "y": "any"},
        ),
        group("t.a", name="g2", call_only=True),
    )
    assert shape(report)[0] == ("ok", ["ok", "ok", "skipped"])


def test_result_travels_on_as_argument() -> None:
    """The previous step's result becomes an input of another group (§7.1)."""
    home = Home()
    home.tool("t.a", {"value": {"k": [7]}})
    home.tool("t.echo")
    echo = {"tool": "t.echo", "args": {"v": "$args.n"}, "as": "r"}
    report = home.run(
        serial(
            {"tool": "t.a", "as": "n"},
            call("g2", as_="x", n="$out.n.k[0]"),
            out={"n": "any", "x": "any"},
        ),
        group(
            echo,
            name="g2",
            call_only=True,
            out={"r": "any"},
            inputs={"n": "integer"},
        ),
    )
    assert report.out["g1"]["x"] == {"r": {"v": 7}}


def test_command_line_of_a_tool_is_quoted() -> None:
    """What a tool's schema marks is one shell word, whatever value a run is given."""
    home = Home()
    line = {"type": "string", "format": "command-line"}
    tool = home.tool("t.host", parameters={"properties": {"c": line, "n": {}}})
    home.run(
        group(
            {"tool": "t.host", "args": {"c": "ls $args.v", "n": "$args.v"}},
            inputs={"v": "string"},
        ),
        args={"v": "a; reboot"},
    )
    assert tool.calls == [{"c": "ls 'a; reboot'", "n": "a; reboot"}]


def test_group_never_sees_another_groups_slots() -> None:
    """Each group reads its own inputs, filled from the run's args alone (§7.4)."""
    home = Home()
    tool = home.tool("t.a")
    inputs: Json = {"in": {"x": {"type": "any", "default": "own"}}, "out": {"x": "any"}}
    entry = {"tool": "t.a", "args": {"v": "$args.x"}, "as": "x"}
    home.run(group(entry, **inputs), group(entry, name="g2", **inputs))
    assert list(tool.calls) == [{"v": "own"}, {"v": "own"}]


def test_partial_callee_is_success_with_warnings() -> None:
    """The run is partial, though every tool of its group is ok."""
    home = Home()
    home.tool("t.bad", fails(detail="it broke"))
    home.add("inner", group("t.bad", on_error="continue"))
    report = home.run(group(call("#inner")))
    [tool] = report.groups[0].tools
    assert (report.status, tool.status) == ("partial", "ok")
    assert "it broke" in tool.warnings[0]


def test_failed_callee_has_its_report() -> None:
    """`failed`, with the nested report; the innermost error is told in words, too."""
    home = Home()
    home.tool("t.bad", fails(detail="it broke"))
    home.add("inner", group("t.bad"))
    home.add("middle", group(call("#inner")))
    report = home.run(group(call("#middle")))
    [tool] = report.groups[0].tools
    assert tool.error is not None
    assert tool.error.reason == "failed"
    assert "it broke" in tool.error.detail
    assert tool.run is not None
    assert tool.run.groups[0].tools[0].run is not None
    assert {tool.run.run_id, tool.run.groups[0].tools[0].run.run_id} == {report.run_id}


def test_callee_that_gets_wrong_inputs_runs_nothing() -> None:
    """The callee's own preflight stops it; its report says what it lacks."""
    home = Home()
    home.tool("t.a")
    home.add("inner", group("t.a", inputs={"n": "integer"}))
    report = home.run(group(call("#inner", m=1), on_error="continue"))
    nested = report.groups[0].tools[0].run
    assert nested is not None
    assert [(each.error.field, each.error.reason) for each in nested.errors] == [
        ("m", "value"),
        ("n", "required"),
    ]
    assert home.calls("t.a") == 0


def chain(home: Home, length: int) -> RunReport:
    """Run a sequence that calls one that calls one …, and the last one `t.a`."""
    home.tool("t.a")
    home.add(f"c{length}", group("t.a"))
    for number in reversed(range(length)):
        home.add(f"c{number}", group(call(f"#c{number + 1}")))
    first = home.library.find("c0")
    assert first is not None
    return run_virtual(home.engine.run(first, {}, ANYONE))


@pytest.mark.parametrize(("length", "status"), [(0, "ok"), (4, "ok"), (5, "failed")])
def test_depth(length: int, status: str) -> None:
    """Four `#` calls within each other, not five (§8.3)."""
    home = Home()
    report = chain(home, length)
    assert report.status == status
    reasons = [each.reason for each in report.tool_errors()]
    assert ("depth" in reasons) == (status == "failed")
    assert home.calls("t.a") == (status == "ok")


def test_depth_can_be_handled() -> None:
    """`on_error` decides over it as over any failure."""
    home = Home()
    chain(home, 5)
    last = group(call("#c5"), "t.a", on_error="continue")
    home.add("c4", last)
    first = home.library.find("c0")
    assert first is not None
    report = run_virtual(home.engine.run(first, {}, ANYONE))
    assert report.status == "partial"
    assert home.calls("t.a") == 1


@pytest.mark.parametrize(
    ("length", "reasons"), [(1, set()), (30, set()), (40, {"failed", "depth"})]
)
def test_groups_of_one_sequence_count_for_no_depth(
    length: int, reasons: set[str]
) -> None:
    """A group may call a group that calls a group, as far as a report can show."""
    home = Home()
    stack: list[int] = []
    home.tool("t.a").hook = lambda: stack.append(len(inspect.stack(0)))
    inner = [
        group(call(f"n{number + 1}"), name=f"n{number}", call_only=number > 0)
        for number in range(length)
    ]
    report = home.run(*inner, group("t.a", name=f"n{length}", call_only=True))
    assert {each.reason for each in report.tool_errors()} == reasons
    assert home.calls("t.a") == (not reasons)
    assert all(depth < 400 for depth in stack)  # and Python's stack is not deep either


def test_a_group_that_calls_its_whole_sequence() -> None:
    """Called alone, it comes back to itself through the sequence."""
    home = Home()
    home.add("s", group("t.gone"))
    first = home.add("s", group(call("#s2")))
    home.add("s2", group(call("#s")))
    report = run_virtual(home.engine.run(first, {}, ANYONE, group="g1"))
    [cycle] = [each for each in report.tool_errors() if each.reason == "cycle"]
    assert cycle.detail.endswith(": #s/g1 → #s2/g1 → #s")


def test_a_cycle_through_an_edited_sequence() -> None:
    """The sequence that is being run is not entered anew under its new form."""
    home = Home()
    tool = home.tool("t.a")
    first = home.add("s", group("t.a", call("#other"), parallel=False))
    home.add("other", group(call("#s")))
    tool.hook = lambda: home.add("s", group("t.a", name="renamed"))
    report = run_virtual(home.engine.run(first, {}, ANYONE))
    assert "cycle" in [each.reason for each in report.tool_errors()]
    assert home.calls("t.a") == 1


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("#s", "#s/g1 → #other/h → #s"),
        ("#S/g1", "#s/g1 → #other/h → #s/g1"),
    ],
)
def test_cycle_closed_while_running(target: str, path: str) -> None:
    """A cycle that no save could see is an error with its path, and ends."""
    home = Home()
    home.tool("t.a")
    home.add("other", group("t.a", name="h"))
    first = home.add("s", group(call("#other/h")))
    home.add("other", group(call(target), name="h"))
    report = run_virtual(home.engine.run(first, {}, ANYONE))
    cycles = [each for each in report.tool_errors() if each.reason == "cycle"]
    assert len(cycles) == 1
    assert path in cycles[0].detail


def test_runs_finish_on_the_ast_they_started_with() -> None:
    """What is edited while a run goes on counts for the next run."""
    home = Home()
    tool = home.tool("t.a")
    home.tool("t.b")
    first = home.add(
        "s",
        group("t.a"),
        group(call("g3"), call("#s/g3"), name="g2"),
        group("t.a", name="g3"),
    )
    tool.hook = lambda: home.library.remove("s")
    report = run_virtual(home.engine.run(first, {}, ANYONE))
    assert report.status == "ok"
    assert home.calls("t.a") == 4


def test_caller_stays_the_same() -> None:
    """Nested calls have the rights and the context of whoever started the run."""
    home = Home()
    tool = home.tool("t.a")
    home.add("inner", group("t.a"))
    home.run(group(call("#inner"), "t.a"))
    assert {(each.user_id, each.entrance) for each in tool.callers} == {
        (ANYONE.user_id, ANYONE.entrance)
    }


def test_come_back_through_home_assistant_counts_in_the_same_run() -> None:
    """A script that runs the sequence again closes a cycle, and is told so."""
    home = Home()
    tool = home.tool("t.a", {"value": 1, "delay_ms": 1})
    first = home.add("s", group("t.a"))
    run_virtual(home.engine.run(first, {}, ANYONE))
    report = run_virtual(home.engine.run(first, {}, tool.callers[0]))
    assert report.status == "failed"
    assert [each.error.reason for each in report.errors] == ["cycle"]


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ({"target": "#other/h", "args": {"v": 1}}, {"r": {"v": 1}}),
        ({"target": "#other", "args": {"v": 1}}, {"h": {"r": {"v": 1}}}),
        ({"target": "#other/h", "args": '{"v": 2}'}, {"r": {"v": 2}}),
    ],
)
def test_from_outside(arguments: Json, value: Json) -> None:
    """A model gets the callee's slots; the call is a run with an id of its own."""
    home = Home()
    home.tool("t.a")
    entry = {"tool": "t.a", "args": {"v": "$args.v"}, "as": "r"}
    inputs: Json = {"in": {"v": "any"}, "out": {"r": "any"}}
    home.add("other", group(entry, name="h", **inputs))
    result = from_outside(home, "seq_call", **arguments)
    assert result.value == value
    assert [run.sequence for run in home.finished] == ["other"]


@pytest.mark.parametrize(
    ("arguments", "reason", "field"),
    [
        ({"target": "h"}, "value", "target"),
        ({"target": ""}, "value", "target"),
        ({"target": "#"}, "value", "target"),
        ({"target": "#gone"}, "not_found", "target"),
        ({"target": "#other/gone"}, "not_found", "target"),
        ({"target": "#other"}, "failed", None),
    ],
)
def test_from_outside_fails(arguments: Json, reason: str, field: str | None) -> None:
    """What cannot be called says why; a failed run is a failed call with its report."""
    home = Home()
    home.tool("t.bad", fails())
    home.add("other", group("t.bad", name="h"))
    result = from_outside(home, "seq_call", **arguments)
    assert result.error is not None
    assert (result.error.reason, result.error.field) == (reason, field)
    if reason == "failed":
        assert isinstance(result.value, dict)
        assert result.value["status"] == "failed"


@pytest.mark.parametrize(
    ("when", "success", "calls"),
    [("$args.v == 1", True, 1), ("$args.v == 2", True, 0), ("$args.w", False, 0)],
)
def test_when_from_outside_reads_the_arguments(
    when: str, success: bool, calls: int
) -> None:
    """From outside the condition is over `args`."""
    home = Home()
    home.tool("t.a")
    home.add("other", group("t.a", inputs={"v": "integer"}))
    result = from_outside(
        home, "seq_when_call", target="#other", args={"v": 1}, when=when
    )
    assert (result.success, home.calls("t.a")) == (success, calls)
    if success and not calls:
        assert "skipped" in result.text


@pytest.mark.parametrize("when", ["true", "false"])
def test_skipped_group_from_outside(when: str) -> None:
    """A call of a group whose `when` is false says that it was skipped."""
    home = Home()
    home.tool("t.a")
    home.add("other", group("t.a", name="h", when=when))
    result = from_outside(home, "seq_call", target="#other/h")
    assert result.success
    assert ("skipped" in result.text) == (when == "false")
