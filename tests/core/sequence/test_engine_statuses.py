"""Each status of a run, a group and a tool comes about as page 2 §2.4 says."""

from dataclasses import dataclass, field

import pytest

from .engine_home import Behaviour, Home, Json, call, fails, group, serial, shape

ABORT: Json = {}
CONTINUE: Json = {"on_error": "continue"}
SKIP: Json = {"missing": "skip"}
DEGRADE: Json = {"missing": "degrade"}
NEEDS_V: Json = {"in": {"v": {"type": "any", "required": False}}}
BAD: list[Behaviour] = [fails()]


@dataclass(frozen=True, kw_only=True)
class Row:
    """What is run, and the statuses that must come of it."""

    id: str
    groups: list[Json]
    bad: dict[str, list[Behaviour]] = field(default_factory=lambda: {"t.bad": BAD})
    args: Json = field(default_factory=dict)
    status: str
    shape: list[tuple[str, list[str]]]
    out: Json | None = None


ROWS = [
    Row(
        id="ok",
        groups=[group("t.a", "t.b")],
        status="ok",
        shape=[("ok", ["ok", "ok"])],
        out={"g1": {}},
    ),
    Row(
        id="abort-at-once-lets-siblings-finish",
        groups=[
            group("t.bad", {"tool": "t.a", "as": "x"}, out={"x": "any"}),
            group("t.a", name="g2"),
        ],
        status="failed",
        shape=[("failed", ["failed", "ok"]), ("not_run", ["not_run"])],
        out={"g1": {"x": {}}},
    ),
    Row(
        id="abort-in-order-stops-there",
        groups=[serial("t.a", "t.bad", "t.b"), group("t.a", name="g2")],
        status="failed",
        shape=[("failed", ["ok", "failed", "not_run"]), ("not_run", ["not_run"])],
        out={"g1": {}},
    ),
    Row(
        id="continue-at-once",
        groups=[group("t.bad", "t.a", **CONTINUE), group("t.a", name="g2")],
        status="partial",
        shape=[("partial", ["failed", "ok"]), ("ok", ["ok"])],
        out={"g1": {}, "g2": {}},
    ),
    Row(
        id="continue-in-order",
        groups=[serial("t.bad", "t.a", **CONTINUE)],
        status="partial",
        shape=[("partial", ["failed", "ok"])],
    ),
    Row(
        id="when-false",
        groups=[group("t.a", when="false"), group("t.a", name="g2")],
        status="ok",
        shape=[("skipped", ["not_run"]), ("ok", ["ok"])],
        out={"g1": {}, "g2": {}},
    ),
    Row(
        id="when-error-aborts",
        groups=[group("t.a", when="$args.v > 1", **NEEDS_V), group("t.a", name="g2")],
        args={"v": "three"},
        status="failed",
        shape=[("failed", ["not_run"]), ("not_run", ["not_run"])],
        out={"g1": {}},
    ),
    Row(
        id="when-error-continues",
        groups=[
            group("t.a", when="$args.v", **NEEDS_V, **CONTINUE),
            group("t.a", name="g2"),
        ],
        status="partial",
        shape=[("partial", ["not_run"]), ("ok", ["ok"])],
    ),
    Row(
        id="when-error-is-not-retried",
        groups=[group("t.a", when="$args.v", on_error="retry", retries=3, **NEEDS_V)],
        status="failed",
        shape=[("failed", ["not_run"])],
    ),
    Row(
        id="call-only",
        groups=[group("t.a", call_only=True), group("t.a", name="g2")],
        status="ok",
        shape=[("passed_by", ["not_run"]), ("ok", ["ok"])],
        out={"g2": {}},
    ),
    Row(
        id="missing-fail",
        groups=[group("t.gone", "t.a"), group("t.a", name="g2")],
        status="failed",
        shape=[("failed", ["failed", "ok"]), ("not_run", ["not_run"])],
    ),
    Row(
        id="missing-fail-continue",
        groups=[group("t.gone", "t.a", **CONTINUE)],
        status="partial",
        shape=[("partial", ["failed", "ok"])],
    ),
    Row(
        id="missing-skip",
        groups=[
            group(
                {"tool": "t.gone", "as": "x"},
                {"tool": "t.a", "as": "y"},
                out={"x": "any", "y": "any"},
                **SKIP,
            )
        ],
        status="partial",
        shape=[("partial", ["missing", "ok"])],
        out={"g1": {"y": {}}},
    ),
    Row(
        id="missing-degrade",
        groups=[
            group(
                {"tool": "t.gone", "as": "x", "fallback": {"k": [1]}},
                out={"x": "object"},
                **DEGRADE,
            )
        ],
        status="partial",
        shape=[("partial", ["degraded"])],
        out={"g1": {"x": {"k": [1]}}},
    ),
    Row(
        id="missing-degrade-in-its-place",
        groups=[
            group(
                {"tool": "t.a", "as": "x", "fallback": "A"},
                {"tool": "t.gone", "as": "x", "fallback": "F"},
                {"tool": "t.b", "as": "x", "fallback": "B"},
                out={"x": "array"},
                **DEGRADE,
            )
        ],
        status="partial",
        shape=[("partial", ["ok", "degraded", "ok"])],
        out={"g1": {"x": [{}, "F", {}]}},
    ),
    Row(
        id="missing-is-no-not-found-of-the-tool",
        groups=[group("t.bad", **SKIP)],
        bad={"t.bad": [fails("not_found")]},
        status="failed",
        shape=[("failed", ["failed"])],
    ),
    Row(
        id="missing-in-order-goes-on",
        groups=[serial("t.gone", "t.a", **SKIP)],
        status="partial",
        shape=[("partial", ["missing", "ok"])],
    ),
    Row(
        id="absent-slot-in-order",
        groups=[
            serial(
                {"tool": "t.gone", "as": "x"},
                {"tool": "t.a", "args": {"v": "$out.x"}},
                out={"x": "any"},
                **SKIP,
            )
        ],
        status="failed",
        shape=[("failed", ["missing", "failed"])],
    ),
    Row(
        id="type-of-slot",
        groups=[group({"tool": "t.a", "as": "x"}, out={"x": "integer"})],
        status="failed",
        shape=[("failed", ["failed"])],
        out={"g1": {}},
    ),
    Row(
        id="a-tool-that-says-cancelled-failed",
        groups=[group("t.bad", "t.a")],
        bad={"t.bad": [fails("cancelled")]},
        status="failed",
        shape=[("failed", ["failed", "ok"])],
    ),
    Row(
        id="retry-then-abort",
        groups=[
            group("t.bad", "t.a", on_error="retry", retries=2),
            group("t.a", name="g2"),
        ],
        status="failed",
        shape=[("failed", ["failed", "ok"]), ("not_run", ["not_run"])],
    ),
    Row(
        id="retry-mends",
        groups=[group("t.bad", on_error="retry", retries=2)],
        bad={"t.bad": [fails(), {"value": 1}]},
        status="ok",
        shape=[("ok", ["ok"])],
    ),
    Row(
        id="forbidden-under-a-name-known-at-run-time-only",
        groups=[group({"tool": "button.press", "args": {"entity_id": "$args.v"}})],
        args={"v": "button.own"},
        bad={"button.press": [{"value": None}]},
        status="failed",
        shape=[("failed", ["failed"])],
    ),
]
ROWS[-1].groups[0].update(NEEDS_V)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_row(row: Row) -> None:
    """The statuses are as the table says."""
    home = Home()
    home.buttons.append("button.own")
    home.tool("t.a")
    home.tool("t.b")
    for name, behaviour in row.bad.items():
        home.tool(name, *behaviour)
    report = home.run(*row.groups, args=row.args)
    assert (report.status, shape(report)) == (row.status, row.shape)
    assert report.success == (row.status in {"ok", "partial"})
    if row.out is not None:
        assert report.out == row.out


