"""Random homes in a real Home Assistant: its registries, its targets, and our gate.

The tables of the core's property test are put into the registries, the calls go through
the real action tools, and the slow model of the rules says what is right (page 3 §3.5).
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import override

from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from homeassistant.setup import async_setup_component
from hypothesis import event, given, settings, strategies as st
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.access.model import AccessRule
from custom_components.homeagent.access.policy import RulePolicy
from custom_components.homeagent.kernel.contract import Caller, Tool, Verdict
from custom_components.homeagent.runtime import DATA_RUNTIME, Runtime
from custom_components.homeagent.tools.access_calls import Calls
from tests.core.access.house import Entity, House
from tests.core.access.slow_model import Outcome, Question
from tests.core.access.test_property import (
    AREAS,
    ARGUMENTS,
    DEVICES,
    FLOORS,
    IDS,
    LABELS,
    callers,
    houses,
    rules,
)
from tests.ha.tools.house import Bolt, Lamp, async_move_in

TARGETED = (
    "light.turn_on",
    "lock.unlock",
    "homeassistant.turn_off",
    "scene.turn_on",
)
OTHERS = (
    "get_state",
    "script.movie",
    "group.set",
    "notify.phone",
    "shell_command.wipe",
    "tool_search",
    "find_entities",
    "seq_create",
)
TURNED_OFF = ("light.", "script.")
"""What Home Assistant can turn off, of the entities here."""


@dataclass(frozen=True)
class Real(Question):
    """The slow model's question, where Home Assistant knows more than the tables."""

    @override
    def is_reached(self, entity_id: str) -> bool:
        """See what each action acts on: `ONLY` says nothing of turning off."""
        if self.tool == "homeassistant.turn_off" and not entity_id.startswith(
            TURNED_OFF
        ):
            return False
        return super().is_reached(entity_id)

    @override
    def is_lost(self) -> bool:
        """A label is there whether anything has it or not."""
        known = {"label_id": LABELS, "area_id": AREAS, "device_id": DEVICES}
        return any(
            one not in known.get(key, FLOORS)
            for key in ("label_id", "area_id", "device_id", "floor_id")
            for one in self.ids(key)
        )


