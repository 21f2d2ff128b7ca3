"""What a call acts on: named, reached, expanded, reduced, missing."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from homeassistant.helpers.service import async_set_service_schema
from homeassistant.setup import async_setup_component
import pytest

from custom_components.homeagent.tools.actions import ActionRegistry
from custom_components.homeagent.tools.targets import Resolved

from .house import Bolt, Lamp, Player, async_move_in, put_in_area

type Ids = frozenset[str]


@pytest.fixture(autouse=True)
async def _house(hass: HomeAssistant, registry: ActionRegistry) -> None:
    """Two lamps and a lock upstairs, lamps elsewhere, and groups of all kinds."""
    await async_move_in(
        hass,
        [
            *(Lamp(name) for name in "abcd"),
            Lamp("hidden"),
            Bolt("door"),
            Player("tv"),
            Player("speaker", plays=False),
        ],
    )
    areas, floors, labels = ar.async_get(hass), fr.async_get(hass), lr.async_get(hass)
    floor = floors.async_create("Upstairs")
    area = areas.async_create("Study", floor_id=floor.floor_id)
    put_in_area(hass, area.id, "light.a", "light.b", "light.hidden", "lock.door")
    put_in_area(hass, area.id, "media_player.tv", "media_player.speaker")
    registered = er.async_get(hass)
    registered.async_update_entity("light.hidden", hidden_by=er.RegistryEntryHider.USER)
    label = labels.async_create("Cosy")
    registered.async_update_entity("light.c", labels={label.label_id})
    old = {
        "old": {"entities": ["light.a", "group.inner"]},
        "inner": {"entities": ["light.d"]},
    }
    assert await async_setup_component(hass, "group", {"group": old})
    hass.states.async_set("light.hub_room", "on", {"entity_id": ["light.c", "light.d"]})
    await hass.async_block_till_done()
    await registry.async_prepare()


def resolve(
    registry: ActionRegistry, arguments: dict[str, object], name: str = "light.turn_on"
) -> Resolved:
    tool = registry.find(name)
    assert tool is not None
    return tool.resolve(tool.check(arguments).arguments)


def lights(names: str) -> Ids:
    return frozenset(f"light.{name}" for name in names.split())


@pytest.mark.parametrize(
    ("arguments", "direct", "indirect"),
    [
        ({"entity_id": "light.a"}, "a", ""),
        ({"area_id": "study"}, "", "a b"),
        ({"floor_id": "upstairs"}, "", "a b"),
        ({"label_id": "cosy"}, "", "c"),
        ({"area_id": "study", "entity_id": ["light.a", "light.d"]}, "a d", "b"),
        ({"entity_id": "all"}, "", "a b c d hidden"),
        ({"entity_id": "none"}, "", ""),
        ({"entity_id": "group.old"}, "a d", ""),
    ],
)
async def test_direct_and_indirect(
    registry: ActionRegistry, arguments: dict[str, object], direct: str, indirect: str
) -> None:
    """What is reached is reduced to what the action acts on: no lock, nothing hidden."""
    found = resolve(registry, arguments)

    assert (found.direct, found.indirect) == (lights(direct), lights(indirect))
    assert (found.named, found.unresolved) == (True, False)


async def test_what_cannot_do_it_is_not_reached(registry: ActionRegistry) -> None:
    """Home Assistant leaves out entities without the feature, and says nothing."""
    media = {"media_content_id": "x", "media_content_type": "y"}

    found = resolve(
        registry, {"area_id": "study", "media": media}, "media_player.play_media"
    )

    assert found.indirect == {"media_player.tv"}


async def test_generic_action_reaches_what_has_the_action(
    registry: ActionRegistry,
) -> None:
    """There is no `lock.turn_on`."""
    found = resolve(registry, {"area_id": "study"}, "homeassistant.turn_on")

    assert found.indirect == lights("a b") | {"media_player.tv", "media_player.speaker"}


async def test_groups_of_both_kinds(registry: ActionRegistry) -> None:
    """Home Assistant's own are replaced by their members, a hub's are called as such."""
    own = resolve(registry, {"entity_id": "group.old"})
    hub = resolve(registry, {"entity_id": "light.hub_room"})

    assert (own.groups, own.members) == (frozenset({"group.old"}), frozenset())
    assert (hub.direct, hub.members) == (lights("hub_room"), lights("c d"))
    assert hub.affected == lights("hub_room c d")


async def test_a_group_in_itself_ends(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """Groups may contain each other."""
    hass.states.async_set("light.x", "on", {"entity_id": ["light.y", "light.x"]})
    hass.states.async_set("light.y", "on", {"entity_id": ["light.x"]})

    assert resolve(registry, {"entity_id": "light.x"}).members == lights("y")


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        ({"area_id": ["study", "cellar"]}, ("area_id cellar",)),
        ({"floor_id": "attic"}, ("floor_id attic",)),
        ({"label_id": "x", "device_id": "y"}, ("device_id y", "label_id x")),
        ({"area_id": "study"}, ()),
    ],
)
async def test_missing_places(
    registry: ActionRegistry, arguments: dict[str, object], missing: tuple[str, ...]
) -> None:
    assert resolve(registry, arguments).missing == missing


@pytest.mark.parametrize(
    ("name", "arguments", "fields"),
    [
        ("scene.apply", {"entities": {"light.a": "on", "Light.B": "off"}}, "a b"),
        (
            "scene.create",
            {"scene_id": "x", "snapshot_entities": "light.a,light.c"},
            "a c",
        ),
        ("group.set", {"object_id": "x", "entities": ["light.a"]}, "a"),
        ("group.set", {"object_id": "x"}, ""),
    ],
)
async def test_entities_in_other_arguments(
    hass: HomeAssistant,
    registry: ActionRegistry,
    name: str,
    arguments: dict[str, object],
    fields: str,
) -> None:
    """Where their selectors, or the action itself, say so."""
    assert await async_setup_component(hass, "scene", {})
    await registry.async_prepare()

    assert resolve(registry, arguments, name).fields == lights(fields)


@pytest.mark.parametrize(
    "arguments",
    [{"entity_id": 7}, {"entity_id": ["light.a", None]}, {"area_id": {"a": 1}}],
)
async def test_total(registry: ActionRegistry, arguments: dict[str, object]) -> None:
    """Whatever comes in, there is an answer; what cannot be read is told."""
    tool = registry.find("light.turn_on")
    assert tool is not None

    assert tool.resolve(arguments).unresolved is True


async def test_nothing_named(registry: ActionRegistry) -> None:
    """An action of a domain without target, and one whose target is not given."""
    assert resolve(registry, {}).named is False
    assert resolve(registry, {}, "group.reload") == Resolved()


@pytest.mark.parametrize(
    ("entity", "indirect"),
    [
        ({"domain": ["lock"]}, {"lock.door"}),
        (
            [{"domain": "lock"}, {"domain": ["light"]}],
            {"lock.door", "light.a", "light.b"},
        ),
        ({"integration": "test", "domain": "lock"}, {"lock.door"}),
        ({"integration": "other"}, set()),
    ],
)
async def test_the_described_filter_counts_where_nothing_better_is_known(
    hass: HomeAssistant, registry: ActionRegistry, entity: object, indirect: set[str]
) -> None:
    """An action that is no entity service may touch whatever its target lets pass."""
    hass.services.async_register("x", "y", lambda service_call: None)
    description = {"fields": {}, "target": {"entity": entity}}
    async_set_service_schema(hass, "x", "y", description)

    found = resolve(registry, {"area_id": "study"}, "x.y")

    assert found.indirect == indirect
