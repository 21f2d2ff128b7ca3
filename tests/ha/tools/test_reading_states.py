"""`get_state`: one and several, bounded, and nothing of what is hidden."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
import pytest

from custom_components.homeagent.kernel.contract import Caller
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.kernel.json_values import to_json_value
from custom_components.homeagent.tools.reading_states import StateReading

from .house import call
from .reading_home import ADMIN, GUEST, Tools, furnish, ports


@pytest.fixture
def tools(hass: HomeAssistant) -> Tools:
    """Return the tool, in a furnished home."""
    furnish(hass)
    return Tools(StateReading(ports(hass)).tools())


async def get(tools: Tools, caller: Caller = GUEST, **arguments: object) -> Any:
    return await call(tools, "get_state", arguments, caller=caller)


async def test_one(tools: Tools, hass: HomeAssistant) -> None:
    """One is told by itself, in JSON, with its area and its times."""
    result = await get(tools, entity_id="light.ceiling")
    state = hass.states.get("light.ceiling")
    assert state is not None
    told = datetime.fromisoformat(result.value.pop("last_changed"))
    assert state.last_changed - told < timedelta(seconds=1)
    assert told.utcoffset() == dt_util.as_local(told).utcoffset() != timedelta()
    assert result.value.pop("last_updated")
    assert result.value == {
        "entity_id": "light.ceiling",
        "name": "Ceiling light",
        "state": "on",
        "area": "Kitchen",
        "attributes": {"brightness": 128},
    }


@pytest.mark.parametrize(
    "named",
    [
        "Ceiling light",
        "big LAMP",
        "LIGHT.CEILING",
        " light.ceiling ",
        '["light.ceiling"]',
        ["light.ceiling"],
    ],
)
async def test_names_and_forms(tools: Tools, named: object) -> None:
    """An exact unique name or alias is as good as an id."""
    value = (await get(tools, entity_id=named)).value
    told = value["states"][0] if "states" in value else value
    assert told["entity_id"] == "light.ceiling"


@pytest.mark.parametrize(
    "named", ["light.ceiling, sensor.fridge", ["Ceiling light", "sensor.fridge"]]
)
async def test_several(tools: Tools, named: object) -> None:
    """Several come as a list, in the order of the call."""
    states = (await get(tools, entity_id=named)).value["states"]
    assert [state["state"] for state in states] == ["on", "4.5"]


async def test_area_of_the_device(tools: Tools) -> None:
    """What has no area of its own is where its device is."""
    assert (await get(tools, entity_id="switch.plug")).value["area"] == "Kitchen"


@pytest.mark.parametrize(
    ("named", "caller", "suggests"),
    [
        ("light.cieling", GUEST, "light.ceiling"),
        ("Celing light", GUEST, "light.ceiling"),
        ("light.atic", ADMIN, "light.attic"),
        ("light.atic", GUEST, None),
        ("all", ADMIN, "find_entities"),
    ],
)
async def test_unknown(
    tools: Tools, named: str, caller: Caller, suggests: str | None
) -> None:
    """Near names come from what the caller may read only."""
    error = (await get(tools, caller, entity_id=named)).error
    assert (error.reason, error.field) == (Reason.VALUE, "entity_id")
    assert "light.attic" not in error.hint or suggests == "light.attic"
    assert suggests is None or suggests in error.hint


async def test_some_unknown(tools: Tools) -> None:
    """What can be read is told, and the rest in a warning."""
    result = await get(tools, entity_id="light.ceiling, light.nope")
    assert [state["entity_id"] for state in result.value["states"]] == ["light.ceiling"]
    assert "light.nope" in result.warnings[0]


async def test_registered_without_state(tools: Tools, hass: HomeAssistant) -> None:
    """A registered entity without a state is unavailable, not unknown."""
    er.async_get(hass).async_get_or_create(
        "light", "test", "old", suggested_object_id="old"
    )
    assert (await get(tools, entity_id="light.old")).error.reason is Reason.UNAVAILABLE


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, Reason.REQUIRED),
        ({"entity_id": []}, Reason.REQUIRED),
        ({"entity_id": " , "}, Reason.REQUIRED),
        ({"entity_id": "{{ states }}"}, Reason.VALUE),
        ({"entity_id": [f"light.l{number}" for number in range(51)]}, Reason.VALUE),
        ({"entity_id": {"a": 1}}, Reason.TYPE),
    ],
)
async def test_wrong(tools: Tools, arguments: Any, reason: Reason) -> None:
    """Wrong arguments are told before anything is read."""
    assert (await get(tools, ADMIN, **arguments)).error.reason is reason


async def test_long_attributes_are_named_and_can_be_asked_for(
    tools: Tools, hass: HomeAssistant
) -> None:
    """Nothing is cut in silence."""
    hass.states.async_set("light.ceiling", "on", {"effects": ["x"] * 400, "a": 1})
    short = (await get(tools, entity_id="light.ceiling")).value
    assert short["attributes"] == {"a": 1}
    assert short["attributes_left_out"] == ["effects"]
    whole = await get(
        tools, entity_id="light.ceiling", attributes=["effects", "efects"]
    )
    assert whole.value["attributes"] == {"effects": ["x"] * 400}
    assert "effects" in whole.warnings[0]


@pytest.mark.parametrize(
    ("caller", "members"),
    [(ADMIN, ["light.ceiling", "light.attic"]), (GUEST, ["light.ceiling"])],
)
async def test_members_that_may_not_be_read_are_not_told(
    tools: Tools, caller: Caller, members: list[str]
) -> None:
    """An attribute tells of no entity that the caller may not read."""
    value = (await get(tools, caller, entity_id="light.pair")).value
    assert value["attributes"]["entity_id"] == members


KNOWN = "light.ceiling"
LOCKED = "light.attic"


@pytest.mark.parametrize(
    ("attribute", "told"),
    [
        ([{"entity_id": LOCKED}, {"entity_id": KNOWN}], [{}, {"entity_id": KNOWN}]),
        ({LOCKED: "on", KNOWN: "on"}, {KNOWN: "on"}),
        (
            {"rooms": {"top": {"lamp": LOCKED, "level": 3}}},
            {"rooms": {"top": {"level": 3}}},
        ),
        ([[LOCKED, KNOWN], [LOCKED]], [[KNOWN], []]),
        ((LOCKED, KNOWN), [KNOWN]),
        (f"{LOCKED}, {KNOWN}", KNOWN),
        (f" {KNOWN},LIGHT.Attic ", KNOWN),
        ("LIGHT.ATTIC", None),
        (f"{LOCKED},{LOCKED}", None),
        (f"saw {LOCKED} go on", None),
        (f"a.{LOCKED}", None),
        ("/api/camera_proxy/light.attic", None),
        ("light.attic2, light.cellar", "light.attic2, light.cellar"),
        ("version 1.2.3 of light", "version 1.2.3 of light"),
        ({KNOWN: 1}, {KNOWN: 1}),
    ],
)
async def test_hidden_entities_stand_nowhere(
    tools: Tools, hass: HomeAssistant, attribute: object, told: object
) -> None:
    """At any depth and in any spelling; who may know of them is told all."""
    hass.states.async_set("sensor.fridge", "4", {"a": attribute})
    shown = (await get(tools, entity_id="sensor.fridge")).value["attributes"]
    assert shown.get("a") == told
    whole = (await get(tools, ADMIN, entity_id="sensor.fridge")).value["attributes"]
    assert whole["a"] == to_json_value(attribute)


async def test_attribute_that_is_called_like_a_hidden_entity(
    tools: Tools, hass: HomeAssistant
) -> None:
    """No warning suggests its name."""
    hass.states.async_set("sensor.fridge", "4", {LOCKED: "on", "b": 1})
    shown = await get(tools, entity_id="sensor.fridge")
    assert shown.value["attributes"] == {"b": 1}
    for wanted in (LOCKED, "light.atti"):
        asked = await get(tools, entity_id="sensor.fridge", attributes=[wanted])
        never = await get(tools, entity_id="sensor.fridge", attributes=["light.x"])
        assert asked.text.replace(wanted, "light.x") == never.text


async def test_registered_entity_without_state_is_hidden_too(
    tools: Tools, hass: HomeAssistant
) -> None:
    """A disabled one is nobody's to know of either."""
    hass.states.async_remove(LOCKED)
    hass.states.async_set("sensor.fridge", "4", {"a": [LOCKED]})
    shown = (await get(tools, entity_id="sensor.fridge")).value["attributes"]
    assert shown == {"a": []}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("access_token", "s3cret"),
        ("stream_token", "s3cret"),
        ("apiKey", "s3cret"),
        ("pin_code", 4711),
        ("entity_picture", "/api/camera_proxy/camera.door?token=s3cret"),
        ("entity_picture_local", "/api/media_player_proxy/media_player.tv"),
        ("snapshot", "/api/image?size=1&token=s3cret"),
        ("snapshot", "https://cloud.example/i.jpg?X-Amz-Signature=s3cret"),
        ("snapshot", "/api/image?authSig=s3cret"),
        ("snapshot", "/page#access_token=s3cret"),
        ("stream_source", "rtsp://admin:s3cret@192.0.2.1/live"),
        ("header", "Bearer s3cret"),
        ("login", "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.s3cret"),
        ("config", '{"token": "s3cret"}'),
    ],
)
async def test_secrets_are_not_told(
    tools: Tools, hass: HomeAssistant, name: str, value: object
) -> None:
    """By name or by what they are; not even to those who ask for them."""
    hass.states.async_set("camera.door", "idle", {name: value, "b": 1})
    told = await get(tools, ADMIN, entity_id="camera.door")
    assert told.value["attributes"] == {"b": 1}
    asked = await get(tools, ADMIN, entity_id="camera.door", attributes=[name])
    assert asked.value["attributes"] == {}
    assert f"{name} is not told" in asked.warnings[0]
    hass.states.async_set("camera.door", "idle", {"c": [{name: value, "b": 1}]})
    inside = await get(tools, ADMIN, entity_id="camera.door")
    assert inside.value["attributes"] == {"c": [{"b": 1}]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("code_format", "number"),
        ("code_arm_required", True),
        ("token_valid", False),
        ("link", "https://example.com/a?page=2#top"),
        ("source", "rtsp://192.0.2.1:554/live"),
        ("mail", "someone@example.com"),
        ("keyboard", "qwerty"),
    ],
)
async def test_what_only_sounds_like_a_secret_is_told(
    tools: Tools, hass: HomeAssistant, name: str, value: object
) -> None:
    """Whether a lock takes a code is no secret."""
    hass.states.async_set("camera.door", "idle", {name: value})
    told = await get(tools, entity_id="camera.door")
    assert told.value["attributes"] == {name: value}


async def test_nothing_named_comes_to_nothing(
    tools: Tools, hass: HomeAssistant
) -> None:
    """A group stands for its members; one without any for itself."""
    hass.states.async_set("group.all", "on", {"entity_id": ["light.a", "light.b"]})
    hass.states.async_set("group.none", "off", {"entity_id": []})
    tool = tools["get_state"]
    resolved = tool.resolve({"entity_id": ["group.all", "group.none"]})  # type: ignore[attr-defined]
    assert resolved.direct == {"light.a", "light.b", "group.none"}
    assert resolved.groups == {"group.all", "group.none"}


async def test_access_control_sees_what_is_read(
    tools: Tools, hass: HomeAssistant
) -> None:
    """The policy gets the same resolution as for an action."""
    tool = tools["get_state"]
    checked = tool.check({"entity_id": "Pair, nobody knows"})
    resolved = tool.resolve(checked.arguments)  # type: ignore[attr-defined]
    assert resolved.direct == {"light.pair", "nobody knows"}
    assert resolved.members == {"light.ceiling", "light.attic"}
    assert resolved.unresolved
    assert tool.facts(checked.arguments, GUEST).parallel_safe
