"""Which rule grants what, and what is missing (page 3 §3.3)."""

import pytest

from custom_components.homeagent.access.model import How, What, Who
from custom_components.homeagent.kernel.contract import Caller, Entrance, Verdict

from .example import ADMIN, CHILD, CHILD_TALKS, SATELLITE, UNKNOWN, policy_of, rule
from .house import FakeTool


def test_granted_things_name_their_rule() -> None:
    """Also what is left out is told, by name, to those who see everything."""
    told = policy_of().explain(
        CHILD_TALKS, FakeTool("light.turn_on"), {"floor_id": ["ground"]}
    )
    assert told.verdict is Verdict.ALLOW
    assert told.concerned == ("people_talking",)
    assert {(one.id, one.why, one.rule) for one in told.things} == {
        ("light.kitchen", "granted", "people_talking"),
        ("light.bath", "granted", "people_talking"),
    }
    assert told.left_out == ("light.hub", "light.room")
    assert told.as_dict()["left_out"] == ["light.hub", "light.room"]


def test_members_are_told_with_their_group() -> None:
    """It is the member that is missing."""
    told = policy_of().explain(
        SATELLITE, FakeTool("light.turn_on"), {"entity_id": ["group.mixed"]}
    )
    missing = [(one.id, one.named, one.why) for one in told.things if one.rule is None]
    assert missing == [("light.study", "group.mixed", "no_rule")]
    assert told.missing == (
        "light.turn_on: no rule lets voice device satellite through conversation use "
        "light.study (in group.mixed)"
    )


@pytest.mark.parametrize(
    ("caller", "tool", "arguments", "words"),
    [
        (
            CHILD,
            "light.turn_on",
            {},
            (
                "light.turn_on: no rule lets user child through direct do everything, and "
                "it names no target"
            ),
        ),
        (
            CHILD,
            "light.turn_on",
            {"area_id": ["cellar"]},
            (
                "light.turn_on: no rule lets user child through direct do everything, and "
                "something it names cannot be found"
            ),
        ),
        (
            CHILD_TALKS,
            "seq_create",
            {},
            "seq_create: no rule lets user child through conversation propose sequences",
        ),
        (
            UNKNOWN,
            "get_state",
            {"entity_id": ["lock.door"]},
            (
                "get_state: no rule lets a caller without user through unknown read "
                "lock.door"
            ),
        ),
        (
            CHILD_TALKS,
            "light.turn_on",
            {"area_id": ["study"]},
            (
                "light.turn_on: no rule lets user child through conversation use any of "
                "what it would reach"
            ),
        ),
        (
            Caller(entrance=Entrance.DIRECT, user_id="guest"),
            "light.turn_on",
            {"entity_id": ["light.kitchen"]},
            (
                "light.turn_on: no rule lets user guest through direct use light.kitchen "
                "(Home Assistant's own permissions)"
            ),
        ),
        (
            CHILD,
            "notify.phone",
            {},
            "notify.phone: no rule lets user child through direct use notify.phone",
        ),
    ],
)
def test_refusal_names_tool_and_missing_grant(
    caller: Caller, tool: str, arguments: dict[str, list[str]], words: str
) -> None:
    """For those who see everything; the kernel masks it for others."""
    policy = policy_of()
    assert policy.can_use(caller, FakeTool(tool), arguments).detail == words
    assert policy.explain(caller, FakeTool(tool), arguments).missing == words


def test_many_missing_things_are_counted() -> None:
    """A sentence stays a sentence."""
    names = [f"light.x{number}" for number in range(9)]
    decision = policy_of().can_use(
        CHILD_TALKS, FakeTool("light.turn_on"), {"entity_id": names}
    )
    assert decision.detail.endswith(
        "light.x0, light.x1, light.x2, light.x3, light.x4 and 4 more"
    )


def test_everything_is_explained_too() -> None:
    """An administrator's rule is named for each thing."""
    told = policy_of().explain(
        ADMIN, FakeTool("lock.unlock"), {"entity_id": ["lock.door"]}
    )
    assert [one.rule for one in told.things] == ["administrators_directly"]
    assert told.things[0].rule_name == "Administrators, directly"


def test_asking_is_told() -> None:
    """As why, beside the rule."""
    asks = rule(
        who=frozenset({Who.SIGNED_IN}),
        through=frozenset({Entrance.CONVERSATION}),
        what=frozenset({What.ENTITY_ACTIONS}),
        how=How.ASK,
    )
    told = policy_of([asks]).explain(
        CHILD_TALKS, FakeTool("lock.unlock"), {"entity_id": ["lock.door"]}
    )
    assert (told.verdict, told.things[0].why) == (Verdict.ASK, "asked")


def test_without_arguments_all_that_could_be_is_told() -> None:
    """What a voice device may do with an action at all."""
    told = policy_of().explain(SATELLITE, FakeTool("scene.turn_on"), None)
    assert told.verdict is Verdict.ALLOW
    assert [one.id for one in told.things] == ["scene.exposed"]
    assert told.left_out == ("scene.evening",)
