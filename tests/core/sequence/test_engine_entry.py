"""How a run is begun: by which name, with which group, and who is told of it."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.conditions import evaluate, parse_condition
from custom_components.homeagent.sequence.engine import Engine
from custom_components.homeagent.sequence.report import RunReport, Status
from custom_components.homeagent.sequence.runs import Run
from custom_components.homeagent.sequence.values import Scope

from ..virtual_time import run_virtual
from .engine_home import ANYONE, Home, call, group


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("s", ("s", None)),
        (" S ", ("s", None)),
        ("#s", ("s", None)),
        (" #s/g2", ("s", "g2")),
        ("gone", Reason.NOT_FOUND),
        ("#s/gone", Reason.NOT_FOUND),
        ("#", Reason.VALUE),
        ("s/g2", ("s", "g2")),
    ],
)
def test_names(name: str, found: object) -> None:
    """The name of a sequence, with and without its sign, or of one of its groups."""
    home = Home()
    home.tool("t.a")
    home.add("s", group("t.a"), group("t.a", name="g2"))
    callee = home.engine.find(name)
    if isinstance(callee, ToolError):
        assert callee.reason is found
    else:
        inner = None if callee.group is None else callee.group.name
        assert (callee.sequence.name, inner) == found


async def _run_group(home: Home, name: str) -> RunReport:
    sequence = home.add("s", group("t.a"), group("t.b", name="g2"))
    return await home.engine.run(sequence, {}, ANYONE, group=name)


def test_one_group_of_a_sequence() -> None:
    """Only that group is run, and only it is reported."""
    home = Home()
    home.tool("t.a")
    home.tool("t.b")
    report = run_virtual(_run_group(home, "g2"))
    assert [one.name for one in report.groups] == ["g2"]
    assert (home.calls("t.a"), home.calls("t.b")) == (0, 1)
    assert report.group == "g2"


def test_group_that_there_is_not() -> None:
    """Nothing runs, and the error names what there is."""
    home = Home()
    home.tool("t.a")
    home.tool("t.b")
    report = run_virtual(_run_group(home, "g3"))
    (error,) = report.tool_errors()
    assert (report.status, error.reason) == (Status.FAILED, Reason.NOT_FOUND)
    assert "g3" in error.detail
    assert "g1, g2" in error.hint
    assert home.calls("t.a") == 0


def test_who_is_told_of_a_run() -> None:
    """Both at its beginning and at its end, with all that the history keeps."""
    home = Home()
    home.tool("t.a")
    told: list[tuple[str, Any]] = []

    def begun(run: Run) -> None:
        told.append(("begun", (run.caller, dict(run.args), run.started, run.report)))

    def finished(run: Run) -> None:
        told.append(("finished", run.report and run.report.status))

    home.engine = Engine(home.engine.ports, begun=begun, finished=finished)
    report = home.run(group("t.a", inputs={"v": "any"}), args={"v": 1})
    assert told == [("begun", (ANYONE, {"v": 1}, 0.0, None)), ("finished", Status.OK)]
    assert home.engine.runs.get(report.run_id) is not None


def test_caller_in_a_run_of_another_kind() -> None:
    """What others keep in a caller is no run of ours."""
    home = Home()
    home.tool("t.a")
    sequence = home.add("s", group("t.a"))
    caller = replace(ANYONE, run="elsewhere")
    assert run_virtual(home.engine.run(sequence, {}, caller)).status is Status.OK


def test_eleventh_run_is_told_why() -> None:
    """The words of busy, to the letter."""

    async def scene() -> ToolError:
        home = Home()
        home.tool("t.a", {"delay_ms": 1000})
        sequence = home.add("s", group("t.a"))
        runs = [
            asyncio.ensure_future(home.engine.run(sequence, {}, ANYONE))
            for _ in range(11)
        ]
        await asyncio.wait(runs)
        errors = [error for run in runs for error in run.result().tool_errors()]
        (busy,) = errors
        return busy

    assert run_virtual(scene()).as_dict() == {
        "reason": "busy",
        "detail": "#s runs 10 times already",
        "hint": "Wait until one of its runs has ended, or cancel one.",
    }


def test_failed_call_inside_and_outside() -> None:
    """Inside a run its report is nested; outside it is the value."""
    home = Home()
    home.tool("t.a", {"error": {"reason": "failed"}})
    home.add("inner", group("t.a"))
    report = home.run(group(call("#inner")))
    (tool,) = report.groups[0].tools
    assert tool.run is not None
    assert tool.run.status is Status.FAILED


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("$args.a == 1 || $args.gone == 1", True),
        ("$args.a == 2 || $args.b == 2", True),
        ("$args.a <= 2", True),
        ("$args.a <= 1", True),
        ("$args.a <= 0", False),
        ("$args.a >= 0", True),
        ("$args.a >= 1", True),
        ("$args.a >= 2", False),
        ("$args.a < 1", False),
        ("$args.a > 1", False),
        ('$args.t <= "b"', True),
        ('$args.t < "b"', False),
        ('$args.t > "b"', False),
        ('$args.t >= "c"', False),
    ],
)
def test_conditions_at_their_edges(text: str, holds: bool) -> None:
    """Both sides of every order, and what `||` does not look at."""
    scope = Scope(args={"a": 1, "b": 2, "t": "b"})
    assert evaluate(parse_condition(text), scope) is holds
