"""A home with one room that is granted to a child, and one that is not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from homeassistant.helpers.service import async_set_service_schema
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.const import (
    CONF_KIND,
    DOMAIN,
    KERNEL_UNIQUE_ID,
    KIND_KERNEL,
)
from custom_components.homeagent.kernel.contract import Caller, Entrance, ToolCall
from custom_components.homeagent.runtime import DATA_RUNTIME, Runtime
from tests.ha.tools.house import Bolt, Lamp, Player, async_move_in

CHILD_IN_THE_KITCHEN: Mapping[str, object] = {
    "through": ["direct", "conversation", "mcp", "sentence"],
    "areas": ["kitchen"],
    "what": ["entity_actions", "reading"],
}
CHILD_RUNS_OPEN: Mapping[str, object] = {
    "through": ["direct", "conversation", "mcp", "sentence"],
    "where": ["everywhere"],
    "sequences": ["open"],
}


@dataclass
class Guarded:
    """The home, who lives in it, and what happened."""

    hass: HomeAssistant
    child: User
    admin: User
    lamps: dict[str, Lamp]
    bolt: Bolt
    ids: dict[str, str] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)

    @property
    def runtime(self) -> Runtime:
        """What is under test."""
        return self.hass.data[DATA_RUNTIME]

    def untouched(self) -> bool:
        """Whether nothing of what is not granted has moved."""
        return (
            self.lamps["study"].runs == 0 and bool(self.bolt.is_locked) and not self.ran
        )

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, object],
        *,
        user: User | None = None,
        entrance: Entrance = Entrance.DIRECT,
        **more: Any,
    ) -> Any:
        """Make one call as a user, the child by default, and return its result."""
        who = self.child if user is None else user
        caller = Caller(entrance=entrance, user_id=who.id, **more)
        call = ToolCall(tool=tool, arguments=arguments)
        (result,) = (await self.runtime.call(caller, [call])).results
        await self.hass.async_block_till_done()
        return result


def rule(title: str, **data: object) -> ConfigSubentryData:
    """Return a rule as a subentry."""
    data = {"how": "allow", "enabled": True, **data}
    return ConfigSubentryData(
        data=data, subentry_type="access_rule", title=title, unique_id=None
    )


async def async_guarded(
    hass: HomeAssistant,
    *rules: ConfigSubentryData,
    components: Mapping[str, object] | None = None,
    more: Sequence[ConfigSubentryData] = (),
) -> Guarded:
    """Set up the home; without rules: the child may do all in the kitchen."""
    # The first one is the owner.
    admin = await hass.auth.async_create_user("Admin", group_ids=[GROUP_ID_ADMIN])
    child = await hass.auth.async_create_user("Child", group_ids=[GROUP_ID_USER])
    child_rules = (
        rule("kitchen", users=[child.id], **CHILD_IN_THE_KITCHEN),
        rule("open", users=[child.id], **CHILD_RUNS_OPEN),
        rule(
            "admin",
            who=["administrators"],
            through=["direct"],
            what=["everything"],
            where=["everywhere"],
        ),
        rule(
            "automations",
            who=["automations"],
            through=["automation"],
            what=["everything"],
            where=["everywhere"],
        ),
    )
    lamps = {name: Lamp(name) for name in ("kitchen", "study")}
    bolt = Bolt("front")
    await async_move_in(hass, [*lamps.values(), bolt, Player("kitchen")])
    home = Guarded(hass=hass, child=child, admin=admin, lamps=lamps, bolt=bolt)
    _place(home)
    _watch_actions(home)
    for domain, config in {**_parts(), **(components or {})}.items():
        assert await async_setup_component(hass, domain, {domain: config})
    entry = MockConfigEntry(
        domain=DOMAIN,
        data={CONF_KIND: KIND_KERNEL},
        unique_id=KERNEL_UNIQUE_ID,
        title="HomeAgent",
        version=1,
        minor_version=2,
        subentries_data=[*(rules or child_rules), *more],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    await home.runtime.actions.async_prepare()
    return home


def _place(home: Guarded) -> None:
    """Put the lamps into rooms, floors, labels and devices."""
    hass = home.hass
    areas, floors = ar.async_get(hass), fr.async_get(hass)
    entities, labels = er.async_get(hass), lr.async_get(hass)
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    both = labels.async_create("everywhere").label_id
    for name in ("kitchen", "study"):
        floor = floors.async_create(f"{name} floor")
        area = areas.async_create(name.capitalize())
        areas.async_update(area.id, floor_id=floor.floor_id)
        label = labels.async_create(f"{name} label")
        device = dr.async_get(hass).async_get_or_create(
            config_entry_id=entry.entry_id,
            identifiers={("test", name)},
            name=f"{name} hub",
        )
        dr.async_get(hass).async_update_device(device.id, area_id=area.id)
        lamp = f"light.{name}"
        registered = entities.async_update_entity(
            lamp, device_id=device.id, labels={label.label_id, both}
        )
        home.ids |= {
            f"{name} floor": floor.floor_id,
            f"{name} label": label.label_id,
            f"{name} device": device.id,
            f"{name} registry": registered.id,
        }
    entities.async_update_entity("lock.front", area_id="study")
    entities.async_update_entity("media_player.kitchen", area_id="kitchen")


def _watch_actions(home: Guarded) -> None:
    """Register actions that no rule grants, and note when they run."""

    async def ran(call: ServiceCall) -> None:
        home.ran.append(f"{call.domain}.{call.service}")

    for domain, action in (
        ("shell_command", "wipe"),
        ("rest_command", "send"),
        ("python_script", "evil"),
        ("notify", "phone"),
        ("vendor", "set_value"),
    ):
        home.hass.services.async_register(domain, action, ran)
    # Its target tells not all that it does: it is no entity service.
    described = {"name": "Set", "description": "", "fields": {}, "target": {}}
    async_set_service_schema(home.hass, "vendor", "set_value", described)


def _parts() -> dict[str, object]:
    """Return what people write in YAML: all of it reaches the study."""
    study_on = {"action": "light.turn_on", "target": {"entity_id": "light.study"}}
    back = {
        "action": "homeagent.call_tools",
        "data": {
            "calls": [
                {"tool": "light.turn_on", "arguments": {"entity_id": "light.study"}}
            ]
        },
    }
    return {
        "group": {
            "mixed": {"entities": ["light.kitchen", "light.study"]},
            "nested": {"entities": ["group.mixed"]},
            "hidden": {"entities": ["light.study"]},
        },
        "scene": [
            {"name": "Study", "entities": {"light.study": "on"}},
        ],
        "script": {
            "study": {"sequence": [study_on]},
            "back": {"sequence": [back]},
            "lamp": {
                "fields": {"lamp": {"selector": {"entity": {}}}},
                "sequence": [
                    {
                        "action": "light.turn_on",
                        "target": {"entity_id": "{{ lamp }}"},
                    }
                ],
            },
        },
        "automation": [{"alias": "Study", "triggers": [], "actions": [study_on]}],
    }


def context_of(user: User) -> Context:
    """Return the context of a user's own action."""
    return Context(user_id=user.id)


def texts_of(results: Sequence[Any]) -> list[str]:
    """Return what models are told."""
    return [result.text for result in results]
