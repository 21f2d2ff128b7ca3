"""What the program that this design comes from got wrong, done right here."""

from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.sequence.document import read_sequence
from custom_components.homeagent.sequence.report import RunReport, Status

from .engine_home import Home, call, group, serial


def reasons(report: RunReport) -> list[Reason]:
    """Return why the run's parts failed."""
    return [error.reason for error in report.tool_errors()]


def test_a_group_has_a_time_limit() -> None:
    """It had none: a tool that hung, hung the run for good."""
    home = Home()
    home.tool("t.hangs", {"hang": True})
    report = home.run(group("t.hangs", timeout="2s"))
    assert (report.status, reasons(report)) == (Status.FAILED, [Reason.TIMEOUT])
    assert report.duration == 2


def test_failed_tools_are_tried_again() -> None:
    """`on_error: retry` was read and ignored."""
    home = Home()
    home.tool("t.a", {"error": {"reason": "failed"}}, {"value": 1})
    report = home.run(group("t.a", on_error="retry", retries=2))
    assert (report.status, home.calls("t.a")) == (Status.OK, 2)


def test_references_in_nested_arguments() -> None:
    """Only texts at the top were looked at."""
    home = Home()
    tool = home.tool("t.a")
    entry = {"tool": "t.a", "args": {"deep": [{"x": "$args.v"}, ["$args.v.k[0]"]]}}
    home.run(group(entry, inputs={"v": "object"}), args={"v": {"k": [7]}})
    assert tool.calls == [{"deep": [{"x": {"k": [7]}}, [7]]}]


def test_a_call_by_name_runs_the_other_sequence() -> None:
    """`#name` was accepted and ran nothing."""
    home = Home()
    home.tool("t.a", {"value": "done"})
    home.add("other", group({"tool": "t.a", "as": "x"}, out={"x": "string"}))
    report = home.run(group(call("#other", as_="r"), out={"r": "object"}))
    assert home.calls("t.a") == 1
    assert report.out == {"g1": {"r": {"g1": {"x": "done"}}}}


def test_outputs_of_other_groups_do_not_leak_in() -> None:
    """Every group could read what any earlier one had written."""
    home = Home()
    home.tool("t.a", {"value": "secret"})
    writes = group({"tool": "t.a", "as": "x"}, out={"x": "string"})
    reads = serial({"tool": "t.a", "args": {"v": "$out.x"}}, name="g2")
    parsed = read_sequence({"name": "s", "groups": [writes, reads]})
    assert [problem.code for problem in parsed.errors] == ["out_undeclared"]
    seen = home.tool("t.b")
    whole = group({"tool": "t.b", "args": {"v": "$args"}}, name="g2")
    home.run(writes, whole)
    assert seen.calls == [{"v": {}}]


def test_every_tool_of_a_run_is_authorized() -> None:
    """The gate was not asked for what a sequence called."""
    home = Home()
    home.tool("t.secret")
    home.tool("t.a")
    home.policy.refused.add("t.secret")
    inner = group("t.secret")
    home.add("inner", inner)
    for groups in ([inner], [group(call("#inner"))]):
        report = home.run(group("t.a", name="g0"), *groups)
        assert report.status is Status.FAILED
        assert Reason.UNAUTHORIZED in reasons(report)
    assert home.calls("t.secret") == 0
