"""The report's JSON and its words (page 2 §2.4)."""

from dataclasses import fields, replace
import json

import pytest

from custom_components.homeagent.kernel.contract import Agreed, Caller, Entrance
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.outputs import run_output
from custom_components.homeagent.sequence.report import (
    GroupReport,
    RunReport,
    Status,
    ToolReport,
)
from custom_components.homeagent.sequence.runs import Run
from custom_components.homeagent.sequence.scope import Place, RunScope, acting_in

from .engine_home import Home, call, fails, group, serial


def example() -> Home:
    """Return a home in which one tool of two fails."""
    home = Home()
    home.tool("t.a", {"value": 1})
    home.tool("t.b", fails(detail="it broke", hint="Mend it."))
    return home


def test_json_is_that_of_the_page() -> None:
    """Every key, in the order of the page."""
    report = example().run(
        group({"tool": "t.a", "as": "x"}, "t.b", out={"x": "any"}, on_error="continue")
    )
    told = report.as_dict()
    text = told.pop("text")
    assert isinstance(text, str)
    assert json.dumps(told) == json.dumps(
        {
            "run_id": "run-1",
            "sequence": "s",
            "status": "partial",
            "success": True,
            "duration": 0.0,
            "errors": [],
            "groups": [
                {
                    "name": "g1",
                    "status": "partial",
                    "why": None,
                    "parallel": True,
                    "parallel_why": None,
                    "duration": 0.0,
                    "tools": [
                        {
                            "index": 0,
                            "tool": "t.a",
                            "status": "ok",
                            "error": None,
                            "warnings": [],
                            "attempts": 1,
                            "duration": 0.0,
                            "run": None,
                        },
                        {
                            "index": 1,
                            "tool": "t.b",
                            "status": "failed",
                            "error": {
                                "reason": "failed",
                                "field": None,
                                "detail": "it broke",
                                "hint": "Mend it.",
                            },
                            "warnings": [],
                            "attempts": 1,
                            "duration": 0.0,
                            "run": None,
                        },
                    ],
                }
            ],
            "out": {"g1": {"x": 1}},
        }
    )


def test_errors_without_a_tool_have_their_group() -> None:
    """What belongs to the run alone has none."""
    told = example().run(group("t.a", inputs={"v": "any"}), args={"w": 1}).as_dict()
    errors = told["errors"]
    assert isinstance(errors, list)
    assert [each.get("group") for each in errors] == [None, "g1"]
    assert list(errors[1]) == ["reason", "field", "detail", "hint", "group"]


def test_json_of_what_is_seldom_there() -> None:
    """Why a group is as it is; what still runs; errors beside the first one."""
    also = ToolError(reason=Reason.TYPE, field="n", detail="too", hint="less")
    error = ToolError(
        reason=Reason.TIMEOUT,
        field="v",
        detail="slow",
        hint="Wait.",
        still_running=True,
        also=(also,),
    )
    tool = ToolReport(index=0, tool="t.a", status=Status.FAILED, error=error)
    group_report = GroupReport(
        name="g1",
        status=Status.FAILED,
        why="it broke",
        parallel=False,
        parallel_why="one call",
        duration=0.12345678,
        tools=(tool,),
    )
    report = RunReport(
        run_id="1", sequence="s", status=Status.FAILED, groups=(group_report,)
    )
    [told] = json.loads(json.dumps(report.as_dict()))["groups"]
    assert (told["why"], told["parallel_why"]) == ("it broke", "one call")
    assert told["duration"] == 0.123457
    assert told["tools"][0]["error"] == {
        "reason": "timeout",
        "field": "v",
        "detail": "slow",
        "hint": "Wait.",
        "still_running": True,
        "also": [{"reason": "type", "field": "n", "detail": "too", "hint": "less"}],
    }


