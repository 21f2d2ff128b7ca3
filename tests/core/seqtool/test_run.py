"""`seq run`: a dry run on declared fake tools."""

import json
from typing import Any

import pytest

from .conftest import Ran, Seq, Write

SAFE = {"parallel_safe": True}


def entry(tool: str, **more: object) -> str:
    return json.dumps({"tool": tool, **more}) + " ;"


def run(
    seq: Seq,
    write: Write,
    tools: dict[str, Any],
    *entries: str,
    args: str = "{}",
    json_: bool = True,
    inputs: object = None,
    **group: object,
) -> Ran:
    """Run one group of these entries."""
    whole = {"name": "g", "in": inputs or {}, "tools": " ".join(entries), **group}
    write("tools.json", json.dumps(tools))
    return seq(
        *("run", "-", "--tools", "tools.json", "--args", args),
        *(["--json"] if json_ else []),
        stdin=json.dumps({"name": "s", "groups": [whole]}).encode(),
    )


def test_behaviors_in_turn(seq: Seq, write: Write) -> None:
    """Each call takes the next behaviour, the last one stays; delays cost no time."""
    steps = [
        {"error": {"reason": "failed", "detail": "no"}, "delay_ms": 3_600_000},
        {"value": {"n": 1}},
        {"echo": True},
    ]
    ran = run(
        seq,
        write,
        {"t.a": {"parallel_safe": True, "behaviour": steps}},
        *(entry("t.a", args={"k": n}, **{"as": "x"}) for n in range(3)),
        out={"x": "array"},
        parallel=False,
        timeout="2h",
        on_error="continue",
    )
    answer = ran.answer
    assert (ran.code, answer["status"]) == (0, "partial")
    assert answer["out"] == {"g": {"x": [{"n": 1}, {"k": 2}]}}
    assert answer["calls"] == {"t.a": 3}
    assert answer["duration"] == 3600.0
    (error,) = [each["error"] for each in answer["groups"][0]["tools"] if each["error"]]
    assert (error["reason"], error["detail"]) == ("failed", "no")


def test_result_has_all_keys(seq: Seq, write: Write) -> None:
    """The line has the keys of a run in Home Assistant, and the calls."""
    answer = run(seq, write, {"t.a": SAFE}, entry("t.a")).answer
    assert list(answer) == [
        *("run_id", "sequence", "status", "success", "duration", "errors", "groups"),
        *("out", "text", "calls"),
    ]


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"value": 1}, 0),
        ({"error": {"reason": "unavailable"}}, 1),
        ({"value": {"error": "it went wrong"}}, 1),
    ],
)
def test_exit_code(told: dict[str, Any], code: int, seq: Seq, write: Write) -> None:
    """It is 0 if the run succeeded, also without a part, else 1."""
    tools = {"t.a": {"behaviour": [told]}}
    assert run(seq, write, tools, entry("t.a")).code == code
    assert run(seq, write, tools, entry("t.a"), on_error="continue").code == 0


def test_for_people(seq: Seq, write: Write) -> None:
    """The report in words, and how often each tool was called."""
    ran = run(seq, write, {"t.a": SAFE, "t.b": SAFE}, entry("t.a"), json_=False)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "s: ok in 0 s\ng: ok, 1 tool\ncalls: t.a 1, t.b 0\n"


def test_checked_first(seq: Seq, write: Write) -> None:
    """A text that is wrong with these tools does not run: `check`'s line is the answer."""
    entries = (entry("t.a"), entry("t.b"))
    ran = run(seq, write, {"t.a": SAFE, "t.b": {}}, *entries)
    assert (ran.code, list(ran.answer)) == (1, ["ok", "errors", "warnings"])
    assert [each["code"] for each in ran.answer["errors"]] == ["not_parallel_safe"]
    ran = run(seq, write, {"t.a": SAFE, "t.b": {}}, *entries, json_=False)
    assert ran.out.endswith("<stdin>: 1 error\n")


def test_only_declared_tools_exist(seq: Seq, write: Write) -> None:
    """A tool that is not declared is told as a warning, and is not found."""
    ran = run(seq, write, {}, entry("t.a"))
    assert (ran.code, ran.answer["status"], ran.answer["calls"]) == (1, "failed", {})
    assert ran.answer["groups"][0]["tools"][0]["error"]["reason"] == "not_found"
    assert ran.err.startswith("<stdin>:1:")
    assert 'warning: there is no tool "t.a" now' in ran.err


def test_arguments_are_checked(seq: Seq, write: Write) -> None:
    """A tool's schema holds for its calls; what does not fit reaches no tool."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    ran = run(
        seq,
        write,
        {"t.a": {"parallel_safe": True, "parameters": schema}},
        entry("t.a", args={"n": "$args.n"}),
        args='{"n": "three"}',
        inputs={"n": "any"},
    )
    assert (ran.code, ran.answer["calls"]) == (1, {"t.a": 0})
    assert ran.answer["groups"][0]["tools"][0]["error"]["reason"] == "type"


def test_calls_by_name(seq: Seq, write: Write) -> None:
    """seq_call and seq_when_call work as in a home; another sequence does not exist."""
    groups = [
        {
            "name": "inner",
            "in": {"n": "integer"},
            "out": {"x": "any"},
            "call_only": True,
            "tools": entry("t.a", args={"n": "$args.n"}, **{"as": "x"}),
        },
        {
            "name": "outer",
            "in": {"n": "integer"},
            "out": {"all": "array"},
            "on_error": "continue",
            "tools": " ".join(
                (
                    entry(
                        "seq_call",
                        args={"target": "inner", "args": {"n": 1}},
                        **{"as": "all"},
                    ),
                    entry(
                        "seq_when_call",
                        args={
                            "target": "inner",
                            "args": {"n": 2},
                            "when": "$args.n > 5",
                        },
                    ),
                    entry("seq_call", args={"target": "#other"}),
                )
            ),
        },
    ]
    write("tools.json", json.dumps({"t.a": SAFE}))
    text = json.dumps({"name": "s", "groups": groups}).encode()
    ran = seq(
        *("run", "-", "--tools", "tools.json", "--args", '{"n": 3}', "--json"),
        stdin=text,
    )
    answer = ran.answer
    assert answer["status"] == "partial"
    assert answer["out"] == {"outer": {"all": [{"x": {"n": 1}}]}}
    statuses = [tool["status"] for tool in answer["groups"][1]["tools"]]
    assert statuses == ["ok", "skipped", "failed"]
    assert answer["calls"] == {"t.a": 1}


@pytest.mark.parametrize(
    ("args", "reason"),
    [("{}", "required"), ('{"n": 1, "m": 2}', "value"), ('{"n": "x"}', "type")],
)
def test_preflight(args: str, reason: str, seq: Seq, write: Write) -> None:
    """Arguments that do not fit give a result too: nothing ran."""
    uses = entry("t.a", args={"n": "$args.n"})
    ran = run(seq, write, {"t.a": SAFE}, uses, args=args, inputs={"n": "integer"})
    answer = ran.answer
    assert (ran.code, answer["status"], answer["out"]) == (1, "failed", {})
    assert [each["reason"] for each in answer["errors"]] == [reason]
    assert answer["groups"][0]["status"] == "not_run"
