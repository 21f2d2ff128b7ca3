"""What a call by name acts on: all that it reaches (page 1 §1.3)."""

import pytest

from custom_components.homeagent.kernel.contract import CallFacts

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
