"""What is looked at before the first tool runs (page 2 §2.4)."""

from dataclasses import replace

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Decision,
    Tool,
    ToolOutput,
    Verdict,
)
from custom_components.homeagent.sequence.outputs import call_output, masked_output
from custom_components.homeagent.sequence.report import RunReport

from .engine_home import Home, Json, call, group, serial, shape

NEEDS: Json = {
    "in": {
        "host": "string",
        "count": "integer",
        "deep": {"type": "boolean", "default": True},
        "mode": {"type": "string", "enum": ["fast", "slow"], "required": False},
        "anything": {"type": "any", "required": False},
    }
}


def echo(*keys: str) -> Json:
    """Write an entry that passes inputs on."""
    args = {key: f"$args.{key}" for key in keys}
    return {"tool": "t.a", "args": args, "as": "x"}


def ran(*groups: Json, args: Json) -> tuple[RunReport, list[Arguments]]:
    """Run groups with one tool; return the report, and what the tool got."""
    home = Home()
    tool = home.tool("t.a")
    return home.run(*groups, args=args), tool.calls


def problems(report: RunReport) -> list[tuple[str | None, str | None, str]]:
    """Return group, field and reason of each error of the run."""
    return [
        (each.group, each.error.field, each.error.reason.value)
        for each in report.errors
    ]


@pytest.mark.parametrize(
    ("args", "got"),
    [
        ({"host": "a", "count": 3}, {"host": "a", "count": 3, "deep": True}),
        ({"host": "a", "count": "3"}, {"host": "a", "count": 3, "deep": True}),
        ({"host": 7, "count": 3.0}, {"host": "7", "count": 3, "deep": True}),
        (
            {"host": "", "count": 3, "deep": "off"},
            {"host": "", "count": 3, "deep": False},
        ),
        (
            {"host": "a", "count": 3, "deep": None},
            {"host": "a", "count": 3, "deep": True},
        ),
    ],
)
def test_inputs_are_coerced_and_completed(args: Json, got: Json) -> None:
    """The kernel's leniency and the defaults make what the group reads."""
    report, calls = ran(
        group(echo("host", "count", "deep"), out={"x": "any"}, **NEEDS), args=args
    )
    assert report.status == "ok"
    assert calls == [got]
    assert [type(each) for each in calls[0].values()] == [str, int, bool]


@pytest.mark.parametrize(
    ("args", "wrong"),
    [
        ({}, [("g1", "host", "required"), ("g1", "count", "required")]),
        ({"host": None, "count": 1}, [("g1", "host", "required")]),
        ({"host": "a", "count": "three"}, [("g1", "count", "type")]),
        ({"host": "a", "count": True}, [("g1", "count", "type")]),
        ({"host": ["a", "b"], "count": 1}, [("g1", "host", "type")]),
        ({"host": "a", "count": 1, "mode": "odd"}, [("g1", "mode", "value")]),
        ({"host": "a", "count": 1, "hots": 1}, [(None, "hots", "value")]),
        (
            {"hots": 1, "count": "x"},
            [
                (None, "hots", "value"),
                ("g1", "host", "required"),
                ("g1", "count", "type"),
            ],
        ),
    ],
)
def test_everything_wrong_is_told_together(
    args: Json, wrong: list[tuple[str | None, str, str]]
) -> None:
    """Nothing has run, every group is `not_run`, `out` is empty."""
    report, calls = ran(
        group("t.a", name="g0"),
        group(echo("host"), out={"x": "any"}, **NEEDS),
        args=args,
    )
    assert problems(report) == wrong
    assert calls == []
    assert report.status == "failed"
    assert shape(report) == [("not_run", ["not_run"])] * 2
    assert report.out == {}


@pytest.mark.parametrize("mode", ["fast", "slow"])
def test_what_an_enum_allows_is_taken(mode: str) -> None:
    """Each of its values."""
    args = {"host": "a", "count": 1, "mode": mode}
    report, calls = ran(group(echo("mode"), out={"x": "any"}, **NEEDS), args=args)
    assert report.status == "ok"
    assert calls == [{"mode": mode}]


