"""Order, overlap, attempts, time limits and cancellation of runs (page 2 §2.4)."""

from collections.abc import Callable

import pytest

from custom_components.homeagent.kernel.errors import Reason

from .engine_home import (
    ECHO,
    Home,
    Json,
    call,
    fails,
    group,
    serial,
    shape,
    tool_statuses,
)

RETRY: Json = {"on_error": "retry", "retries": 2}


def test_parallel_group_overlaps() -> None:
    """Three safe tools run at the same time; slots are in the order of the tools."""
    home = Home()
    home.tool("t.a", {"delay_ms": 300, "value": "A"})
    home.tool("t.b", {"delay_ms": 200, "value": "B"})
    home.tool("t.c", {"delay_ms": 100, "value": "C"})
    entries = [{"tool": f"t.{each}", "as": "x"} for each in "abc"]
    report = home.run(group(*entries, out={"x": "array"}))
    assert home.most_at_once == 3
    assert [name for what, name, _ in home.log if what == "end"] == [
        "t.c",
        "t.b",
        "t.a",
    ]
    assert report.out == {"g1": {"x": ["A", "B", "C"]}}
    assert (report.groups[0].parallel, report.groups[0].parallel_why) == (True, None)


def test_declared_serial_group_goes_in_order() -> None:
    """Safe tools of a serial group never overlap."""
    home = Home()
    home.slow("t.a", "t.b")
    report = home.run(serial("t.a", "t.b"))
    assert home.most_at_once == 1
    assert home.started_order == ["t.a", "t.b"]
    assert report.groups[0].parallel is False
    assert report.groups[0].parallel_why == "the group is declared serial"


def unsafe_now(home: Home) -> None:
    home.slow("t.b", parallel_safe=False)


def same_key(home: Home) -> None:
    for name in ("t.a", "t.b"):
        home.tool(name, ECHO, keys=lambda arguments: frozenset({"entity:light.a"}))


def unknown_key(home: Home) -> None:
    home.tool("t.b", ECHO, keys=lambda arguments: None)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (unsafe_now, "t.b is not parallel safe"),
        (same_key, "two calls act on entity:light.a"),
        (unknown_key, "what t.b acts on is not known beforehand"),
    ],
)
def test_degraded_group_goes_in_order(spoil: Callable[[Home], None], why: str) -> None:
    """What the batch rule forbids at run time goes in order; the report says why."""
    home = Home()
    home.slow("t.a", "t.b", "t.c")
    spoil(home)
    report = home.run(group("t.a", "t.b", "t.c"))
    assert home.most_at_once == 1
    assert home.started_order == ["t.a", "t.b", "t.c"]
    assert report.groups[0].parallel is False
    assert report.groups[0].parallel_why == why


def test_degraded_group_stops_at_a_failure() -> None:
    """In order means: abort stops there, and arrays keep the tools' places."""
    home = Home()
    home.tool("t.a", {"value": "A"}, parallel_safe=False)
    home.tool("t.bad", fails())
    entry = {"tool": "t.a", "as": "x"}
    report = home.run(group(entry, "t.bad", entry, out={"x": "array"}))
    assert shape(report) == [("failed", ["ok", "failed", "not_run"])]
    assert report.out == {"g1": {"x": ["A"]}}


def test_degraded_group_looks_at_each_entry_in_its_turn() -> None:
    """What could not even be called stands behind the failure that stopped the group."""
    home = Home()
    home.tool("t.a")
    home.tool("t.bad", fails(), parallel_safe=False)
    lost = {"tool": "t.a", "args": {"v": "$args.v"}}
    inputs: Json = {"v": {"type": "any", "required": False}}
    report = home.run(group("t.a", "t.bad", lost, inputs=inputs))
    assert tool_statuses(report.groups[0]) == ["ok", "failed", "not_run"]
    assert [tool.error is None for tool in report.groups[0].tools] == [
        True,
        False,
        True,
    ]


def test_missing_tool_makes_nobody_wait() -> None:
    """A tool that does not exist does not make a group serial (page 2 §2.4)."""
    home = Home()
    home.slow("t.a", "t.b")
    report = home.run(group("t.a", "t.gone", "t.b", on_error="continue"))
    assert home.most_at_once == 2
    assert report.groups[0].parallel is True
    assert tool_statuses(report.groups[0]) == ["ok", "failed", "ok"]


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("says", [True, False])
def test_unsafe_tool_in_order_is_a_warning(parallel: bool, says: bool) -> None:
    """A missing `unsafe_serial` is a warning at run time, on that tool only."""
    home = Home()
    home.tool("t.a", parallel_safe=False)
    home.tool("t.b")
    entry = {"tool": "t.a", "unsafe_serial": says}
    report = home.run(group(entry, "t.b", parallel=parallel))
    warned = [len(tool.warnings) for tool in report.groups[0].tools]
    assert warned == [0 if says else 1, 0]
    assert report.status == "ok"


def test_unsafe_through_a_call_is_a_warning() -> None:
    """A call by name is as safe as all that it reaches."""
    home = Home()
    home.tool("t.a", parallel_safe=False)
    home.add("inner", group("t.a"))
    report = home.run(serial(call("#inner"), call("g2")), group("t.gone", name="g2"))
    assert [len(tool.warnings) for tool in report.groups[0].tools] == [1, 0]