class RealHome:
    """Home Assistant, furnished as a test's tables say."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start empty."""
        self.hass = hass
        self.ids: dict[str, str] = {}

    async def async_build(self) -> Runtime:
        """Build all that the tables may name."""
        hass = self.hass
        await async_move_in(hass, [Lamp("a"), Lamp("b"), Lamp("room"), Bolt("door")])
        parts: dict[str, object] = {
            "group": {"all": {"entities": ["light.a"]}},
            "scene": [{"id": "eve", "name": "Eve", "entities": {"light.a": "on"}}],
            "script": {"movie": {"sequence": [{"stop": "done"}]}},
        }
        for domain, config in parts.items():
            assert await async_setup_component(hass, domain, {domain: config})
        for domain, action in (("shell_command", "wipe"), ("notify", "phone")):
            hass.services.async_register(domain, action, lambda call: None)
        er.async_get(hass).async_get_or_create(
            "sensor", "test", "heat", suggested_object_id="heat"
        )
        hass.states.async_set("sensor.heat", "20")
        self._make_places()
        await self._make_users()
        assert await async_setup_component(hass, "homeagent", {})
        await hass.async_block_till_done()
        runtime = hass.data[DATA_RUNTIME]
        await runtime.actions.async_prepare()
        return runtime

    def _make_places(self) -> None:
        hass = self.hass
        for area in AREAS:
            self.ids[area] = ar.async_get(hass).async_create(area).id
        for floor in FLOORS:
            self.ids[floor] = fr.async_get(hass).async_create(floor).floor_id
        for label in LABELS:
            self.ids[label] = lr.async_get(hass).async_create(label).label_id
        entry = MockConfigEntry(domain="test")
        entry.add_to_hass(hass)
        for device in DEVICES:
            made = dr.async_get(hass).async_get_or_create(
                config_entry_id=entry.entry_id, identifiers={("test", device)}
            )
            self.ids[device] = made.id

    async def _make_users(self) -> None:
        auth = self.hass.auth
        admin = await auth.async_create_user("admin", group_ids=[GROUP_ID_ADMIN])
        child = await auth.async_create_user("child", group_ids=[GROUP_ID_USER])
        gone = await auth.async_create_user("gone", group_ids=[GROUP_ID_USER])
        await auth.async_deactivate_user(gone)
        voip = await auth.async_create_system_user("voip", group_ids=[GROUP_ID_USER])
        for user in (admin, child, gone, voip):
            self.ids[str(user.name)] = user.id

    def real(self, name: str) -> str:
        """Return the id in Home Assistant of what the tables name."""
        return self.ids.get(name, name)

    def furnish(self, house: House) -> None:
        """Put everything where the tables have it."""
        hass = self.hass
        for area in AREAS:
            floor = house.floors.get(area)
            ar.async_get(hass).async_update(
                self.ids[area], floor_id=None if floor is None else self.ids[floor]
            )
        for device, place in house.devices.items():
            dr.async_get(hass).async_update_device(
                self.ids[device], area_id=None if place is None else self.ids[place]
            )
        for entity_id, entity in house.entities.items():
            self._put(entity_id, entity)
        # Last: entities write their state when their place changes.
        for entity_id in ("group.all", "light.room"):
            self._fill(entity_id, house.entities[entity_id].members)

    def _fill(self, entity_id: str, members: frozenset[str]) -> None:
        state = self.hass.states.get(entity_id)
        assert state is not None
        attributes = {**state.attributes, "entity_id": sorted(members)}
        self.hass.states.async_set(entity_id, state.state, attributes)

    def _put(self, entity_id: str, entity: Entity) -> None:
        hass = self.hass
        async_expose_entity(hass, "conversation", entity_id, entity.exposed)
        if entity_id == "group.all":
            return
        er.async_get(hass).async_update_entity(
            entity_id,
            # Only one with a name of its own may stand elsewhere than its device.
            name=entity_id,
            area_id=None if entity.area is None else self.ids[entity.area],
            device_id=None if entity.device is None else self.ids[entity.device],
            labels={self.ids[label] for label in entity.labels},
        )


@st.composite
def full_houses(draw: st.DrawFn) -> House:
    """Draw a home in which everything is there; an old group stands in no place."""
    house = draw(houses())
    entities = {each: house.entities.get(each, Entity()) for each in IDS}
    members = draw(st.sets(st.sampled_from(("light.a", "lock.door")), min_size=1))
    entities["group.all"] = Entity(
        exposed=entities["group.all"].exposed, members=frozenset(members)
    )
    room = draw(st.sets(st.sampled_from(("light.b", "light.ghost", "lock.door"))))
    entities["light.room"] = replace(entities["light.room"], members=frozenset(room))
    # Home Assistant lets nobody act who is not there, or not active.
    forbidden = frozenset(product(("gone", "stranger"), (*IDS, "light.ghost")))
    return replace(house, entities=entities, forbidden=forbidden)


@st.composite
def real_calls(draw: st.DrawFn) -> tuple[str, dict[str, list[str]]]:
    """Draw a call that Home Assistant would understand."""
    tool = draw(st.sampled_from((*TARGETED * 2, *OTHERS)))
    if tool in {"get_state", "group.set"}:
        ids = st.sampled_from((*IDS, "light.ghost"))
        return tool, {"entity_id": sorted(draw(st.sets(ids, min_size=1, max_size=2)))}
    if tool not in TARGETED:
        return tool, {}
    keys = draw(st.lists(st.sampled_from(tuple(ARGUMENTS)), max_size=2, unique=True))
    given_ids = {
        key: st.sampled_from((*ARGUMENTS[key][:-1] * 4, ARGUMENTS[key][-1]))
        for key in keys
    }
    return tool, {
        key: _all_alone(sorted(draw(st.sets(given_ids[key], min_size=1, max_size=2))))
        for key in keys
    }


