"""The errors of the engine to the letter: reason, field, what was found, what is right."""

from dataclasses import replace

import pytest

from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Decision,
    Tool,
    Verdict,
)

from ..virtual_time import run_virtual
from .engine_home import ANYONE, Home, Json, call, group, serial

MODE: Json = {"mode": {"type": "string", "enum": ["fast", "slow"], "default": "slow"}}
HOST: Json = {"host": {"type": "string", "description": "who is asked"}}
MAYBE: Json = {"v": {"type": "any", "required": False}}


JUDGED = {
    "t.no": Decision(verdict=Verdict.REFUSE),
    "t.why": Decision(verdict=Verdict.REFUSE, detail="not at night"),
    "t.ask": Decision(verdict=Verdict.ASK),
}


def can_use(caller: Caller, tool: Tool, arguments: Arguments | None) -> Decision:
    """Judge by name."""
    return JUDGED.get(tool.definition.name, Decision(verdict=Verdict.ALLOW))


def uses(key: str) -> Json:
    """Write an entry that passes one input on."""
    return {"tool": "t.a", "args": {"v": f"$args.{key}"}}


@pytest.mark.parametrize(
    ("groups", "args", "expected"),
    [
        (
            [group(uses("host"), inputs=HOST)],
            {},
            {
                "reason": "required",
                "field": "host",
                "detail": "g1 needs host (string: who is asked)",
                "hint": "Give host in args.",
            },
        ),
        (
            [group(uses("n"), inputs={"n": "integer"})],
            {},
            {
                "reason": "required",
                "field": "n",
                "detail": "g1 needs n (integer)",
                "hint": "Give n in args.",
            },
        ),
        (
            [group(uses("mode"), inputs=MODE)],
            {"mode": "odd"},
            {
                "reason": "value",
                "field": "mode",
                "detail": '"odd" is not allowed',
                "hint": 'Allowed are: "fast", "slow".',
            },
        ),
        (
            [group(uses("host"), inputs={**HOST, **MODE})],
            {"hots": 1, "host": "a"},
            {
                "reason": "value",
                "field": "hots",
                "detail": 'there is no input "hots"',
                "hint": "Did you mean host? The inputs are: host, mode.",
            },
        ),
        (
            [group("t.a", inputs={"a": "any"})],
            {"wholly": 1, "a": 1},
            {
                "reason": "value",
                "field": "wholly",
                "detail": 'there is no input "wholly"',
                "hint": "The inputs are: a.",
            },
        ),
        (
            [group("t.no")],
            {},
            {
                "reason": "unauthorized",
                "field": "t.no",
                "detail": "t.no is not allowed",
                "hint": "Ask an administrator of this home for access.",
            },
        ),
        (
            [group("t.why")],
            {},
            {
                "reason": "unauthorized",
                "field": "t.why",
                "detail": "not at night",
                "hint": "Ask an administrator of this home for access.",
            },
        ),
        (
            [group("t.ask", uses("v"), "t.ask", inputs=MAYBE), group("t.ask", name="h")],
            {},
            {
                "reason": "unconfirmed",
                "detail": "a person must agree first to t.ask in g1, t.ask in h",
                "hint": "Ask the person; only their own yes can release the run.",
            },
        ),
        (
            [group(uses("v"), inputs=MAYBE)],
            {},
            {
                "reason": "required",
                "field": "v",
                "detail": "$args.v leads nowhere: $args has no \"v\"; it has: nothing",
                "hint": (
                    "Give the run what the reference needs, or correct the reference."
                ),
            },
        ),
        (
            [group("t.a", when="$args.v == 1", inputs=MAYBE)],
            {"v": "1"},
            {
                "reason": "condition",
                "field": "when",
                "detail": "$args.v == 1: string and number do not compare with ==",
                "hint": (
                    "Ask exists(…) before what may be absent; compare values of one"
                    " type."
                ),
            },
        ),
        (
            [group({"tool": "t.a", "as": "x", "select": "k[0]"}, out={"x": "any"})],
            {},
            {
                "reason": "required",
                "field": "select",
                "detail": "?",
                "hint": "?",
            },
        ),
        (
            [group({"tool": "t.a", "as": "x"}, out={"x": "integer"})],
            {},
            {"reason": "type", "field": "out.x", "detail": "?", "hint": "?"},
        ),
        (
            [serial("t.slow", "t.a", timeout="1s", on_error="continue")],
            {},
            {"reason": "timeout", "detail": "?", "hint": "?"},
        ),
        (
            [group(call("h"))],
            {},
            {"reason": "value", "field": "target", "detail": "?", "hint": "?"},
        ),
        (
            [group(call("#gone"))],
            {},
            {"reason": "not_found", "field": "target", "detail": "?", "hint": "?"},
        ),
        (
            [group(call("#inner/g2"))],
            {},
            {"reason": "not_found", "field": "target", "detail": "?", "hint": "?"},
        ),
        (
            [group({"tool": "seq_run"})],
            {},
            {"reason": "forbidden", "field": "tool", "detail": "?", "hint": "?"},
        ),
        (
            [group({"tool": "hassio.stop"})],
            {},
            {"reason": "forbidden", "field": "tool", "detail": "?", "hint": "?"},
        ),
    ],
)
def test_words(groups: list[Json], args: Json, expected: Json) -> None:
    """What is told of the first thing that is wrong."""
    home = Home()
    home.tool("t.a")
    home.slow("t.slow", delay_ms=1000)
    for name in JUDGED:
        home.tool(name)
    home.engine.ports = replace(home.engine.ports, can_use=can_use)
    home.add("inner", group("t.a"))
    error = next(home.run(*groups, args=args).tool_errors())
    assert error.as_dict() == expected
