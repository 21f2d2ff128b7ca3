"""What a call acts on, and what is left of it (page 3 §3.3)."""

import pytest

from custom_components.homeagent.access.model import AccessRule, How, What, Where, Who
from custom_components.homeagent.kernel.contract import Caller, Entrance, Verdict

from .example import (
    ADMIN,
    ADMIN_TALKS,
    AUTOMATION,
    CHILD,
    CHILD_TALKS,
    SATELLITE,
    ask,
    house,
    policy_of,
    rule,
    says,
)
from .house import FakeTool, View

type Arguments = dict[str, str | list[str]]

PEOPLE = frozenset({Who.SIGNED_IN})
TALKING = frozenset({Entrance.CONVERSATION})
DIRECT = frozenset({Entrance.DIRECT})
ACTIONS = frozenset({What.ENTITY_ACTIONS})


def talking(**parts: object) -> AccessRule:
    """Return a rule for everyone signed in, through conversation."""
    return rule(who=PEOPLE, through=TALKING, **parts)


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        ({"entity_id": "light.kitchen"}, "yes"),
        ({"entity_id": ["light.kitchen", "light.bath"]}, "yes"),
        ({"entity_id": ["light.kitchen", "light.study"]}, "no"),
        ({"entity_id": "light.ghost"}, "no"),
        ({"entity_id": "all"}, "yes 2"),
        ({"area_id": "kitchen"}, "yes 1"),
        ({"area_id": "bath"}, "yes"),
        ({"area_id": "study"}, "no"),
        ({"area_id": "empty"}, "no"),
        ({"area_id": "cellar"}, "no"),
        ({"area_id": ["bath", "cellar"]}, "no"),
        ({"floor_id": "ground"}, "yes 2"),
        ({"label_id": "night"}, "no"),
        ({"device_id": "hub"}, "no"),
        ({"entity_id": "light.study", "area_id": "bath"}, "no"),
        ({"entity_id": "light.kitchen", "area_id": "study"}, "yes 1"),
        ({"entity_id": "group.lights"}, "yes"),
        ({"entity_id": "group.mixed"}, "no"),
        ({"entity_id": "group.empty"}, "no"),
        ({"entity_id": "light.room"}, "no"),
        ({"entity_id": "group.a"}, "yes"),
        ({}, "no"),
    ],
)
def test_exposed_targets(target: Arguments, answer: str) -> None:
    """Named directly: each; reached: what is granted; in doubt: no."""
    assert says(policy_of(), CHILD_TALKS, "light.turn_on", **target) == answer


def test_warning_gives_the_number_and_no_names() -> None:
    """What is left out is counted."""
    decision = ask(policy_of(), CHILD_TALKS, "light.turn_on", entity_id="all")
    assert decision.warnings == ("4 entities are left out: not allowed",)
    assert decision.arguments == {"entity_id": ["light.bath", "light.kitchen"]}


@pytest.mark.parametrize(
    ("where", "granted"),
    [
        ({"where": frozenset({Where.EVERYWHERE})}, "kitchen bath study hub nowhere"),
        ({"where": frozenset({Where.EXPOSED})}, "kitchen bath"),
        ({"where": frozenset({Where.NO_AREA})}, "nowhere"),
        ({"areas": frozenset({"kitchen"})}, "kitchen hub"),
        ({"areas": frozenset({"study"})}, "study"),
        ({"floors": frozenset({"top"})}, "study"),
        ({"floors": frozenset({"ground"})}, "kitchen bath hub"),
        ({"where": frozenset({Where.SPEAKING_AREA})}, ""),
    ],
)
def test_where(where: dict[str, object], granted: str) -> None:
    """An entity's own area comes first, then its device's."""
    policy = policy_of([talking(what=ACTIONS, **where)])
    names = ("kitchen", "bath", "study", "hub", "nowhere")
    found = [
        name
        for name in names
        if says(policy, CHILD_TALKS, "light.turn_on", entity_id=f"light.{name}")
        == "yes"
    ]
    assert found == granted.split()


@pytest.mark.parametrize(
    ("caller", "answer"),
    [
        (SATELLITE, "yes"),
        (Caller(entrance=Entrance.CONVERSATION, device_id="satellite"), "no"),
        (
            Caller(
                entrance=Entrance.CONVERSATION,
                user_id="child",
                device_id="satellite",
                area_id="kitchen",
            ),
            "no",
        ),
        (
            Caller(entrance=Entrance.MCP, device_id="satellite", area_id="kitchen"),
            "no",
        ),
        (
            Caller(
                entrance=Entrance.CONVERSATION,
                user_id="gone",
                device_id="satellite",
                area_id="kitchen",
            ),
            "no",
        ),
    ],
)
def test_speaking_area_is_for_voice_devices(caller: Caller, answer: str) -> None:
    """A device id that a client supplies opens no area."""
    everyone = frozenset(Who)
    speaking = rule(
        who=everyone,
        through=frozenset({Entrance.CONVERSATION, Entrance.MCP}),
        what=ACTIONS,
        where=frozenset({Where.SPEAKING_AREA}),
    )
    policy = policy_of([speaking])
    assert says(policy, caller, "light.turn_on", entity_id="light.kitchen") == answer
    assert says(policy, caller, "light.turn_on", entity_id="light.bath") == "no"