def test_one_unsafe_tool_alone_needs_no_word() -> None:
    """A group of one has no order."""
    home = Home()
    home.tool("t.a", parallel_safe=False)
    assert home.run(serial("t.a")).groups[0].tools[0].warnings == ()


def test_retry_waits_longer_each_time_and_calls_the_failed_only() -> None:
    """0.5 s, 1 s, 2 s; what is done is not done again."""
    home = Home()
    home.tool("t.a", {"value": 1})
    home.tool("t.b", fails())
    report = home.run(group("t.a", "t.b", on_error="retry", retries=3))
    assert home.start_times == [0, 0, 0.5, 1.5, 3.5]
    assert [tool.attempts for tool in report.groups[0].tools] == [1, 4]
    assert report.status == "failed"


def test_retry_in_order_happens_in_place() -> None:
    """The next entry waits until the one before it is through with its attempts."""
    home = Home()
    home.tool("t.a", fails(), {"value": 1})
    home.tool("t.b")
    report = home.run(
        serial(
            {"tool": "t.a", "as": "x"},
            {"tool": "t.b", "args": {"v": "$out.x"}, "as": "y"},
            out={"x": "any", "y": "any"},
            **RETRY,
        )
    )
    assert home.started_order == ["t.a", "t.a", "t.b"]
    assert report.out == {"g1": {"x": 1, "y": {"v": 1}}}


@pytest.mark.parametrize("reason", list(Reason))
@pytest.mark.parametrize("parallel", [True, False])
def test_reasons_that_are_retried(reason: Reason, parallel: bool) -> None:
    """Only what another attempt may mend is tried again."""
    home = Home()
    home.tool("t.a", fails(reason))
    home.run(group("t.a", parallel=parallel, **RETRY))
    mendable = {"failed", "timeout", "unavailable", "busy"}
    assert home.calls("t.a") == (3 if reason in mendable else 1)


def test_what_still_runs_is_not_tried_again() -> None:
    """A second "open the valve" must not meet the first."""
    home = Home()
    home.tool("t.a", {"hang": True}, cancellable=False, timeout=1)
    report = home.run(group("t.a", **RETRY))
    [tool] = report.groups[0].tools
    assert (tool.attempts, tool.status) == (1, "failed")
    assert tool.error is not None
    assert (tool.error.reason, tool.error.still_running) == ("timeout", True)


def test_what_still_runs_inside_a_callee_is_not_tried_again() -> None:
    """The call by name ends, what it started does not."""
    home = Home()
    home.tool("t.a", {"hang": True}, cancellable=False, timeout=1)
    home.add("inner", group("t.a"))
    report = home.run(group(call("#inner"), **RETRY))
    [tool] = report.groups[0].tools
    assert (tool.attempts, tool.status) == (1, "failed")
    assert tool.run is not None
    assert shape(tool.run) == [("failed", ["failed"])]


def test_no_attempt_beyond_the_time() -> None:
    """Retries end inside the group's time, and the report says that they did."""
    home = Home()
    home.tool("t.a", fails())
    report = home.run(group("t.a", timeout="1s", on_error="retry", retries=9))
    assert home.start_times == [0, 0.5]
    assert "1 s" in report.groups[0].tools[0].warnings[0]
    assert report.duration < 1


def test_time_is_over_everything_in_order() -> None:
    """The third entry finds no time left, and is not called."""
    home = Home()
    home.slow("t.a", "t.b", "t.c", delay_ms=400)
    report = home.run(
        serial("t.a", "t.b", "t.c", "t.a", timeout="700ms", on_error="continue")
    )
    assert tool_statuses(report.groups[0]) == ["ok", "failed", "failed", "failed"]
    assert [tool.attempts for tool in report.groups[0].tools] == [1, 1, 0, 0]
    assert {each.reason for each in report.tool_errors()} == {Reason.TIMEOUT}
    assert report.duration == pytest.approx(0.7)


def test_time_is_over_everything_at_once() -> None:
    """At the end of the time what runs is ended, what is done stays done."""
    home = Home()
    home.tool("t.a", {"hang": True})
    home.tool("t.b", {"value": 1})
    entries = [{"tool": "t.a", "as": "x"}, {"tool": "t.b", "as": "y"}]
    report = home.run(group(*entries, out={"x": "any", "y": "any"}, timeout="3s"))
    assert tool_statuses(report.groups[0]) == ["failed", "ok"]
    assert report.out == {"g1": {"y": 1}}
    assert report.duration == pytest.approx(3)


def test_time_of_a_callee_counts_against_the_caller() -> None:
    """The caller's time ends the callee, however long that one could go on."""
    home = Home()
    home.tool("t.a", {"hang": True})
    report = home.run(
        group(call("g2"), timeout="2s"),
        group("t.a", name="g2", timeout="1h", call_only=True),
    )
    assert report.duration == pytest.approx(2)
    [tool] = report.groups[0].tools
    assert tool.error is not None
    assert (tool.status, tool.error.reason) == ("failed", "timeout")
    assert tool.run is not None
    assert shape(tool.run) == [("cancelled", ["cancelled"])]
