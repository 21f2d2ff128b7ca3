"""Random sequences on random tools do what a slow, independent model says."""

from functools import partial
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from .engine_home import Home, Json, ScriptedTool
from .engine_model import Model, ModelTool

NAMES = ["t0", "t1", "t2"]
INNER = ["u0", "u1"]
VALUES = st.sampled_from([1, 2, "x", None, {"k": [1]}])
REASONS = st.sampled_from(["failed", "unavailable", "busy", "value", "not_found"])
STEP = st.tuples(
    st.sampled_from([0.0, 0.0, 0.1, 0.4]), VALUES, st.none() | st.none() | REASONS
)


@st.composite
def tools(draw: st.DrawFn) -> dict[str, ModelTool]:
    """Draw the tools of a home."""
    return {
        name: ModelTool(
            steps=draw(st.lists(STEP, min_size=1, max_size=3)),
            safe=draw(st.sampled_from([True, True, True, False])),
            key=draw(st.sampled_from([None, None, "k1", "k2"])),
        )
        for name in NAMES + INNER
    }


@st.composite
def groups(draw: st.DrawFn, name: str, *, callee: bool = False) -> Json:
    """Draw a group, whose text is right."""
    count = draw(st.integers(1, 3))
    out: Json = {}
    entries = []
    group: Json = {
        "name": name,
        "timeout": draw(st.sampled_from(["0.25s", "1.05s", "3600s"])),
        "on_error": draw(st.sampled_from(["abort", "continue", "retry"])),
        "missing": draw(st.sampled_from(["fail", "skip", "degrade"])),
        "parallel": draw(st.booleans()),
        "call_only": callee or draw(st.sampled_from([False, False, False, True])),
    }
    if group["on_error"] == "retry":
        group["retries"] = draw(st.integers(1, 3))
    if not callee:
        group["in"] = {"v": "any"}
        group["when"] = draw(st.sampled_from(["true", "true", "$args.v > 1", "false"]))
    for index in range(count):
        entry = draw(entry_of(index, group, out, callee=callee))
        entries.append(entry)
    if callee or any(each["tool"] == "seq_call" for each in entries):
        group["timeout"] = "3600s"
    return group | {"out": out, "tools": entries}


@st.composite
def entry_of(
    draw: st.DrawFn, index: int, group: Json, out: Json, *, callee: bool
) -> Json:
    """Draw one entry, and declare its slot.

    Callees have tools of their own, and a group calls at most one: which of two calls
    that overlap comes first to a tool is not for the model to know.
    """
    names = [*INNER, "gone"] if callee else [*NAMES, *NAMES, "gone"]
    if not callee and index == 0:
        names.append("seq_call")
    entry: Json = {"tool": draw(st.sampled_from(names))}
    if entry["tool"] == "seq_call":
        entry["args"] = {"target": "callee"}
    else:
        given_args: list[Json] = [{}, {"w": 7}]
        if not callee:
            given_args.append({"v": "$args.v"})
        if out.get("s0") and not group["parallel"] and index:
            given_args.append({"v": "$out.s0"})
        entry["args"] = draw(st.sampled_from(given_args))
    slot = draw(st.sampled_from([None, f"s{index}", "all"]))
    if slot is not None:
        kinds = ["any", "integer"] if group["missing"] != "degrade" else ["any"]
        out[slot] = "array" if slot == "all" else draw(st.sampled_from(kinds))
        entry["as"] = slot
        if group["missing"] == "degrade":
            entry["fallback"] = "fallback"
    return entry


def add_tools(home: Home, model: Model) -> dict[str, ScriptedTool]:
    """Put the model's tools into the home."""
    made = {}
    for name, tool in model.tools.items():
        behaviour = [
            {"delay_ms": delay * 1000, "value": value}
            if reason is None
            else {"delay_ms": delay * 1000, "error": {"reason": reason}}
            for delay, value, reason in tool.steps
        ]
        keys = frozenset({tool.key} if tool.key else set())
        made[name] = home.tool(name, *behaviour, parallel_safe=tool.safe)
        made[name].keys = partial(_same, keys)
    return made


def _same(keys: frozenset[str], arguments: object) -> frozenset[str]:
    return keys


def as_told(home: Home, made: dict[str, ScriptedTool]) -> list[tuple[float, str, Json]]:
    """Return the home's calls, as the model's log has them."""
    queues = {name: list(tool.calls) for name, tool in made.items()}
    return [
        (round(at, 3), name, dict(queues[name].pop(0)))
        for what, name, at in home.log
        if what == "start"
    ]


def duration_text(group: Json) -> Json:
    """Write the model's seconds as the language wants them."""
    seconds = float(str(group["timeout"]).removesuffix("s"))
    return group | {"timeout": f"{round(seconds * 1000)}ms"}


@given(
    tools=tools(),
    groups=st.tuples(groups("g1"), groups("g2"), groups("g3")),
    callee=groups("callee", callee=True),
    v=st.sampled_from([1, 2, "three"]),
)
@settings(max_examples=300, deadline=None)
def test_engine_does_what_the_model_says(
    tools: dict[str, ModelTool], groups: tuple[Json, ...], callee: Json, v: object
) -> None:
    """Order, moments, arguments, attempts, statuses and slots are the same."""
    model = Model(tools=tools, callee=callee)
    expected: Any = model.run([*groups, callee], {"v": v})
    home = Home()
    made = add_tools(home, model)
    if all(each["call_only"] for each in groups):
        return  # then the run has no input v
    report = home.run(*map(duration_text, (*groups, callee)), args={"v": v})
    assert as_told(home, made) == sorted(model.log, key=lambda each: each[0])
    assert report.status == expected["status"]
    assert report.out == expected["out"]
    for got, want in zip(report.groups, expected["groups"], strict=True):
        assert got.status == want["status"]
        if not want["tools"]:
            continue
        assert got.parallel == want["parallel"]
        assert [
            (each.status, each.error and each.error.reason, each.attempts)
            for each in got.tools
        ] == [(each.status, each.reason, each.attempts) for each in want["tools"]]
    assert report.duration == pytest.approx(model.now)
