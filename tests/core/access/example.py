"""A home as people have it, its rules, and short words for questions to the policy."""

from collections.abc import Iterable

from custom_components.homeagent.access.defaults import defaults
from custom_components.homeagent.access.model import AccessRule, Where
from custom_components.homeagent.access.policy import RulePolicy
from custom_components.homeagent.access.ports import SequenceView, UserKind
from custom_components.homeagent.kernel.contract import (
    Caller,
    Decision,
    Entrance,
    Verdict,
)

from .house import Entity, FakeTool, House, View

ADMIN = Caller(entrance=Entrance.DIRECT, user_id="admin")
ADMIN_TALKS = Caller(entrance=Entrance.CONVERSATION, user_id="admin")
ADMIN_MCP = Caller(entrance=Entrance.MCP, user_id="admin")
CHILD = Caller(entrance=Entrance.DIRECT, user_id="child")
CHILD_TALKS = Caller(entrance=Entrance.CONVERSATION, user_id="child")
SATELLITE = Caller(
    entrance=Entrance.CONVERSATION, device_id="satellite", area_id="kitchen"
)
PHONE = Caller(entrance=Entrance.CONVERSATION, user_id="voip", device_id="satellite")
SENTENCE = Caller(entrance=Entrance.SENTENCE, device_id="satellite", area_id="kitchen")
AUTOMATION = Caller(entrance=Entrance.AUTOMATION)
UNKNOWN = Caller(entrance=Entrance.UNKNOWN)
SYSTEM = Caller(entrance=Entrance.SYSTEM)
GONE = Caller(entrance=Entrance.DIRECT, user_id="gone")
STRANGER = Caller(entrance=Entrance.DIRECT, user_id="never was")


def house() -> House:
    """Return a new home: kitchen and bath on the ground floor, a study on top."""
    return House(
        entities={
            "light.kitchen": Entity(area="kitchen", exposed=True),
            "light.bath": Entity(area="bath", exposed=True),
            # In the hub's area by its device, but itself somewhere else.
            "light.study": Entity(area="study", device="hub"),
            "light.hub": Entity(device="hub"),
            "light.nowhere": Entity(labels=frozenset({"night"})),
            "lock.door": Entity(area="kitchen"),
            "sensor.heat": Entity(area="kitchen", exposed=True),
            "group.lights": Entity(
                exposed=True, members=frozenset({"light.kitchen", "light.bath"})
            ),
            "group.mixed": Entity(
                exposed=True, members=frozenset({"group.lights", "light.study"})
            ),
            "group.empty": Entity(exposed=True),
            "light.room": Entity(
                area="kitchen", exposed=True, members=frozenset({"light.study"})
            ),
            "group.a": Entity(
                exposed=True, members=frozenset({"group.b", "light.kitchen"})
            ),
            "group.b": Entity(exposed=True, members=frozenset({"group.a"})),
            "scene.evening": Entity(area="kitchen"),
            "scene.exposed": Entity(area="kitchen", exposed=True),
            "script.movie": Entity(area="kitchen"),
        },
        floors={"kitchen": "ground", "bath": "ground", "study": "top"},
        areas=frozenset({"kitchen", "bath", "study", "empty"}),
        devices={"hub": "kitchen", "nas": "study", "satellite": "kitchen"},
        sequences={
            "plain": SequenceView(),
            "shown": SequenceView(exposed=True),
            "spoken": SequenceView(has_sentences=True),
        },
        users={
            "admin": UserKind.ADMINISTRATOR,
            "child": UserKind.PERSON,
            "guest": UserKind.PERSON,
            "voip": UserKind.SYSTEM,
            "gone": UserKind.NOBODY,
        },
        forbidden=frozenset({("guest", "light.kitchen")}),
    )


def policy_of(
    rules: Iterable[AccessRule] | None = None, view: View | None = None
) -> RulePolicy:
    """Return the policy of a home; without rules, with the default ones."""
    view = view or View(house())
    fixed = defaults() if rules is None else tuple(rules)
    return RulePolicy(home=view, calls=view, rules=lambda: fixed)


def ask(
    policy: RulePolicy, caller: Caller, tool: str, **arguments: str | list[str]
) -> Decision:
    """Ask whether a caller may make a call; a text stands for a list of one."""
    listed = {
        key: [value] if isinstance(value, str) else value
        for key, value in arguments.items()
    }
    return policy.can_use(caller, FakeTool(tool), listed)


def says(
    policy: RulePolicy, caller: Caller, tool: str, **arguments: str | list[str]
) -> str:
    """Return the answer in one word, and how many entities remain of a cut target."""
    decision = ask(policy, caller, tool, **arguments)
    if decision.verdict is Verdict.REFUSE:
        return "no"
    word = "yes" if decision.verdict is Verdict.ALLOW else "ask"
    if decision.arguments is None:
        return word
    kept = decision.arguments["entity_id"]
    assert isinstance(kept, list)
    return f"{word} {len(kept)}"


def rule(**parts: object) -> AccessRule:
    """Return a rule; everywhere unless it says where."""
    made = AccessRule(id="r", name="R", **parts)  # type: ignore[arg-type]
    if made.where or made.areas or made.floors:
        return made
    return AccessRule(id="r", name="R", where={Where.EVERYWHERE}, **parts)  # type: ignore[arg-type]
