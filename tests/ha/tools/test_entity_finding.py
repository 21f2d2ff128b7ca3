"""`find_entities`: by words and places, in pages, without what is hidden."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.homeagent.kernel.contract import Caller
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools.entity_finding import EntityFinding

from .house import call
from .reading_home import ADMIN, GUEST, HIDDEN, Tools, furnish, ports


@pytest.fixture
def tools(hass: HomeAssistant) -> Tools:
    """Return the tool, in a furnished home."""
    furnish(hass)
    return Tools(EntityFinding(ports(hass)).tools())


async def find(tools: Tools, caller: Caller = GUEST, **arguments: Any) -> Any:
    return await call(tools, "find_entities", arguments, caller=caller)


@pytest.mark.parametrize(
    ("arguments", "first", "total"),
    [
        ({"query": "kitchen light"}, "light.ceiling", 1),
        ({"query": "Big lamp"}, "light.ceiling", 1),
        ({"query": "celing"}, "light.ceiling", 1),
        ({"query": "heater"}, "switch.plug", 1),
        ({"query": "客厅灯"}, "light.ke_ting", 2),
        ({"query": "nothing like it"}, None, 0),
        ({"domain": "sensor"}, "sensor.fridge", 1),
        ({"area": "kitchen"}, "light.ceiling", 3),
        ({"area": "Cooking", "domain": "switch"}, "switch.plug", 1),
        ({"label": "Night"}, "light.ceiling", 1),
        ({"state": "on"}, "light.ceiling", 2),
        ({"state": True}, "light.ceiling", 2),
        ({"state": "Cool"}, "climate.ke_ting", 1),
        ({}, "climate.ke_ting", 6),
    ],
)
async def test_find(
    tools: Tools, arguments: dict[str, Any], first: str | None, total: int
) -> None:
    value = (await find(tools, **arguments)).value
    ids = [entity["entity_id"] for entity in value["entities"]]
    assert (ids[0] if ids else None, value["total"]) == (first, total), ids


async def test_what_is_told(tools: Tools) -> None:
    (told,) = (await find(tools, query="ceiling")).value["entities"]
    assert told == {
        "entity_id": "light.ceiling",
        "name": "Ceiling light",
        "state": "on",
        "area": "Kitchen",
        "aliases": ["Big lamp"],
    }


async def test_pages(tools: Tools) -> None:
    """The pages together are everything, each once."""
    seen: list[str] = []
    value: dict[str, Any] = {"next_offset": 0}
    while "next_offset" in value:
        offset = value["next_offset"]
        value = (await find(tools, ADMIN, limit=3, offset=offset)).value
        seen += [entity["entity_id"] for entity in value["entities"]]
    assert len(seen) == len(set(seen)) == value["total"] == 8


@pytest.mark.parametrize(
    "arguments",
    [{}, {"query": "attic safe lamp light"}, {"domain": "lock"}, {"state": "off"}],
)
async def test_hidden_things_are_not_found(
    tools: Tools, arguments: dict[str, Any]
) -> None:
    assert not HIDDEN & set((await find(tools, **arguments)).text.split('"'))


@pytest.mark.parametrize("place", ["area", "floor"])
async def test_hidden_places_answer_as_unknown_ones(tools: Tools, place: str) -> None:
    """Whether there is an attic is not told to those who may see nothing in it."""
    name = {"area": "Attic", "floor": "Upstairs"}[place]
    there = await call(tools, "find_entities", {place: name}, caller=GUEST)
    unknown = await call(tools, "find_entities", {place: "Xyzzy"}, caller=GUEST)
    assert there.error is not None
    assert there.error.reason is Reason.VALUE
    assert there.text.replace(name, "Xyzzy") == unknown.text


@pytest.mark.parametrize(
    ("arguments", "total"), [({"area": "Attic"}, 1), ({"floor": "upstairs"}, 1)]
)
async def test_those_who_see_everything_see_places(
    tools: Tools, arguments: dict[str, Any], total: int
) -> None:
    assert (await find(tools, ADMIN, **arguments)).value["total"] == total


async def test_near_places_are_suggested(tools: Tools) -> None:
    assert "Kitchen" in (await find(tools, area="Kichen")).error.hint
