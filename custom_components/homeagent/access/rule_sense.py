"""Rules that say nothing, or something that can never be (page 3 §3.2).

Above `model`. A rule that could never apply would be believed by whoever wrote it, so it
is refused when it is written.
"""

from collections.abc import Iterator

from ..kernel.contract import Entrance
from .model import CAPABILITY_DOMAINS, AccessRule, How, What, Where, Who
from .rule_problems import Problem, problem

_LOGGED_IN = frozenset(
    {Entrance.DIRECT, Entrance.CONVERSATION, Entrance.MCP, Entrance.SENTENCE}
)
_SPOKEN = frozenset({Entrance.CONVERSATION, Entrance.SENTENCE})

_WAYS: dict[Who, frozenset[Entrance]] = {
    Who.ADMINISTRATORS: _LOGGED_IN,
    Who.SIGNED_IN: _LOGGED_IN,
    Who.VOICE_DEVICES: _SPOKEN,
    Who.AUTOMATIONS: frozenset({Entrance.AUTOMATION}),
    Who.UNKNOWN: _LOGGED_IN | {Entrance.UNKNOWN},
}
_ANY_PLACE = frozenset({Where.EVERYWHERE, Where.EXPOSED})


def nonsense(rule: AccessRule) -> list[Problem]:
    """Return what makes a rule empty or impossible; the data itself is well formed."""
    return [*_empty(rule), *_impossible_ways(rule), *_impossible_places(rule)]


def _empty(rule: AccessRule) -> Iterator[Problem]:
    if not (rule.who or rule.users or rule.devices):
        yield problem("who", "nobody", [], "at least one of who, users, devices")
    if not rule.through:
        yield problem("through", "no_entrance", [], "at least one entrance")
    if not (rule.where or rule.areas or rule.floors):
        yield problem("where", "nowhere", [], "at least one of where, areas, floors")
    if not (rule.what or rule.tools or rule.entities or rule.sequences):
        right = "at least one of what, tools, entities, sequences"
        yield problem("what", "nothing", [], right)


def _impossible_ways(rule: AccessRule) -> Iterator[Problem]:
    named = [("who", who.value, _WAYS[who]) for who in sorted(rule.who)]
    if rule.users:
        named.append(("users", "users", _LOGGED_IN))
    if rule.devices:
        named.append(("devices", "voice devices", _SPOKEN))
    for field, name, ways in named:
        if rule.through and rule.through.isdisjoint(ways):
            right = f"for {name} also one of {', '.join(sorted(ways))} in through"
            yield problem(field, "other_entrance", sorted(rule.through), right)
    if rule.how is How.ASK and Who.AUTOMATIONS in rule.who:
        right = "allow: automations are not asked, so ask would grant them nothing"
        yield problem("how", "automations_not_asked", rule.how.value, right)


def _impossible_places(rule: AccessRule) -> Iterator[Problem]:
    if Where.SPEAKING_AREA in rule.where and not (
        rule.devices or Who.VOICE_DEVICES in rule.who
    ):
        right = (
            "voice devices among those the rule is for: others do not speak anywhere"
        )
        yield problem("where", "nobody_speaks", sorted(rule.where), right)
    nowhere = not (rule.where or rule.areas or rule.floors)
    if nowhere or not rule.where.isdisjoint(_ANY_PLACE):
        return
    right = "everywhere or exposed: areas do not reach what nobody can look into"
    if blind := [one for one in sorted(rule.entities) if _is_blind(one)]:
        yield problem("entities", "area_does_not_reach", blind, right)
    if rule.sequences or What.RUNNING_SEQUENCES in rule.what:
        found = sorted(rule.sequences) or What.RUNNING_SEQUENCES.value
        field = "sequences" if rule.sequences else "what"
        yield problem(field, "area_does_not_reach", found, right)


def _is_blind(entity_id: str) -> bool:
    return entity_id.partition(".")[0] in CAPABILITY_DOMAINS
