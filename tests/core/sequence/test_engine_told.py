"""What a report tells beside the statuses: why, how long, and of which error."""

import asyncio
from collections.abc import Sequence as Many
from dataclasses import replace

import pytest

from custom_components.homeagent.kernel.contract import (
    Caller,
    CallFacts,
    ToolCall,
    ToolDefinition,
    ToolOutput,
)
from custom_components.homeagent.kernel.function_tool import FunctionTool
from custom_components.homeagent.sequence.conditions import parse_condition
from custom_components.homeagent.sequence.ports import OpenedBatch
from custom_components.homeagent.sequence.report import (
    GroupReport,
    NotCalled,
    RunReport,
    Status,
    ToolReport,
)

from ..virtual_time import run_virtual
from .engine_home import ANYONE, Home, Json, call, fails, group, serial, tool_statuses

OPTIONAL: Json = {"in": {"v": {"type": "any", "required": False}}}
SLOW = group("t.slow", name="g3")
LOST: Json = {"tool": "t.a", "args": {"v": "$args.v"}}


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (group("t.a", when="false"), 'its "when" is false'),
        (group("t.a", call_only=True), "call_only: it runs only when it is called by"),
        (group("t.bad"), None),
    ],
)
def test_why_a_group_did_not_run(first: Json, why: str | None) -> None:
    """Its own reason, and for those behind a failure the name of what failed."""
    home = Home()
    home.tool("t.a")
    home.tool("t.bad", fails())
    told = home.run(first, group("t.a", name="g2")).groups
    if why is not None:
        assert (told[0].why or "").startswith(why)
        assert (told[1].status, told[1].why) == (Status.OK, None)
    else:
        assert told[1] == GroupReport(
            name="g2",
            status=Status.NOT_RUN,
            why="g1 failed",
            tools=(ToolReport(index=0, tool="t.a", status=Status.NOT_RUN),),
        )


def test_refused_run_says_why_no_group_ran() -> None:
    """Also of the groups that nothing speaks against."""
    home = Home()
    report = home.run(group("t.a"), args={"odd": 1})
    assert [each.why for each in report.groups] == ["the run did not start"]
    assert [run.report for run in home.finished] == [report]


def test_run_of_no_group_is_recorded_with_its_report() -> None:
    """What did not even begin stands in the history like any run."""
    home = Home()
    sequence = home.add("s", group("t.a"))
    report = run_virtual(home.engine.run(sequence, {}, ANYONE, group="gone"))
    assert report.status is Status.FAILED
    assert [run.report for run in home.finished] == [report]


def test_cancelled_run_says_so_of_each_group() -> None:
    """Of the one that ran, and of the one behind it."""
    home = Home()
    home.slow("t.slow")

    async def scene() -> RunReport:
        sequence = home.add("s", group("t.slow"), group("t.slow", name="g2"))
        task = asyncio.create_task(home.engine.run(sequence, {}, ANYONE))
        await asyncio.sleep(0.05)
        [run] = home.engine.runs
        run.cancel()
        return await task

    report = run_virtual(scene())
    assert [each.why for each in report.groups] == ["the run was cancelled"] * 2


def test_broken_run_says_that_its_group_failed() -> None:
    """A bug of ours under a group: the history must not call that group ok."""
    home = Home()
    home.tool("t.a")

    def broken(caller: Caller, calls: Many[ToolCall]) -> OpenedBatch:
        raise ZeroDivisionError

    home.engine.ports = replace(home.engine.ports, open_batch=broken)
    with pytest.raises(ZeroDivisionError):
        home.run(group("t.a"))
    [run] = home.finished
    assert run.report is not None
    assert [each.status for each in run.report.groups] == [Status.FAILED]


def test_durations_are_those_of_each_part() -> None:
    """Seconds of the part alone, wherever in the run it is."""
    home = Home()
    home.slow("t.slow")
    report = home.run(group("t.slow"), serial("t.slow", call("g3"), name="g2"), SLOW)
    assert [each.duration for each in report.groups] == pytest.approx([0.1, 0.2, 0.1])
    nested = report.groups[1].tools[1]
    assert nested.run is not None
    assert [nested.duration, nested.run.duration] == pytest.approx([0.1, 0.1])
    assert report.duration == pytest.approx(0.4)


