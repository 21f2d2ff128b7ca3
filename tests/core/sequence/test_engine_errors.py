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
from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.report import RunReport

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
            [
                group("t.ask", uses("v"), "t.ask", inputs=MAYBE),
                group("t.ask", name="h"),
            ],
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
                "detail": '$args.v leads nowhere: $args has no "v"; it has: none',
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
                "detail": (
                    "$out.x.k[0] leads nowhere, $out.x being the result of t.a: $out.x"
                    ' has no "k"; it has: none'
                ),
                "hint": (
                    "Correct the path of select, or leave it out to see the whole"
                    " result."
                ),
            },
        ),
        (
            [group({"tool": "t.a", "as": "x"}, out={"x": "integer"})],
            {},
            {
                "reason": "type",
                "field": "out.x",
                "detail": (
                    "the result is of the type object, and the slot x takes integer:"
                    " found an object with no keys"
                ),
                "hint": "Select the part that fits, or declare the slot as any.",
            },
        ),
        (
            [serial("t.slow", "t.a", timeout="1s", on_error="continue")],
            {},
            {
                "reason": "timeout",
                "detail": "the group's time was over before t.a could be called",
                "hint": "Give the group a longer timeout, or less to do.",
            },
        ),
        (
            [group(call("#gone"))],
            {},
            {
                "reason": "not_found",
                "field": "target",
                "detail": 'there is no sequence named "gone" now',
                "hint": "seq_list names the sequences that there are.",
            },
        ),
        (
            [group(call("#inner/g1x"))],
            {},
            {
                "reason": "not_found",
                "field": "target",
                "detail": '#inner has no group named "g1x"',
                "hint": "Did you mean g1? Its groups are: g1.",
            },
        ),
        (
            [group(call("#inner/other"))],
            {},
            {
                "reason": "not_found",
                "field": "target",
                "detail": '#inner has no group named "other"',
                "hint": "Its groups are: g1.",
            },
        ),
        (
            [group({"tool": "button.press", "args": {"entity_id": "button.own"}})],
            {},
            {
                "reason": "forbidden",
                "field": "tool",
                "detail": (
                    "a sequence may not call button.press: the button runs a sequence"
                ),
                "hint": "Change the sequence: use seq_call with #name as target.",
            },
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
    home.tool("button.press")
    home.buttons.append("button.own")
    home.engine.ports = replace(home.engine.ports, can_use=can_use)
    home.add("inner", group("t.a"))
    error = next(home.run(*groups, args=args).tool_errors())
    assert error.as_dict() == expected


def test_words_of_what_outsiders_call() -> None:
    """From outside there is no own group, and what is no text names nothing."""
    home = Home()
    home.add("s", group("t.a"))
    told = [
        run_virtual(home.engine.call_target(ANYONE, target, {})) for target in ("h", 5)
    ]
    assert told == [
        ToolError(
            reason=Reason.VALUE,
            field="target",
            detail='"h" can name a group only inside of a sequence',
            hint="From outside the target is #name or #name/group.",
        ),
        ToolError(
            reason=Reason.VALUE,
            field="target",
            detail="5 names nothing that can be called",
            hint="The target is a group of the same sequence, #name or #name/group.",
        ),
    ]


def test_words_of_a_group_that_there_is_not() -> None:
    """A tool that calls by name inside of a run may name one."""
    home = Home()
    told: list[object] = []

    async def script(caller: Caller) -> None:
        told.append(await home.engine.call_target(caller, "g1x", {}))

    home.tool("t.script").inner = script
    home.run(group("t.script"))
    assert told == [
        ToolError(
            reason=Reason.VALUE,
            field="target",
            detail='#s has no group named "g1x"',
            hint="Did you mean g1? Its groups are: g1.",
        )
    ]


def test_forbidden_since_it_was_saved() -> None:
    """The AST is judged again before each call, by the name that it has."""
    home = Home()
    tool = home.tool("hassio.stop")
    saved = home.add("s", group("t.a"))
    [entries] = saved.groups
    entry = replace(entries.tools[0], tool="hassio.stop")
    stored = replace(saved, groups=(replace(entries, tools=(entry,)),))
    report = run_virtual(home.engine.run(stored, {}, ANYONE))
    assert innermost(report) == ToolError(
        reason=Reason.FORBIDDEN,
        field="tool",
        detail=(
            "a sequence may not call hassio.stop: hassio.stop may not stand in a"
            " sequence"
        ),
        hint="Change the sequence: take the entry out.",
    )
    assert tool.calls == []


def innermost(report: RunReport) -> ToolError:
    """Return the error at the end of a chain of calls."""
    return list(report.tool_errors())[-1]


def test_words_of_a_circle() -> None:
    """The way round, a sequence and its own group as one."""
    home = Home()
    home.add("other", group("t.a", name="h"))
    first = home.add("s", group(call("#other")))
    home.add("other", group(call("#s"), name="h"))
    report = run_virtual(home.engine.run(first, {}, ANYONE))
    assert innermost(report) == ToolError(
        reason=Reason.CYCLE,
        field="target",
        detail="#s is being run already: #s/g1 → #other/h → #s",
        hint="Break the circle: nothing can call itself, directly or through others.",
    )


def test_group_may_call_its_sequence_that_passes_it_by() -> None:
    """That is no circle: the group is call-only."""
    home = Home()
    home.tool("t.a")
    sequence = home.add(
        "s", group("t.a"), group(call("#s"), name="part", call_only=True)
    )
    report = run_virtual(home.engine.run(sequence, {}, ANYONE, group="part"))
    assert report.status == "ok"
    assert home.calls("t.a") == 1


def test_words_of_too_many_sequences() -> None:
    """Four within each other are the most, and the way is shown."""
    home = Home()
    home.add("c5", group("t.a"))
    for number in (4, 3, 2, 1):
        home.add(f"c{number}", group(call(f"#c{number + 1}")))
    first = home.add("c0", group(call("#c1")))
    report = run_virtual(home.engine.run(first, {}, ANYONE))
    assert innermost(report) == ToolError(
        reason=Reason.DEPTH,
        field="target",
        detail=(
            "calls of other sequences go at most 4 deep, and #c5 would be one more:"
            " #c0/g1 → #c1/g1 → #c2/g1 → #c3/g1 → #c4/g1 → #c5"
        ),
        hint="Call it from further outside.",
    )


@pytest.mark.parametrize(("length", "status"), [(30, "ok"), (31, "failed")])
def test_words_of_too_many_groups(length: int, status: str) -> None:
    """What a nested report can still show as JSON."""
    home = Home()
    home.tool("t.a")
    inner = [
        group(call(f"n{number + 1}"), name=f"n{number}", call_only=number > 0)
        for number in range(length)
    ]
    report = home.run(*inner, group("t.a", name=f"n{length}", call_only=True))
    assert report.status == status
    if status == "failed":
        error = innermost(report)
        assert error.detail.startswith(
            "calls of groups go at most 32 deep, and #s/n31 would be one more: #s/n0 →"
        )
