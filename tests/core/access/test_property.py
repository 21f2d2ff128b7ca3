"""Random homes, rules and calls: the policy and the slow model must agree (page 3 §3.5)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import product

from hypothesis import event, given, settings, strategies as st

from custom_components.homeagent.access.model import (
    ENTRANCES,
    AccessRule,
    How,
    What,
    Where,
    Who,
)
from custom_components.homeagent.access.policy import RulePolicy
from custom_components.homeagent.access.ports import SequenceView, UserKind
from custom_components.homeagent.kernel.contract import Caller, Entrance, Verdict

from .house import DOMAINS, KINDS, Entity, FakeTool, House, View
from .slow_model import Outcome, Question

AREAS = ("kitchen", "bath", "attic")
FLOORS = ("ground", "top")
LABELS = ("night", "day")
DEVICES = ("hub", "satellite", "nas")
IDS = (
    "light.a",
    "light.b",
    "lock.door",
    "group.all",
    "light.room",
    "scene.eve",
    "script.movie",
    "sensor.heat",
)
ORDINARY = tuple(each for each in What if each is not What.EVERYTHING)
GROUPS = frozenset({"group.all", "light.room"})
USERS: Mapping[str, UserKind] = {
    "admin": UserKind.ADMINISTRATOR,
    "child": UserKind.PERSON,
    "voip": UserKind.SYSTEM,
    "gone": UserKind.NOBODY,
}


def some[T](values: tuple[T, ...]) -> st.SearchStrategy[frozenset[T]]:
    """Draw a few of the values."""
    return st.frozensets(st.sampled_from(values), max_size=2)


def one_or_none(values: tuple[str, ...]) -> st.SearchStrategy[str | None]:
    """Draw one of the values, or none."""
    return st.none() | st.sampled_from(values)


@st.composite
def entities(draw: st.DrawFn, entity_id: str) -> Entity:
    """Draw what the registries know of an entity; groups may hold themselves."""
    members = draw(some((*IDS, "light.ghost"))) if entity_id in GROUPS else frozenset()
    return Entity(
        area=draw(one_or_none(AREAS)),
        device=draw(one_or_none(DEVICES)),
        labels=draw(some(LABELS)),
        exposed=draw(st.booleans()),
        members=members,
    )


@st.composite
def houses(draw: st.DrawFn) -> House:
    """Draw a home."""
    present = draw(st.frozensets(st.sampled_from(IDS), min_size=3))
    floors = {area: draw(one_or_none(FLOORS)) for area in AREAS}
    return House(
        entities={each: draw(entities(each)) for each in sorted(present)},
        floors={area: floor for area, floor in floors.items() if floor is not None},
        areas=frozenset(AREAS),
        devices={device: draw(one_or_none(AREAS)) for device in DEVICES},
        sequences={
            key: SequenceView(
                exposed=draw(st.booleans()), has_sentences=draw(st.booleans())
            )
            for key in ("s1", "s2")
        },
        users=dict(USERS),
        # Home Assistant refuses an administrator nothing.
        forbidden=frozenset(("child", each) for each in draw(some(IDS))),
    )


def broad[T: StrEnum](values: Iterable[T]) -> st.SearchStrategy[frozenset[T]]:
    """Draw all of the values as often as a few."""
    every = frozenset(values)
    return st.just(every) | st.frozensets(st.sampled_from(sorted(every)), max_size=2)


@st.composite
def rules(draw: st.DrawFn, number: int) -> AccessRule:
    """Draw a rule; broad ones come often enough to grant something."""
    patterns = ("light.*", "l*.*", "script.*", "script.movie", "notify.*", "host_run")
    more = ("seq_run", "group.set", "get_*", "homeassistant.turn_*", "seq_create")
    return AccessRule(
        id=f"r{number}",
        name=f"Rule {number}",
        who=draw(broad(Who)),
        users=draw(some(tuple(USERS))),
        devices=draw(some(DEVICES)),
        through=draw(broad(ENTRANCES)),
        where=draw(st.frozensets(st.sampled_from(Where), max_size=2)),
        areas=draw(st.just(frozenset(AREAS)) | some(AREAS)),
        floors=draw(some(FLOORS)),
        what=draw(broad(ORDINARY) | some(tuple(What))),
        tools=draw(some((*patterns, *more))),
        entities=draw(some(IDS)),
        sequences=draw(some(("s1", "s2"))),
        how=draw(st.sampled_from(How)),
        enabled=draw(st.sampled_from((True,) * 7 + (False,))),
    )


@st.composite
def callers(draw: st.DrawFn) -> Caller:
    """Draw a caller, also one that no entrance would make."""
    return Caller(
        entrance=draw(st.sampled_from(Entrance)),
        user_id=draw(
            one_or_none(("admin", "child", "child", "voip", "gone", "stranger"))
        ),
        device_id=draw(one_or_none(DEVICES)),
        area_id=draw(one_or_none(AREAS)),
    )


ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "entity_id": (*IDS, "light.ghost", "all"),
    "area_id": (*AREAS, "cellar"),
    "floor_id": (*FLOORS, "roof"),
    "label_id": (*LABELS, "noon"),
    "device_id": (*DEVICES, "lost"),
}


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, list[str]]]:
    """Draw a tool and its arguments."""
    tool = draw(st.sampled_from(tuple(DOMAINS)) | st.sampled_from(tuple(KINDS)))
    if tool in {"seq_run", "seq_delete"}:
        return tool, {"name": [draw(st.sampled_from(("s1", "s2", "s3")))]}
    if tool == "host_run":
        return tool, {"host": [draw(st.sampled_from(("nas", "hub", "lost")))]}
    keys = draw(st.lists(st.sampled_from(tuple(ARGUMENTS)), max_size=2, unique=True))
    # A call that names too much is refused more often than it teaches anything.
    ids = {
        key: st.sampled_from((*ARGUMENTS[key][:-1] * 4, ARGUMENTS[key][-1]))
        for key in keys
    }
    return tool, {
        key: sorted(draw(st.sets(ids[key], min_size=1, max_size=2))) for key in keys
    }


def decided(policy: RulePolicy, view: View, question: Question) -> Outcome:
    """Ask the policy, and say what came out in the model's words."""
    tool = FakeTool(question.tool)
    arguments = dict(question.arguments)
    decision = policy.can_use(question.caller, tool, arguments)
    if decision.verdict is Verdict.REFUSE:
        return Outcome("no")
    final = arguments if decision.arguments is None else decision.arguments
    scope = view.scope(tool, final)
    return Outcome(
        {Verdict.ALLOW: "yes", Verdict.ASK: "ask"}[decision.verdict],
        scope.direct | scope.indirect,
        int(decision.warnings[0].split()[0].replace("one", "1"))
        if decision.warnings
        else 0,
    )