@pytest.mark.parametrize("on_error", ["abort", "continue"])
def test_when_that_cannot_be_judged_is_an_error_of_its_group(on_error: str) -> None:
    """It belongs to no tool: it stands among the run's errors, with its group."""
    home = Home()
    home.tool("t.a")
    report = home.run(group("t.a", when="$args.v == 1", on_error=on_error, **OPTIONAL))
    [placed] = report.errors
    assert (placed.group, placed.error.reason) == ("g1", "condition")
    assert placed.error.field == "when"
    assert "$args.v" in placed.error.detail
    assert tool_statuses(report.groups[0]) == ["not_run"]


@pytest.mark.parametrize(
    ("tools", "parallel", "why"),
    [
        ([LOST], False, "there was nothing to call"),
        (["t.gone"], False, "there was nothing to call"),
        ([LOST, "t.a"], False, "one call"),
        ([LOST, "t.a", "t.a"], True, None),
    ],
)
def test_how_the_calls_were_made(
    tools: list[str | Json], parallel: bool, why: str | None
) -> None:
    """Where no tool was called, nothing was at once."""
    home = Home()
    home.tool("t.a")
    [told] = home.run(group(*tools, on_error="continue", **OPTIONAL)).groups
    assert (told.parallel, told.parallel_why) == (parallel, why)


def test_order_that_is_needed_only_for_another_attempt() -> None:
    """The report tells the last way, and why it changed."""
    home = Home()
    for name in ("t.a", "t.b"):
        home.tool(name, fails(), {"value": 1})
    tool = home.tool("t.a", fails(), {"value": 1})

    def spoil() -> None:
        tool.definition = replace(tool.definition, parallel_safe=False)

    tool.hook = spoil
    [told] = home.run(group("t.a", "t.b", on_error="retry", retries=1)).groups
    assert (told.status, told.parallel) == (Status.OK, False)
    assert told.parallel_why == "t.a is not parallel safe"


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize(
    ("timeout", "limit", "attempts"), [("1s", "1 s", 2), ("500ms", "0.5 s", 1)]
)
def test_attempt_that_there_was_no_time_for(
    parallel: bool, timeout: str, limit: str, attempts: int
) -> None:
    """The entry has a warning that says so; at the very end there is no time either."""
    home = Home()
    home.tool("t.a", fails())
    report = home.run(
        group("t.a", timeout=timeout, on_error="retry", retries=9, parallel=parallel)
    )
    [tool] = report.groups[0].tools
    assert (tool.attempts, tool.error and tool.error.reason) == (attempts, "failed")
    [warning] = tool.warnings
    assert warning == (
        f"not tried again: of the group's {limit}"
        " too little was left for another attempt"
    )


def test_place_in_the_order_that_nobody_meant() -> None:
    """What is not parallel safe by itself, or behind a call of an own group."""
    home = Home()
    home.tool("t.a", parallel_safe=False)
    home.tool("t.b")
    report = home.run(
        serial("t.a", call("g2"), call("g3")),
        group("t.a", name="g2"),
        group("t.b", name="g3"),
    )
    warning = (
        ' is not parallel safe: say "unsafe_serial": true to show that its place in'
        " the order is meant"
    )
    assert [tool.warnings for tool in report.groups[0].tools] == [
        (f"t.a{warning}",),
        (f"seq_call{warning}",),
        (),
    ]


def test_attempts_count_together() -> None:
    """The time of an entry is that of all its calls, without the pauses."""
    home = Home()
    home.tool("t.a", {**fails(), "delay_ms": 100}, {"delay_ms": 200})
    report = home.run(group("t.a", on_error="retry", retries=1))
    [tool] = report.groups[0].tools
    assert tool.attempts == 2
    assert tool.duration == pytest.approx(0.3)
    assert report.duration == pytest.approx(0.8)


def test_value_that_does_not_fit_is_told() -> None:
    """The tool failed, and the words name the slot and both types."""
    home = Home()
    home.tool("t.a", {"value": "many"})
    entry = {"tool": "t.a", "as": "n"}
    report = home.run(group(entry, out={"n": "integer"}))
    [error] = report.tool_errors()
    assert error.reason == "type"
    assert "of the type string, and the slot n takes integer" in error.detail