def test_unknown_input_names_the_near_one() -> None:
    """One retry can mend it."""
    report, _ = ran(group(echo("host"), out={"x": "any"}, **NEEDS), args={"hots": 1})
    assert "host" in report.errors[0].error.hint


def test_all_groups_but_call_only_ones_need_their_inputs() -> None:
    """Whatever their `when`: a run must not stop half-way for want of an input."""
    needs: Json = {"in": {"v": "any"}}
    report, _ = ran(
        group("t.a", when="false", **needs),
        group("t.a", name="g2", call_only=True, **needs),
        group("t.a", name="g3", **needs),
        args={},
    )
    assert [(each.group, each.error.reason) for each in report.errors] == [
        ("g1", "required"),
        ("g3", "required"),
    ]


def test_input_of_a_call_only_group_is_unknown_to_the_run() -> None:
    """Nobody would read it."""
    report, _ = ran(
        group("t.a"),
        group("t.a", name="g2", call_only=True, inputs={"v": "any"}),
        args={"v": 1},
    )
    assert problems(report) == [(None, "v", "value")]


def test_each_group_types_a_shared_input_by_itself() -> None:
    """One key, two declarations: each group reads its own."""
    report, calls = ran(
        group(echo("v"), out={"x": "any"}, inputs={"v": "string"}),
        group(echo("v"), name="g2", out={"x": "any"}, inputs={"v": "integer"}),
        args={"v": "3"},
    )
    assert report.status == "ok"
    assert calls == [{"v": "3"}, {"v": 3}]


@given(
    st.dictionaries(
        st.text(max_size=5) | st.sampled_from(["host", "count", "deep", "mode"]),
        st.recursive(
            st.none()
            | st.booleans()
            | st.floats()
            | st.integers()
            | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text(max_size=3), inner, max_size=3)
            ),
            max_leaves=6,
        ),
        max_size=4,
    )
)
def test_any_arguments_give_a_report(args: Json) -> None:
    """Either the tool gets what its schema says, or the report says what is wrong."""
    report, calls = ran(
        group(echo("host", "count"), out={"x": "any"}, **NEEDS), args=args
    )
    assert (report.status == "ok") == (not report.errors) == (len(calls) == 1)
    if calls:
        assert [type(each) for each in calls[0].values()] == [str, int]


E_INPUT: Json = {"in": {"e": {"type": "string", "default": "light.a"}}}
LIGHT: Json = {"tool": "light.on", "args": {"entity_id": "$args.e"}}


WHEN_N: Json = {
    "tool": "seq_when_call",
    "args": {"target": "#inner", "args": {}, "when": "$out.n == 1"},
}


@pytest.mark.parametrize(
    ("groups", "refused"),
    [
        ([group("t.a"), group("t.no", name="g2")], ["g2"]),
        ([group("t.a"), group(LIGHT, name="g2", **E_INPUT)], ["g2"]),
        ([group(LIGHT, when='$args.e == "light.b"', **E_INPUT)], []),
        ([group("t.no", when="false")], []),
        ([group("t.no", call_only=True), group("t.a", name="g2")], []),
        ([group("t.no", call_only=True), group(call("g1"), name="g2")], ["g2"]),
        ([group(call("#inner"))], ["g1"]),
        ([serial({"tool": "t.a", "as": "n"}, WHEN_N, out={"n": "any"})], []),
        ([group("t.no", on_error="continue"), group("t.no", name="g2")], ["g1", "g2"]),
    ],
)
def test_what_access_would_surely_refuse(
    groups: list[Json], refused: list[str]
) -> None:
    """It is told before anything ran; what a condition prevents is no matter."""
    home = Home()
    tool = home.tool("t.a")
    home.tool("t.no")
    home.tool("light.on")
    home.add("inner", group("t.no"))
    home.policy.refused.add("t.no")
    home.policy.refused_with = lambda name, arguments: (
        arguments.get("entity_id") == "light.a"
    )
    report = home.run(*groups)
    assert [each.group for each in report.errors] == refused
    assert {each.error.reason for each in report.errors} <= {"unauthorized"}
    assert not (refused and tool.calls)