def _all_alone(ids: list[str]) -> list[str]:
    """`all` is a word for itself."""
    return ["all"] if "all" in ids else ids


def _arguments(
    home: RealHome, tool: str, arguments: dict[str, list[str]]
) -> dict[str, object]:
    real: dict[str, object] = {
        key: [home.real(one) for one in ids] for key, ids in arguments.items()
    }
    if tool == "group.set":
        return {"object_id": "mine", "entities": real["entity_id"]}
    return real


def _renamed(home: RealHome, rule: AccessRule) -> AccessRule:
    """Return a rule with Home Assistant's ids."""

    def real(names: frozenset[str]) -> frozenset[str]:
        return frozenset(home.real(one) for one in names)

    return replace(
        rule,
        users=real(rule.users),
        devices=real(rule.devices),
        areas=real(rule.areas),
        floors=real(rule.floors),
    )


def _asked(home: RealHome, caller: Caller) -> Caller:
    return replace(
        caller,
        user_id=None if caller.user_id is None else home.real(caller.user_id),
        device_id=None if caller.device_id is None else home.real(caller.device_id),
        area_id=None if caller.area_id is None else home.real(caller.area_id),
    )


def _plain(house: House, outcome: Outcome) -> Outcome:
    """Put members in the place of the old group, as Home Assistant calls them."""
    acts_on: set[str] = set()
    for one in outcome.acts_on:
        acts_on |= house.entities[one].members if one == "group.all" else {one}
    return replace(outcome, acts_on=frozenset(acts_on))


def _decided(
    policy: RulePolicy,
    calls: Calls,
    caller: Caller,
    tool: Tool,
    arguments: dict[str, object],
) -> Outcome:
    checked = tool.check(arguments)
    decision = policy.can_use(caller, tool, checked.arguments)
    if decision.verdict is Verdict.REFUSE:
        return Outcome("no")
    reduced = decision.arguments
    scope = calls.scope(tool, checked.arguments if reduced is None else reduced)
    told = decision.warnings[0].split()[0] if decision.warnings else "0"
    return Outcome(
        "ask" if decision.verdict is Verdict.ASK else "yes",
        scope.direct | scope.indirect,
        1 if told == "one" else int(told),
    )


async def test_gate_agrees_with_the_slow_model(hass: HomeAssistant) -> None:
    """Whatever the home, the rules and the call, the model and the gate say the same."""
    home = RealHome(hass)
    runtime = await home.async_build()
    calls = Calls(sequences=runtime.library, asks=lambda name: False)

    @settings(max_examples=120, deadline=None)
    @given(
        house=full_houses(),
        ruled=st.integers(1, 6).flatmap(
            lambda number: st.tuples(*(rules(each) for each in range(number)))
        ),
        asking=st.lists(callers(), min_size=3, max_size=6),
        made=st.lists(real_calls(), min_size=4, max_size=8),
    )
    def agree(
        house: House,
        ruled: tuple[AccessRule, ...],
        asking: list[Caller],
        made: list[tuple[str, dict[str, list[str]]]],
    ) -> None:
        home.furnish(house)
        real_rules = tuple(_renamed(home, rule) for rule in ruled)
        policy = RulePolicy(home=runtime.home, calls=calls, rules=lambda: real_rules)
        for caller, (name, arguments) in product(asking, made):
            question = Real(
                house=house, rules=ruled, caller=caller, tool=name, arguments=arguments
            )
            expected = _plain(house, question.outcome())
            event(f"{expected.answer}{', cut' if expected.left_out else ''}")
            tool = runtime.registry.find(name)
            assert tool is not None, name
            who = _asked(home, caller)
            real_arguments = _arguments(home, name, arguments)
            decided = _decided(policy, calls, who, tool, real_arguments)
            assert decided == expected, question
            if expected.answer != "no":
                anything = policy.can_use(who, tool, None)
                assert anything.verdict is not Verdict.REFUSE or not (
                    expected.acts_on <= calls.widest(tool).indirect
                ), question

    agree()