def test_fallback_that_does_not_fit_is_told() -> None:
    """No check saw it, as somebody changed what is stored: the tool failed."""
    home = Home()
    written = {"tool": "t.gone", "as": "n", "fallback": 1}
    saved = home.add("s", group(written, out={"n": "integer"}, missing="degrade"))
    [stored] = saved.groups
    entry = replace(stored.tools[0], fallback="many")
    changed = replace(saved, groups=(replace(stored, tools=(entry,)),))
    report = run_virtual(home.engine.run(changed, {}, ANYONE))
    [error] = report.tool_errors()
    assert error.reason == "type"
    assert tool_statuses(report.groups[0]) == ["failed"]


def test_call_that_was_not_made_is_skipped() -> None:
    """A tool that calls by name may tell so; there is no report then."""
    home = Home()
    home.tool("t.a", {"value": ToolOutput(nested=NotCalled(why="not today"))})
    report = home.run(group({"tool": "t.a", "as": "x"}, out={"x": "any"}))
    [tool] = report.groups[0].tools
    assert (tool.status, tool.run) == (Status.SKIPPED, None)
    assert report.out == {"g1": {}}
    assert report.asks == frozenset()


def test_calls_have_ids_that_tell_their_place() -> None:
    """Group, entry and attempt, in what the journal and tools see."""
    home = Home()
    home.tool("t.a", fails(), {"value": 1})
    made: list[str | None] = []
    opened = home.engine.ports.open_batch

    def noted(caller: Caller, calls: Many[ToolCall]) -> OpenedBatch:
        made.extend(each.id for each in calls)
        return opened(caller, calls)

    home.engine.ports = replace(home.engine.ports, open_batch=noted)
    home.run(group("t.a", "t.a", on_error="retry", retries=1), group("t.a", name="g2"))
    assert made == ["g1/0/1", "g1/1/1", "g1/0/2", "g2/0/1"]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"area": "hall"}, "forbidden"),
        ({"area": "attic"}, None),
        ({"floor": "first"}, "required"),
    ],
)
def test_press_is_judged_by_what_it_acts_on(args: Json, reason: str | None) -> None:
    """For the caller of the run, and for the arguments where they are right ones."""
    home = Home()
    home.buttons.append(f"button.{ANYONE.user_id}_hall")
    home.registry.tools["button.press"] = FunctionTool(
        definition=ToolDefinition(
            name="button.press", parameters={"type": "object", "required": ["area"]}
        ),
        work=lambda invocation: asyncio.sleep(0),
        judge=lambda arguments, caller: CallFacts(
            parallel_safe=True,
            keys=frozenset({f"entity:button.{caller.user_id}_{arguments['area']}"}),
        ),
    )
    report = home.run(group({"tool": "button.press", "args": args}))
    assert [each.reason for each in report.tool_errors()] == (
        [reason] if reason else []
    )


def test_which_group_a_run_is_in() -> None:
    """The run's own group, also while that group calls others."""
    home = Home()
    seen: list[str | None] = []
    tool = home.tool("t.a")
    tool.hook = lambda: seen.extend(run.group for run in home.engine.runs)
    home.run(group("t.a"), group(call("g3"), name="g2"), group("t.a", name="g3"))
    assert seen == ["g1", "g2", "g3"]


def test_calls_within_calls_take_no_time() -> None:
    """However deep a group is called, nothing waits but tools."""
    home = Home()
    home.tool("t.a")
    inner = [
        group(call(f"n{number + 1}"), name=f"n{number}", call_only=number > 0)
        for number in range(30)
    ]
    assert home.run(*inner, group("t.a", name="n30", call_only=True)).duration == 0


def test_call_whose_when_is_false_says_so_from_outside() -> None:
    """In words, and as what it is."""
    home = Home()
    home.add("s", group("t.a"))
    output = run_virtual(
        home.engine.call_target(ANYONE, "#s", {}, when=parse_condition("false"))
    )
    why = 'its "when" is false'
    assert output == ToolOutput(text=f"skipped: {why}", nested=NotCalled(why=why))


def test_failed_call_inside_of_a_run_has_no_value() -> None:
    """Its report is nested in the caller's, and told once."""
    home = Home()
    home.tool("t.bad", fails())
    home.add("bad", group("t.bad"))
    outputs: list[object] = []

    async def script(caller: Caller) -> None:
        outputs.append(await home.engine.call_target(caller, "#bad", {}))

    home.tool("t.script").inner = script
    home.run(group("t.script"))
    [output] = outputs
    assert isinstance(output, ToolOutput)
    assert output.value is None
    assert isinstance(output.nested, RunReport)
    assert output.nested.status is Status.FAILED
