"""What a call by name acts on: all that it reaches (page 1 §1.3)."""

import asyncio

import pytest

from custom_components.homeagent.kernel.contract import (
    Caller,
    CallFacts,
    ToolDefinition,
)
from custom_components.homeagent.kernel.function_tool import FunctionTool

from .engine_home import ANYONE, Home, Json, call, group, serial


def light(arguments: object) -> frozenset[str]:
    """Return the ordering key of a fake light."""
    assert isinstance(arguments, dict)
    return frozenset({f"entity:{arguments.get('entity_id')}"})


ON: Json = {"tool": "light.on", "args": {"entity_id": "$args.e"}}
E_INPUT: Json = {"in": {"e": "string"}}


def lit() -> Home:
    """Return a home with a light and a sequence that switches the one it is given."""
    home = Home()
    home.tool("light.on", keys=light)
    home.tool("t.a", {"value": "light.a"})
    home.tool("t.unsafe", parallel_safe=False)
    home.add("light", group(ON, **E_INPUT))
    home.add("twice", group(call("#light", e="$args.e"), **E_INPUT))
    home.add("maybe", group(ON, when='$args.e == "light.a"', **E_INPUT))
    home.add("unsafe", group("t.unsafe"))
    home.add("strict", group("t.unsafe", inputs={"v": "any"}))
    home.add("deep", group(call("#many")))
    home.add("many", *(group(*["t.a"] * 200, name=f"g{each}") for each in range(11)))
    home.add("gone", group("t.gone"))
    home.add(
        "result",
        serial(
            {"tool": "t.a", "as": "e"},
            {"tool": "light.on", "args": {"entity_id": "$out.e"}},
            out={"e": "string"},
        ),
    )
    return home


def caller_key(arguments: object, caller: Caller) -> CallFacts:
    """Return facts that depend on who calls."""
    keys = frozenset({f"user:{caller.user_id}"})
    return CallFacts(parallel_safe=True, keys=keys)


def entangled() -> Home:
    """Return a home whose sequences reach tools in less straight ways."""
    home = Home()
    home.tool("light.on", keys=light)
    home.tool("t.a", {"value": "light.a"})
    home.tool("t.unsafe", parallel_safe=False)
    home.add("light", group(ON, **E_INPUT))
    home.tool("t.typed", parameters={"properties": {"n": {"type": "integer"}}})
    line = {"type": "string", "format": "command-line"}
    home.tool(
        "t.host",
        parameters={"properties": {"c": line}},
        keys=lambda arguments: frozenset({f"line:{arguments['c']}"}),
    )
    home.registry.tools["t.mine"] = FunctionTool(
        definition=ToolDefinition(name="t.mine", parallel_safe=True),
        work=lambda invocation: asyncio.sleep(0),
        judge=caller_key,
    )
    home.add("wrong", group({"tool": "t.typed", "args": {"n": "many"}}))
    home.add("line", group({"tool": "t.host", "args": {"c": "ls $args.e"}}, **E_INPUT))
    home.add("mine", group("t.mine"))
    home.add("unjudged", group(ON, when="$args.e == 1", **E_INPUT))
    home.add("bare", group({"tool": "seq_call", "args": {"target": "#light"}}))
    home.add("chosen", group(chosen('$args.e == "light.a"', "$args.e"), **E_INPUT))
    first = {"tool": "t.a", "as": "e"}
    slots: Json = {"out": {"e": "any"}}
    home.add("v1", group("t.unsafe", inputs={"x": "any"}))
    home.add("later", serial(first, call("#v1", x="$out.e"), **slots))
    for name, value in {
        "text": "light.$out.e",
        "list": ["$out.e"],
        "object": {"k": "$out.e"},
        "plain": "light.c",
    }.items():
        entry = {"tool": "light.on", "args": {"entity_id": value}}
        home.add(name, serial(first, entry, **slots))
    for number, when in enumerate(RESULTS):
        home.add(f"when{number}", serial(first, chosen(when, "light.b"), **slots))
    home.add(
        "own",
        group({"tool": "light.on", "args": {"entity_id": "light.c"}}),
        group(call("#own"), name="part", call_only=True),
    )
    home.add("c5", group("t.unsafe"))
    for number in (4, 3, 2, 1, 0):
        home.add(f"c{number}", group(call(f"#c{number + 1}")))
    return home


