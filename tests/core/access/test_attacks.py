"""Ways around the rules that somebody might try (page 3 §3.1, §3.3, page 1 §1.6)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import override

import pytest

from custom_components.homeagent.access.answers import AnswerRule
from custom_components.homeagent.access.model import How, What, Who
from custom_components.homeagent.access.ports import CallScope
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Entrance,
    Tool,
    ToolCall,
    Verdict,
)
from custom_components.homeagent.kernel.requests import Request

from .example import (
    ADMIN,
    ADMIN_TALKS,
    AUTOMATION,
    CHILD,
    CHILD_TALKS,
    PHONE,
    SATELLITE,
    SENTENCE,
    UNKNOWN,
    ask,
    house,
    policy_of,
    rule,
    says,
)
from .house import View


@dataclass
class Lying(View):
    """A home whose reduction says something else than it was told to."""

    lie: Callable[[frozenset[str]], Arguments | None] = lambda keep: None

    @override
    def reduce(
        self, tool: Tool, arguments: Arguments, keep: frozenset[str]
    ) -> Arguments | None:
        """Lie."""
        return self.lie(keep)


@pytest.mark.parametrize(
    ("lie", "answer"),
    [
        (lambda keep: {"entity_id": sorted(keep)}, "yes 1"),
        (lambda keep: {"entity_id": [*sorted(keep), "light.room"]}, "no"),
        (lambda keep: {"area_id": ["kitchen"], "entity_id": sorted(keep)}, "no"),
        (lambda keep: {"entity_id": ["all"]}, "no"),
        (lambda keep: {"entity_id": sorted(keep), "area_id": ["cellar"]}, "no"),
        (lambda keep: None, "no"),
    ],
)
def test_reduction_is_looked_at(
    lie: Callable[[frozenset[str]], Arguments | None], answer: str
) -> None:
    """What the reduced arguments act on must be what was granted."""
    policy = policy_of(view=Lying(house(), lie=lie))
    assert says(policy, CHILD_TALKS, "light.turn_on", area_id="kitchen") == answer


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("homeassistant.turn_off", {"entity_id": "lock.door"}),
        ("homeassistant.turn_off", {"entity_id": "script.movie"}),
        ("homeassistant.turn_off", {"entity_id": "scene.evening"}),
        ("homeassistant.turn_off", {"entity_id": ["light.kitchen", "lock.door"]}),
        ("lock.unlock", {"area_id": "kitchen"}),
        ("lock.unlock", {"floor_id": "ground"}),
        ("lock.unlock", {"device_id": "hub"}),
        ("lock.unlock", {"label_id": "night"}),
        ("lock.unlock", {"entity_id": "all"}),
        ("light.turn_on", {"entity_id": "group.mixed"}),
        ("light.turn_on", {"entity_id": "light.room"}),
        ("group.set", {"entity_id": "light.kitchen"}),
        ("get_state", {"entity_id": "lock.door"}),
        ("get_state", {"entity_id": "group.mixed"}),
        ("script.movie", {}),
        ("shell_command.wipe", {}),
        ("seq_run", {"name": "plain"}),
        ("seq_run", {"name": "unheard of"}),
        ("seq_delete", {"name": "shown"}),
        ("host_run", {"host": "nas"}),
    ],
)
@pytest.mark.parametrize(
    "caller",
    [
        ADMIN_TALKS,
        CHILD_TALKS,
        SATELLITE,
        PHONE,
        SENTENCE,
        UNKNOWN,
        replace(CHILD_TALKS, entrance=Entrance.MCP, device_id="satellite"),
        replace(ADMIN_TALKS, device_id="satellite", area_id="kitchen"),
    ],
)
def test_forbidden_by_any_name(
    caller: Caller, tool: str, arguments: dict[str, str | list[str]]
) -> None:
    """However it is named, and whoever speaks: what is not exposed is out of reach."""
    assert says(policy_of(), caller, tool, **arguments) == "no"


@pytest.mark.parametrize(
    "tool", ["light.turn_on", "get_state", "homeassistant.turn_off"]
)
def test_refusals_of_hidden_and_of_missing_things_differ_in_the_detail_only(
    tool: str,
) -> None:
    """The detail is for those who see everything; all else tells nothing."""
    policy = policy_of()
    for one, other in (
        ({"entity_id": "light.study"}, {"entity_id": "light.ghost"}),
        ({"area_id": "study"}, {"area_id": "cellar"}),
    ):
        hidden = ask(policy, CHILD_TALKS, tool, **one)
        missing = ask(policy, CHILD_TALKS, tool, **other)
        assert replace(hidden, detail="") == replace(missing, detail="")
        assert hidden.verdict is Verdict.REFUSE
    assert not policy.sees_everything(CHILD_TALKS)
    assert not policy.sees_everything(ADMIN_TALKS)
    assert policy.sees_everything(ADMIN)


@pytest.mark.parametrize(
    "entrance", [each for each in Entrance if each != "automation"]
)
def test_context_of_an_automation_does_not_make_one(entrance: Entrance) -> None:
    """Only the entrance says that an automation acts."""
    automations = rule(
        who=frozenset({Who.AUTOMATIONS}),
        through=frozenset(Entrance),
        what=frozenset({What.EVERYTHING}),
    )
    caller = Caller(entrance=entrance, user_id="child", context=AUTOMATION)
    assert says(policy_of([automations]), caller, "notify.phone") == "no"


def test_area_reaches_into_a_group_only_as_far_as_granted() -> None:
    """A group in a granted area whose members stand elsewhere is left out whole."""
    kitchen = rule(
        who=frozenset({Who.SIGNED_IN}),
        through=frozenset({Entrance.CONVERSATION}),
        what=frozenset({What.ENTITY_ACTIONS}),
        areas=frozenset({"kitchen"}),
    )
    decision = ask(
        policy_of([kitchen]), CHILD_TALKS, "light.turn_on", area_id="kitchen"
    )
    assert decision.arguments == {"entity_id": ["light.hub", "light.kitchen"]}


def test_ask_does_not_widen_what_it_asks_for() -> None:
    """A yes is asked for what rules grant; the rest of a named target refuses all."""
    asks = rule(
        who=frozenset({Who.SIGNED_IN}),
        through=frozenset({Entrance.CONVERSATION}),
        entities=frozenset({"lock.door"}),
        how=How.ASK,
    )
    policy = policy_of([asks])
    assert says(policy, CHILD_TALKS, "lock.unlock", entity_id="lock.door") == "ask"
    named = ["lock.door", "light.study"]
    off = says(policy, CHILD_TALKS, "homeassistant.turn_off", entity_id=named)
    assert off == "no"


def waiting(caller: Caller) -> Request:
    """Return a request of a caller."""
    call = ToolCall(tool="lock.unlock")
    return Request(id="x", caller=caller, call=call, agreed=frozenset(), expires=0.0)


@pytest.mark.parametrize(
    ("by", "asked", "counts"),
    [
        ("child", CHILD_TALKS, True),
        ("child", SATELLITE, True),
        ("child", PHONE, True),
        ("child", UNKNOWN, True),
        ("child", ADMIN_TALKS, False),
        ("guest", CHILD, False),
        ("admin", CHILD_TALKS, True),
        ("gone", SATELLITE, False),
        ("stranger", SATELLITE, False),
        ("voip", PHONE, False),
        (None, SATELLITE, False),
    ],
)
def test_whose_yes_counts(by: str | None, asked: Caller, counts: bool) -> None:
    """One's own requests, those without a login, and for administrators all."""
    answering = Caller(entrance=Entrance.DIRECT, user_id=by)
    assert AnswerRule(View(house()))(answering, waiting(asked)) is counts


def test_scope_that_claims_nothing_is_a_doubt() -> None:
    """A tool of which nothing is known acts on nothing that a rule could grant."""

    @dataclass
    class Silent(View):
        """A home whose calls act on nothing, they say."""

        @override
        def scope(self, tool: Tool, arguments: Arguments) -> CallScope:
            """Say nothing."""
            return replace(super().scope(tool, {}), takes_target=False)

    policy = policy_of(view=Silent(house()))
    assert says(policy, CHILD, "light.turn_on", entity_id="light.kitchen") == "no"
    assert says(policy, ADMIN, "light.turn_on", entity_id="light.kitchen") == "yes"
