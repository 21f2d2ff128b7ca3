"""The keys that keep in order what a person would notice out of order."""

from unittest.mock import Mock

from homeassistant.components.notify.legacy import BaseNotificationService
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
)
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

from custom_components.homeagent.tools.actions import ActionRegistry

from .house import DIRECT, Bolt, Lamp, Player, async_move_in, put_in_area


@pytest.fixture(autouse=True)
async def _house(hass: HomeAssistant, registry: ActionRegistry) -> None:
    """Lamps, groups of both kinds, players, and actions that speak."""
    await async_move_in(
        hass, [Lamp("a"), Lamp("b"), Bolt("door"), Player("tv"), Player("radio")]
    )
    area = ar.async_get(hass).async_create("Den")
    put_in_area(hass, area.id, "light.a", "light.b", "lock.door")
    for domain, config in (
        ("group", {"old": {"entities": ["light.a", "light.b"]}}),
        ("persistent_notification", {}),
        ("notify", {}),
        ("tts", {}),
        ("button", {}),
        ("script", {"film": {"sequence": []}}),
        ("weather", {}),
    ):
        assert await async_setup_component(hass, domain, {domain: config})
    hass.states.async_set("light.hub", "on", {"entity_id": ["light.a"]})
    hass.states.async_set(
        "media_player.pair", "on", {"group_members": ["media_player.tv"]}
    )
    await registry.async_prepare()


def keys(
    registry: ActionRegistry, name: str, arguments: dict[str, object]
) -> set[str] | None:
    tool = registry.find(name)
    assert tool is not None
    checked = tool.check(arguments)
    assert checked.problems == ()
    found = tool.facts(checked.arguments, DIRECT).keys
    return None if found is None else set(found)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("light.turn_on", {"entity_id": "light.a"}, "entity:light.a"),
        ("light.turn_on", {"area_id": "den"}, "entity:light.a entity:light.b"),
        (
            "light.turn_on",
            {"entity_id": "group.old"},
            "entity:group.old entity:light.a entity:light.b",
        ),
        (
            "light.turn_on",
            {"entity_id": "light.hub"},
            "entity:light.hub entity:light.a",
        ),
        (
            "media_player.play_media",
            {
                "entity_id": "media_player.tv",
                "media": {"media_content_id": "x", "media_content_type": "y"},
            },
            "entity:media_player.tv output:media_player.tv",
        ),
        ("weather.get_forecasts", {"entity_id": "weather.x", "type": "daily"}, ""),
        (
            "persistent_notification.create",
            {"message": "x"},
            "output:persistent_notification",
        ),
        (
            "notify.persistent_notification",
            {"message": "x"},
            "output:persistent_notification",
        ),
        (
            "tts.speak",
            {
                "entity_id": "tts.one",
                "media_player_entity_id": "media_player.pair",
                "message": "x",
            },
            "entity:media_player.pair output:media_player.pair {tv} {out}".format(
                tv="entity:media_player.tv", out="output:media_player.tv"
            ),
        ),
        (
            "media_player.join",
            {"entity_id": "media_player.tv", "group_members": ["media_player.radio"]},
            "entity:media_player.tv entity:media_player.radio",
        ),
        ("script.film", {}, "entity:script.film"),
        ("group.reload", {}, ""),
    ],
)
async def test_keys(
    registry: ActionRegistry, name: str, arguments: dict[str, object], expected: str
) -> None:
    """Entities that change, and whatever speaks; a group is itself and its members."""
    assert keys(registry, name, arguments) == set(expected.split())


async def test_one_loudspeaker_has_one_order(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """A satellite and its player are one device."""
    entities = er.async_get(hass)
    entry = entities.async_get("media_player.tv")
    assert entry is not None
    with_device = Mock(
        device_id="box", domain="media_player", entity_id=entry.entity_id
    )
    entities.entities.data["media_player.tv"] = with_device

    spoken = keys(
        registry,
        "tts.speak",
        {
            "entity_id": "tts.one",
            "media_player_entity_id": "media_player.tv",
            "message": "x",
        },
    )

    entities.entities.data["media_player.tv"] = entry
    assert spoken is not None
    assert "output:device box" in spoken


async def test_notify_groups_of_the_old_kind(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """An action that hands on its message has the keys of those it hands it to."""

    class Group(BaseNotificationService):
        def __init__(self) -> None:
            self.entities = [{"action": "phone"}, {"action": "everybody"}]

        async def handle(self, call: ServiceCall) -> None: ...

    async def send(call: ServiceCall) -> None: ...

    hass.services.async_register("notify", "phone", send)
    hass.services.async_register("notify", "everybody", Group().handle)

    assert keys(registry, "notify.everybody", {"message": "x"}) == {
        "output:notify.everybody",
        "output:notify.phone",
    }
    assert keys(registry, "notify.phone", {"message": "x"}) == {"output:notify.phone"}


@pytest.mark.parametrize(
    ("name", "arguments", "safe"),
    [
        ("homeassistant.turn_on", {"entity_id": ["light.a", "light.b"]}, True),
        ("homeassistant.turn_on", {"entity_id": ["light.a", "script.film"]}, False),
        ("button.press", {"entity_id": "button.plain"}, True),
        ("button.press", {"entity_id": "button.reboot"}, False),
        ("script.turn_on", {"entity_id": "script.film"}, False),
    ],
)
async def test_what_is_acted_on_narrows_the_declaration(
    hass: HomeAssistant,
    registry: ActionRegistry,
    name: str,
    arguments: dict[str, object],
    safe: bool,
) -> None:
    """Never widens it."""
    hass.states.async_set("button.plain", "unknown")
    hass.states.async_set("button.reboot", "unknown", {"device_class": "restart"})
    tool = registry.find(name)
    assert tool is not None

    facts = tool.facts(tool.check(arguments).arguments, DIRECT)

    assert facts.parallel_safe is safe


async def test_unknown_reader_is_safe_and_unknown_doer_is_not(
    hass: HomeAssistant, registry: ActionRegistry
) -> None:
    """Home Assistant says which actions only return data."""

    async def read(call: ServiceCall) -> ServiceResponse:
        return {"x": 1}

    hass.services.async_register(
        "other",
        "read",
        read,
        supports_response=SupportsResponse.ONLY,
    )
    hass.services.async_register(
        "other",
        "do",
        read,
        supports_response=SupportsResponse.OPTIONAL,
    )
    safe = {}
    for name in ("other.read", "other.do"):
        tool = registry.find(name)
        assert tool is not None
        safe[name] = tool.facts({}, DIRECT).parallel_safe

    assert safe == {"other.read": True, "other.do": False}


async def test_keys_that_cannot_be_known(registry: ActionRegistry) -> None:
    """Unreadable arguments give no keys at all, not an empty set of them."""
    tool = registry.find("light.turn_on")
    assert tool is not None

    assert tool.facts({"entity_id": 7}, DIRECT).keys is None
