"""`get_state`: one and several, bounded, and nothing of what is hidden."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
import pytest

from custom_components.homeagent.kernel.contract import Caller
from custom_components.homeagent.kernel.errors import Reason
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


async def test_tokens_are_not_told(tools: Tools, hass: HomeAssistant) -> None:
    """Not even to those who ask for them."""
    hass.states.async_set("camera.door", "idle", {"access_token": "s3cret"})
    result = await get(tools, ADMIN, entity_id="camera.door")
    assert "s3cret" not in result.text
    asked = await get(
        tools, ADMIN, entity_id="camera.door", attributes=["access_token"]
    )
    assert "s3cret" not in asked.text
    assert "access_token" in asked.warnings[0]


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