@pytest.mark.parametrize(
    ("parts", "scene", "script"),
    [
        ({"what": ACTIONS}, "no", "no"),
        ({"what": ACTIONS, "areas": frozenset({"kitchen"})}, "no", "no"),
        ({"what": frozenset({What.EVERYTHING}), "areas": {"kitchen"}}, "no", "no"),
        ({"what": ACTIONS, "where": frozenset({Where.EXPOSED})}, "no", "no"),
        ({"tools": frozenset({"scene.*", "script.*"})}, "no", "no"),
        ({"tools": frozenset({"scene.turn_on", "script.turn_on"})}, "no", "no"),
        ({"tools": frozenset({"script.movie"})}, "no", "yes"),
        ({"entities": frozenset({"scene.evening"})}, "yes", "no"),
        ({"entities": frozenset({"script.movie"})}, "no", "yes"),
        ({"entities": {"script.movie"}, "areas": {"kitchen"}}, "no", "no"),
        ({"what": frozenset({What.EVERYTHING})}, "yes", "yes"),
    ],
)
def test_capabilities(parts: dict[str, object], scene: str, script: str) -> None:
    """Areas and patterns do not reach what nobody can look into."""
    policy = policy_of([talking(**parts)])
    caller = CHILD_TALKS
    assert says(policy, caller, "scene.turn_on", entity_id="scene.evening") == scene
    assert says(policy, caller, "script.movie") == script
    off = says(policy, caller, "homeassistant.turn_off", entity_id="script.movie")
    assert off in {"no", script}


@pytest.mark.parametrize(
    ("parts", "answer"),
    [
        ({"what": ACTIONS}, "no"),
        ({"what": frozenset(What) - {What.EVERYTHING}}, "no"),
        ({"what": frozenset({What.EVERYTHING})}, "yes"),
        ({"what": frozenset({What.EVERYTHING}), "areas": {"kitchen"}}, "no"),
        ({"tools": frozenset({"notify.phone"})}, "yes"),
        ({"tools": frozenset({"notify.*"}), "areas": {"kitchen"}}, "yes"),
        ({"tools": frozenset({"notify.*"}), "who": frozenset()}, "no"),
        ({"tools": frozenset({"notify.*"}), "through": DIRECT}, "no"),
        ({"tools": frozenset({"notify.*"}), "enabled": False}, "no"),
        ({"tools": frozenset({"n*"})}, "no"),
    ],
)
def test_actions_without_target(parts: dict[str, object], answer: str) -> None:
    """Only where a rule names them, or grants everything, for that entrance."""
    policy = policy_of([rule(**{"who": PEOPLE, "through": TALKING, **parts})])
    assert says(policy, CHILD_TALKS, "notify.phone") == answer


@pytest.mark.parametrize(
    ("parts", "answers"),
    [
        ({"what": frozenset({What.HOSTS})}, ("yes", "yes")),
        ({"tools": frozenset({"host_run"})}, ("yes", "yes")),
        (
            {"what": frozenset({What.HOSTS}), "areas": frozenset({"study"})},
            ("yes", "no"),
        ),
        ({"what": frozenset({What.HOSTS}), "floors": {"ground"}}, ("no", "yes")),
        ({"what": frozenset({What.HOSTS}), "where": {Where.EXPOSED}}, ("no", "no")),
        ({"what": ACTIONS}, ("no", "no")),
    ],
)
def test_hosts_are_devices(parts: dict[str, object], answers: tuple[str, str]) -> None:
    """A host sits in an area like any other device."""
    policy = policy_of([talking(**parts)])
    asked = [
        says(policy, CHILD_TALKS, "host_run", host=each) for each in ("nas", "hub")
    ]
    assert (asked[0], asked[1]) == answers
    assert says(policy, CHILD_TALKS, "host_run", host="lost") == "no"


@pytest.mark.parametrize(
    ("user", "tool", "answer"),
    [
        ("child", "light.turn_on", "yes"),
        ("guest", "light.turn_on", "no"),
        ("guest", "get_state", "no"),
        ("admin", "light.turn_on", "yes"),
    ],
)
def test_permissions_of_home_assistant_come_on_top(
    user: str, tool: str, answer: str
) -> None:
    """They take away, and never give."""
    caller = Caller(entrance=Entrance.DIRECT, user_id=user)
    assert says(policy_of(), caller, tool, entity_id="light.kitchen") == answer