@pytest.mark.parametrize(
    ("status", "detail"),
    [
        (Status.OK, None),
        (Status.PARTIAL, None),
        (Status.FAILED, "#s is failed"),
        (Status.CANCELLED, "#s was cancelled"),
    ],
)
def test_run_as_the_outcome_of_a_call(status: Status, detail: str | None) -> None:
    """The report is the value and nested, its words are the text; failed is failed."""
    report = RunReport(run_id="1", sequence="s", status=status)
    output = run_output(report)
    assert output.value == report.as_dict()
    assert (output.text, output.nested) == (report.text, report)
    if detail is None:
        assert output.error is None
    else:
        assert output.error == ToolError(
            reason=Reason.FAILED,
            detail=detail,
            hint="The report names what ran, what failed and what was not run.",
        )


def test_nested_report_has_the_same_form() -> None:
    """A call by name holds the whole report of its callee."""
    home = example()
    home.add("inner", group("t.a"))
    told = json.loads(json.dumps(home.run(group(call("#inner"))).as_dict()))
    nested = told["groups"][0]["tools"][0]["run"]
    assert list(nested) == list(told)
    assert nested["sequence"] == "inner"


def test_durations_are_seconds() -> None:
    """Of each call, of the group, of the run."""
    home = Home()
    home.tool("t.a", {"delay_ms": 100})
    told = json.loads(json.dumps(home.run(serial("t.a", "t.a")).as_dict()))
    [one] = told["groups"]
    assert [each["duration"] for each in one["tools"]] == [0.1, 0.1]
    assert (one["duration"], told["duration"]) == (0.2, 0.2)


def test_words_name_all_that_is_amiss() -> None:
    """Whatever is not plainly ok stands in the text, with the values at the end."""
    home = example()
    home.add("inner", group("t.b", on_error="continue"))
    report = home.run(
        group({"tool": "t.a", "as": "x"}, "t.gone", out={"x": "any"}, missing="skip"),
        group("t.a", name="g2", when="false"),
        group(call("#inner"), name="g3"),
        serial("t.a", "t.b", "t.a", name="g4"),
        group("t.a", name="g5"),
    )
    for words in (
        "s: failed",
        "g1: partial",
        "1 t.gone: missing",
        "g2: skipped",
        "0 seq_call: warning",
        "0 t.b: failed: failed: it broke. Mend it",
        "1 t.b: failed",
        "2 t.a: not_run",
        "g5: not_run (g4 failed)",
        'out: {"g1":{"x":1},',
    ):
        assert words in report.text, words


def test_words_of_a_good_run_are_few() -> None:
    """A line for the run, one for each group, one for the values."""
    home = example()
    report = home.run(group({"tool": "t.a", "as": "x"}, out={"x": "any"}))
    assert report.text.splitlines() == [
        "s: ok in 0 s",
        "g1: ok, 1 tool",
        'out: {"g1":{"x":1}}',
    ]


def test_words_of_durations() -> None:
    """Hundredths of a second are enough for people."""
    report = RunReport(run_id="1", sequence="s", status=Status.OK, duration=1.2345)
    assert report.text == "s: ok in 1.2 s"


def test_json_is_json_whatever_tools_say() -> None:
    """Half surrogate pairs are none; the values are nobody else's."""
    home = Home()
    home.tool("t.a", {"value": {"list": [1]}})
    home.tool("t.b", fails(detail="half \ud83d", hint="half \ude00"))
    report = home.run(
        group({"tool": "t.a", "as": "x"}, "t.b", out={"x": "any"}, on_error="continue")
    )
    told = report.as_dict()
    json.dumps(told, ensure_ascii=False).encode()
    assert told["out"] == report.out
    value, again = run_output(report).value, run_output(report).value
    assert value == again == told
    value["out"]["g1"]["x"]["list"].append(2)
    assert again == told == report.as_dict()


def test_caller_inside_a_run_is_the_same_one() -> None:
    """Nothing of a caller is lost on the way in but the run it came from."""
    caller = Caller(
        entrance=Entrance.CONVERSATION,
        user_id="user",
        device_id="device",
        area_id="area",
        context="context",
        run="before",
        agreed=frozenset({Agreed(tool="t", arguments=None)}),
    )
    sequence = Home().add("s", group("t.a"))
    place = Place(sequence=sequence)
    scope = RunScope(
        run=Run(id="1", sequence="s", caller=caller, started=0.0), place=place
    )
    assert all(getattr(caller, each.name) for each in fields(caller))
    assert acting_in(caller, scope) == replace(caller, run=scope)