def test_what_is_always_allowed_is_not_judged_ahead() -> None:
    """What a call by name reaches is, even where the calling tool itself is granted."""
    judged: list[tuple[str, Arguments | None]] = []
    home = Home()
    home.tool("t.a")
    home.tool("t.no")
    home.add("inner", group("t.a", "t.no"))

    def can_use(caller: Caller, tool: Tool, arguments: Arguments | None) -> Decision:
        name = tool.definition.name
        judged.append((name, arguments))
        if name == "t.no":
            return Decision(verdict=Verdict.REFUSE)
        return Decision(verdict=Verdict.ALLOW, always=True)

    home.engine.ports = replace(home.engine.ports, can_use=can_use)
    report = home.run(group("t.a", "t.a", "t.gone"), group(call("#inner"), name="g2"))
    assert [each.group for each in report.errors] == ["g2"]
    assert judged[0] == ("t.a", None)
    assert [name for name, _ in judged] == ["t.a", "seq_call", "t.a", "t.no"]
    assert home.calls("t.a") == 0


def test_what_depends_on_results_is_judged_at_its_call() -> None:
    """Preflight refuses only what is certain."""
    home = Home()
    home.tool("t.a", {"value": "light.a"})
    home.tool("light.on")
    home.policy.refused_with = lambda name, arguments: (
        arguments.get("entity_id") == "light.a"
    )
    entry = {"tool": "light.on", "args": {"entity_id": "$out.e"}}
    report = home.run(serial({"tool": "t.a", "as": "e"}, entry, out={"e": "any"}))
    assert shape(report) == [("failed", ["ok", "failed"])]
    assert [each.reason for each in report.tool_errors()] == ["unauthorized"]


def test_refusals_are_told_beside_missing_inputs() -> None:
    """Of a group whose inputs are wrong nothing more is said."""
    home = Home()
    home.tool("t.no")
    home.policy.refused.add("t.no")
    report = home.run(
        group("t.no", inputs={"v": "any"}),
        group("t.no", name="g2"),
        group("t.no", name="g3"),
    )
    assert [(each.group, each.error.reason) for each in report.errors] == [
        ("g1", "required"),
        ("g2", "unauthorized"),
        ("g3", "unauthorized"),
    ]


def test_all_steps_that_ask_are_asked_for_at_once() -> None:
    """One error names them all, and nothing ran (page 1 §1.6)."""
    home = Home()
    home.tool("t.a")
    home.tool("t.ask")
    home.policy.asks.add("t.ask")
    report = home.run(
        group("t.a"), group("t.ask", name="g2"), group("t.ask", name="g3")
    )
    [placed] = report.errors
    assert placed.error.reason == "unconfirmed"
    assert "g2" in placed.error.detail
    assert "g3" in placed.error.detail
    assert home.calls("t.a") == 0


def test_masked_report_tells_nothing_of_what_exists() -> None:
    """What is refused and what does not exist look alike (page 1 §1.1)."""
    home = Home()
    home.tool("t.no")
    home.add("inner", group("t.gone"))
    home.add("part", group("t.gone", on_error="continue"))
    home.policy.refused_with = lambda name, arguments: arguments == {"v": 1}
    home.tool("t.a", {"value": 1})
    report = home.run(
        serial(
            "t.gone",
            {"tool": "t.a", "as": "x"},
            {"tool": "t.no", "args": {"v": "$out.x"}},
            call("#inner"),
            call("#part"),
            on_error="continue",
            out={"x": "any"},
        )
    )
    assert "there is no tool" in report.text
    assert "no rule grants" in report.text
    for told in (report.masked().text, str(report.masked().as_dict())):
        assert "there is no tool" not in told
        assert "no rule grants" not in told
        assert told.count("not allowed") >= 4


def test_masked_outcome_of_a_call_from_outside() -> None:
    """The door masks the error's reason, this the words and the report in it."""
    report = Home().run(group("t.gone"))
    told = masked_output(call_output(report, inside=False))
    assert "there is no tool" not in str((told.value, told.error))
    assert isinstance(told.value, dict)
    assert told.value["status"] == "failed"
    assert masked_output(ToolOutput(value=1)) == ToolOutput(value=1)