@settings(max_examples=150, deadline=None)
@given(
    house=houses(),
    ruled=st.integers(1, 6).flatmap(
        lambda number: st.tuples(*(rules(each) for each in range(number)))
    ),
    asking=st.lists(callers(), min_size=4, max_size=8),
    made=st.lists(calls(), min_size=4, max_size=8),
)
def test_policy_agrees_with_the_slow_model(
    house: House,
    ruled: tuple[AccessRule, ...],
    asking: list[Caller],
    made: list[tuple[str, dict[str, list[str]]]],
) -> None:
    """Whatever the home, the rules and the call, both say the same."""
    view = View(house)
    policy = RulePolicy(home=view, calls=view, rules=lambda: ruled)
    for caller, (tool, arguments) in product(asking, made):
        question = Question(
            house=house, rules=ruled, caller=caller, tool=tool, arguments=arguments
        )
        expected = question.outcome()
        widest = view.widest(FakeTool(tool))
        if expected.answer != "no" and expected.acts_on <= widest.indirect:
            anything = policy.can_use(caller, FakeTool(tool), None)
            assert anything.verdict is not Verdict.REFUSE, question
        event(f"{expected.answer}{', cut' if expected.left_out else ''}")
        assert decided(policy, view, question) == expected, question


@settings(max_examples=60, deadline=None)
@given(
    house=houses(),
    ruled=st.tuples(rules(1), rules(2), rules(3)),
    user=st.sampled_from(("admin", "child", "gone", "stranger")),
    device=st.sampled_from(DEVICES),
    area=one_or_none(AREAS),
    made=st.lists(calls(), min_size=8, max_size=12),
)
def test_device_adds_nothing_to_a_user(
    house: House,
    ruled: tuple[AccessRule, ...],
    user: str,
    device: str,
    area: str | None,
    made: list[tuple[str, dict[str, list[str]]]],
) -> None:
    """A device id that a client supplies never adds rights to a user (page 3 §3.1)."""
    view = View(house)
    policy = RulePolicy(home=view, calls=view, rules=lambda: ruled)
    for entrance, (tool, arguments) in product(Entrance, made):
        plain = Caller(entrance=entrance, user_id=user)
        forged = replace(plain, device_id=device, area_id=area)
        assert policy.can_use(forged, FakeTool(tool), arguments).verdict is (
            policy.can_use(plain, FakeTool(tool), arguments).verdict
        )