def test_permissions_count_where_everything_is_granted() -> None:
    """Also for a rule that leaves nothing out."""
    everything = rule(
        users=frozenset({"guest"}), through=DIRECT, what=frozenset({What.EVERYTHING})
    )
    policy = policy_of([everything])
    guest = Caller(entrance=Entrance.DIRECT, user_id="guest")
    assert says(policy, guest, "light.turn_on", entity_id="light.kitchen") == "no"
    assert says(policy, guest, "light.turn_on", entity_id="light.bath") == "yes"
    assert says(policy, guest, "light.turn_on", floor_id="ground") == "yes 3"
    assert says(policy, guest, "light.turn_on") == "yes"


@pytest.mark.parametrize(
    ("extra", "target", "answer"),
    [
        ({"what": ACTIONS}, {"entity_id": "lock.door"}, "ask"),
        (
            {"what": ACTIONS},
            {"entity_id": ["lock.door", "light.kitchen"]},
            "ask",
        ),
        ({"what": ACTIONS}, {"entity_id": "light.kitchen"}, "yes"),
        ({"what": ACTIONS}, {"area_id": "kitchen"}, "ask"),
        ({"what": frozenset({What.READING})}, {"entity_id": "lock.door"}, "no"),
        ({"what": frozenset({What.EVERYTHING})}, {}, "ask"),
    ],
)
def test_ask_counts_where_nothing_grants_plainly(
    extra: dict[str, object], target: Arguments, answer: str
) -> None:
    """A plain rule for the same thing wins, whatever the order of rules."""
    exposed = frozenset({Where.EXPOSED})
    asks = talking(how=How.ASK, **extra)
    plain = talking(what=ACTIONS, where=exposed)
    for rules in ([asks, plain], [plain, asks]):
        policy = policy_of(rules)
        found = says(policy, CHILD_TALKS, "homeassistant.turn_off", **target)
        assert found.split()[0] == answer


def test_automations_are_not_asked() -> None:
    """A rule that asks grants them nothing; a marked tool does not stop them."""
    everyone = rule(
        who=frozenset(Who),
        through=frozenset(Entrance),
        what=frozenset({What.EVERYTHING}),
        how=How.ASK,
    )
    policy = policy_of([everyone])
    assert says(policy, AUTOMATION, "notify.phone") == "no"
    assert says(policy, ADMIN, "notify.phone") == "ask"


@pytest.mark.parametrize(
    ("caller", "answer"), [(ADMIN, "ask"), (AUTOMATION, "yes"), (CHILD_TALKS, "no")]
)
def test_marked_tools_ask(caller: Caller, answer: str) -> None:
    """Also where everything is granted; a mark grants nothing."""
    view = View(house(), marked=frozenset({"notify.phone"}))
    policy = policy_of(view=view)
    assert says(policy, caller, "notify.phone") == answer


@pytest.mark.parametrize(
    ("caller", "tool", "verdict"),
    [
        (CHILD_TALKS, "light.turn_on", Verdict.ALLOW),
        (CHILD_TALKS, "lock.unlock", Verdict.REFUSE),
        (CHILD_TALKS, "script.movie", Verdict.REFUSE),
        (CHILD_TALKS, "scene.turn_on", Verdict.ALLOW),
        (CHILD_TALKS, "seq_run", Verdict.ALLOW),
        (CHILD_TALKS, "seq_create", Verdict.REFUSE),
        (ADMIN_TALKS, "seq_create", Verdict.ALLOW),
        (ADMIN_TALKS, "seq_delete", Verdict.REFUSE),
        (CHILD_TALKS, "host_run", Verdict.REFUSE),
        (CHILD_TALKS, "notify.phone", Verdict.REFUSE),
        (CHILD, "lock.unlock", Verdict.ALLOW),
        (ADMIN, "shell_command.wipe", Verdict.ALLOW),
        (CHILD_TALKS, "find_entities", Verdict.ALLOW),
    ],
)
def test_could_any_call_succeed(caller: Caller, tool: str, verdict: Verdict) -> None:
    """What searches list, and buttons show."""
    assert policy_of().can_use(caller, FakeTool(tool), None).verdict is verdict


def test_rules_and_home_may_change_at_any_time() -> None:
    """Nothing is remembered longer than it is true."""
    view = View(house())
    policy = policy_of(view=view)
    assert says(policy, CHILD_TALKS, "light.turn_on", entity_id="light.study") == "no"
    view.house.entities["light.study"].exposed = True
    view.number += 1
    assert says(policy, CHILD_TALKS, "light.turn_on", entity_id="light.study") == "yes"
    # Members change without any registry.
    view.house.entities["group.lights"].members |= {"light.hub"}
    assert says(policy, CHILD_TALKS, "light.turn_on", entity_id="group.lights") == "no"
