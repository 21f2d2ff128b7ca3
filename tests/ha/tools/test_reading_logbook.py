"""`get_logbook` from a recorder: who did what, without what is hidden."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.homeagent.kernel.contract import Caller
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools.logbook_entries import EntryTeller
from custom_components.homeagent.tools.reading_logbook import LogbookReading

from .house import call
from .reading_home import ADMIN, GUEST, Tools, ports


@pytest.fixture
async def tools(recorder_mock: object, hass: HomeAssistant) -> Tools:
    """Return the tool, beside a recorder and a logbook."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "logbook", {})
    return Tools(LogbookReading(ports(hass)).tools())


@pytest.fixture
def day(hass: HomeAssistant, hass_admin_user: User, tools: Tools) -> None:
    """Let something happen."""
    for state in ("off", "on"):
        context = Context(user_id=hass_admin_user.id)
        hass.states.async_set("light.hall", state, context=context)
        hass.states.async_set("light.attic", state)
    hass.states.async_set("sensor.fridge", "4", {"unit_of_measurement": "°C"})
    hass.states.async_set("sensor.fridge", "5", {"unit_of_measurement": "°C"})
    hass.bus.async_fire(
        "logbook_entry",
        {"name": "Hall", "message": "saw light.attic", "entity_id": "light.hall"},
    )
    hass.bus.async_fire(
        "logbook_entry", {"name": "Gate", "message": "opened", "domain": "gate"}
    )


async def get(tools: Tools, caller: Caller = ADMIN, **arguments: Any) -> Any:
    return await call(tools, "get_logbook", arguments, caller=caller)


@pytest.mark.usefixtures("day")
async def test_entries_of_an_entity(tools: Tools, hass_admin_user: User) -> None:
    result = await get(tools, entity_id="light.hall")
    first, *_, last = result.value["entries"]
    assert (first["entity_id"], first["state"]) == ("light.hall", "on")
    assert first["cause"] == {"user": hass_admin_user.name}
    assert last["message"] == "saw light.attic"
    assert {one["entity_id"] for one in result.value["entries"]} == {"light.hall"}


@pytest.mark.usefixtures("day")
async def test_guests_learn_nothing_of_what_is_hidden(tools: Tools) -> None:
    """Neither as an entry nor in the words of one, nor who it was."""
    result = await get(tools, GUEST)
    assert {one["entity_id"] for one in result.value["entries"]} == {"light.hall"}
    assert "attic" not in result.text
    assert "user" not in result.text


@pytest.mark.usefixtures("day")
async def test_of_everything(tools: Tools) -> None:
    """Without entities all entries are told, also those of no entity."""
    entries = (await get(tools)).value["entries"]
    assert {one.get("entity_id") for one in entries} == {
        "light.hall",
        "light.attic",
        None,
    }


@pytest.mark.usefixtures("day")
async def test_the_newest_are_told(tools: Tools) -> None:
    every = (await get(tools)).value["entries"]
    some = (await get(tools, limit=2)).value
    assert some["entries"] == every[-2:]
    assert some["left_out"].startswith(f"{len(every) - 2} earlier ones; give end: ")


@pytest.mark.usefixtures("day")
async def test_what_measures_is_not_in_the_logbook(tools: Tools) -> None:
    result = await get(tools, entity_id="sensor.fridge")
    assert result.value["entries"] == []
    assert "get_history" in result.warnings[0]


@pytest.mark.parametrize(
    ("arguments", "reason", "field"),
    [
        ({"entity_id": "light.nope"}, Reason.VALUE, "entity_id"),
        ({"start": "2d"}, Reason.VALUE, "start"),
        ({"entity_id": "light.hall", "start": "40d"}, Reason.VALUE, "start"),
    ],
)
@pytest.mark.usefixtures("day")
async def test_wrong(
    tools: Tools, arguments: dict[str, Any], reason: Reason, field: str
) -> None:
    error = (await get(tools, **arguments)).error
    assert (error.reason, error.field) == (reason, field)


async def test_without_logbook(hass: HomeAssistant) -> None:
    error = (await get(Tools(LogbookReading(ports(hass)).tools()))).error
    assert error.reason is Reason.UNAVAILABLE
    assert "logbook" in error.hint


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"state": "on", "icon": "mdi:x"}, {"state": "on"}),
        ({"message": "by light.a"}, {"message": "by light.a"}),
        ({"message": "by lock.b"}, {}),
        ({"message": "by LOCK.b"}, {}),
        ({"message": "by x.lock.b"}, {}),
        (
            {"attributes": {"a": ["lock.b", "light.a"], "access_token": "s3cret"}},
            {"attributes": {"a": ["light.a"]}},
        ),
        (
            {"context_entity_id": "light.a", "context_entity_id_name": "A"},
            {"cause": {"entity_id": "light.a", "name": "A"}},
        ),
        ({"context_entity_id": "lock.b", "context_entity_id_name": "B"}, {}),
        (
            {"context_domain": "light", "context_service": "turn_on"},
            {"cause": {"action": "light.turn_on"}},
        ),
        ({"context_user_id": "u"}, {"cause": {"user": "Ann"}}),
        ({"context_user_id": "x"}, {}),
    ],
)
def test_entry(row: dict[str, object], told: dict[str, object]) -> None:
    teller = EntryTeller(may_know=lambda one: one != "lock.b", users={"u": "Ann"})
    assert teller.tell({"when": "now", **row}) == {"time": "now", **told}