RESULTS = (
    "$out.e == 1",
    "1 == $out.e",
    "!($out.e == 1)",
    "exists($out.e)",
    "false || $out.e == 1",
    "$out.e == 1 || false",
    "true && $out.e == 1",
)


def chosen(when: str, entity: str) -> Json:
    """Write an entry that switches a light on a condition."""
    args = {"target": "#light", "args": {"e": entity}, "when": when}
    return {"tool": "seq_when_call", "args": args}


@pytest.mark.parametrize(
    ("target", "args", "safe", "keys"),
    [
        ("#wrong", {}, True, set()),
        ("#line", {"e": "a; b"}, True, {"line:ls 'a; b'"}),
        ("#mine", {}, True, {"user:anyone"}),
        ("#unjudged", {"e": "light.a"}, True, set()),
        ("#bare", {}, True, set()),
        ("#chosen", {"e": "light.a"}, True, {"entity:light.a"}),
        ("#chosen", {"e": "light.b"}, True, set()),
        ("#later", {}, False, None),
        ("#text", {}, True, None),
        ("#list", {}, True, None),
        ("#object", {}, True, None),
        ("#plain", {}, True, {"entity:light.c"}),
        *((f"#when{number}", {}, True, {"entity:light.b"}) for number in range(7)),
        ("#own/part", {}, True, {"entity:light.c"}),
        ("#c1", {}, False, None),
        ("#c0", {}, True, set()),
        (5, {}, True, set()),
        ("#light", 5, True, set()),
    ],
)
def test_facts_of_what_is_entangled(
    target: object, args: object, safe: bool, keys: set[str] | None
) -> None:
    """What a condition on results stands before is reached; what must fail is not."""
    facts = entangled().engine.facts_of(ANYONE, target, args)
    wanted = None if keys is None else frozenset(keys)
    assert facts == CallFacts(parallel_safe=safe, keys=wanted)


@pytest.mark.parametrize(
    ("target", "args", "safe", "keys"),
    [
        ("#light", {"e": "light.a"}, True, {"entity:light.a"}),
        ("#light/g1", {"e": "light.b"}, True, {"entity:light.b"}),
        ("#twice", {"e": "light.b"}, True, {"entity:light.b"}),
        ("#maybe", {"e": "light.a"}, True, {"entity:light.a"}),
        ("#maybe", {"e": "light.b"}, True, set()),
        ("#light", {}, True, set()),
        ("#nowhere", {}, True, set()),
        ("#result", {}, True, None),
        ("#unsafe", {}, False, None),
        ("#strict", {}, True, set()),
        ("#strict", {"v": 1}, False, None),
        ("#many/g1", {}, True, set()),
        ("#deep", {}, False, None),
        ("#gone", {}, False, None),
    ],
)
def test_facts_are_those_of_all_that_is_reached(
    target: str, args: Json, safe: bool, keys: set[str] | None
) -> None:
    """Arguments are passed through; only results make keys unknown (page 1 §1.3)."""
    facts = lit().engine.facts_of(ANYONE, target, args)
    wanted = None if keys is None else frozenset(keys)
    assert facts == CallFacts(parallel_safe=safe, keys=wanted)


@pytest.mark.parametrize(
    ("one", "other", "parallel", "why"),
    [
        (call("#light", e="light.a"), call("#twice", e="light.b"), True, None),
        (
            call("#light", e="light.a"),
            call("#twice", e="light.a"),
            False,
            "entity:light.a",
        ),
        (call("#light", e="light.a"), call("#result"), False, "not known"),
        (call("#light", e="light.a"), call("#gone"), True, None),
        (call("#light", e="light.a"), call("#nowhere"), True, None),
    ],
)
def test_calls_by_name_obey_the_batch_rule(
    one: Json, other: Json, parallel: bool, why: str | None
) -> None:
    """Two callees that act on one light go in order; the report says why."""
    report = lit().run(group(one, other, on_error="continue"))
    assert report.groups[0].parallel is parallel
    assert (report.groups[0].parallel_why is None) == (why is None)
    assert (why or "") in (report.groups[0].parallel_why or "")


def test_calls_of_an_own_group_obey_the_batch_rule() -> None:
    """Its place in the run tells what the name of a group means."""
    entry = call("g2", e="light.a")
    report = lit().run(
        group(entry, entry), group(ON, name="g2", call_only=True, **E_INPUT)
    )
    assert report.groups[0].parallel is False
    assert report.groups[0].parallel_why == "two calls act on entity:light.a"