def test_button_behind_an_area_is_forbidden() -> None:
    """What a press acts on counts, not how it is named."""
    home = Home()
    home.buttons.append("button.own")
    home.tool("button.press", keys=lambda arguments: frozenset({"entity:button.own"}))
    entry = {"tool": "button.press", "args": {"area_id": "hall"}}
    report = home.run(group(entry))
    assert [each.reason for each in report.tool_errors()] == ["forbidden"]
    assert home.calls("button.press") == 0


@pytest.mark.parametrize(
    ("callee", "status", "shapes", "out"),
    [
        ("fine", "ok", [("ok", ["ok"])], {"g1": {"x": {"y": {}}}}),
        ("bad", "failed", [("failed", ["failed"])], {"g1": {}}),
        ("part", "partial", [("partial", ["ok"])], {"g1": {"x": {}}}),
        ("never", "ok", [("ok", ["skipped"])], {"g1": {}}),
        ("#other", "ok", [("ok", ["ok"])], {"g1": {"x": {"h1": {"z": {}}}}}),
        ("#other/h2", "ok", [("ok", ["ok"])], {"g1": {"x": {}}}),
        ("#gone", "failed", [("failed", ["failed"])], {"g1": {}}),
        ("#other/gone", "failed", [("failed", ["failed"])], {"g1": {}}),
    ],
)
def test_callee(
    callee: str, status: str, shapes: list[tuple[str, list[str]]], out: Json
) -> None:
    """What comes of a callee decides over the call, and so over the group and run."""
    home = Home()
    home.tool("t.a")
    home.tool("t.bad", *BAD)
    home.add(
        "other",
        group({"tool": "t.a", "as": "z"}, name="h1", out={"z": "any"}),
        group("t.a", name="h2", call_only=True),
    )
    report = home.run(
        group(call(callee, as_="x"), out={"x": "any"}),
        group(
            {"tool": "t.a", "as": "y"}, name="fine", out={"y": "any"}, call_only=True
        ),
        group("t.bad", name="bad", call_only=True),
        group("t.bad", name="part", call_only=True, **CONTINUE),
        group("t.a", name="never", when="false", call_only=True),
    )
    assert report.status == status
    assert shape(report)[:1] == shapes
    assert report.out == out


@pytest.mark.parametrize(
    ("missing", "status"), [("skip", "missing"), ("fail", "failed")]
)
def test_missing_sequence(missing: str, status: str) -> None:
    """`missing` concerns a sequence that the entry names, too."""
    report = Home().run(group(call("#gone"), missing=missing))
    assert report.groups[0].tools[0].status == status


def test_missing_inside_a_callee_is_a_failure() -> None:
    """What a callee does not find is the callee's failure, whatever `missing` says."""
    home = Home()
    home.add("other", group("t.gone"))
    report = home.run(group(call("#other"), **SKIP))
    [tool] = report.groups[0].tools
    assert tool.status == "failed"
    assert tool.error is not None
    assert tool.error.reason == "failed"
    assert tool.run is not None
    assert tool.run.groups[0].tools[0].error is not None
    assert tool.run.groups[0].tools[0].error.reason == "not_found"
