"""`get_history` from a recorder: complete, bounded, and open about what is left out."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest

from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools import reading_history
from custom_components.homeagent.tools.reading_history import HistoryReading

from .house import call
from .reading_home import ADMIN, GUEST, Tools, ports


@pytest.fixture
def tools(recorder_mock: object, hass: HomeAssistant) -> Tools:
    """Return the tool, beside a recorder."""
    return Tools(HistoryReading(ports(hass)).tools())


async def get(tools: Tools, entity_id: object, **arguments: object) -> Any:
    arguments |= {"entity_id": entity_id}
    return await call(tools, "get_history", arguments, caller=ADMIN)


def record(
    hass: HomeAssistant,
    entity_id: str,
    *states: str,
    apart: timedelta = timedelta(minutes=1),
) -> datetime:
    """Record states, the last one a minute ago; return when the first was."""
    first = dt_util.utcnow() - timedelta(minutes=len(states))
    for index, state in enumerate(states):
        moment = first + apart * index
        hass.states.async_set(
            entity_id,
            state,
            {"unit_of_measurement": "°C"} if state[0].isdigit() else {},
            timestamp=moment.timestamp(),
        )
    return first


async def test_numbers(tools: Tools, hass: HomeAssistant) -> None:
    first = record(hass, "sensor.fridge", "4", "6", "5")
    (told,) = (await get(tools, "sensor.fridge")).value["history"]
    assert (told["unit"], told["count"]) == ("°C", 3)
    assert (told["min"], told["max"], told["mean"]) == (4, 6, pytest.approx(5, abs=0.1))
    assert [change["state"] for change in told["changes"]] == ["4", "6", "5"]
    assert told["changes"][0]["time"] == dt_util.as_local(first).isoformat(
        timespec="seconds"
    )


async def test_states_and_the_one_at_the_start(
    tools: Tools, hass: HomeAssistant
) -> None:
    """What it was when the span began is told, and no change."""
    record(hass, "light.hall", "on", "off", "on", "off")
    (told,) = (await get(tools, "light.hall", start="150s")).value["history"]
    assert [change["state"] for change in told["changes"]] == ["off", "on", "off"]
    assert told["count"] == 2
    assert told["seconds"]["on"] == pytest.approx(60, abs=5)


@pytest.mark.parametrize("seconds", [60, 0.01])
async def test_the_newest_are_told_and_the_rest_can_be_asked_for(
    tools: Tools, hass: HomeAssistant, seconds: float
) -> None:
    """Following the hint gives every change once, also several of one second."""
    states = [str(number) for number in range(10, 21)]
    record(hass, "sensor.fridge", *states, apart=timedelta(seconds=seconds))
    seen: list[str] = []
    more: dict[str, object] = {}
    told: dict[str, Any] = {}
    for _ in range(4):
        (told,) = (await get(tools, "sensor.fridge", limit=3, **more)).value["history"]
        seen = [change["state"] for change in told["changes"]] + seen
        if "left_out" in told:
            more = {"end": told["left_out"].partition("end: ")[2].split(" ")[0]}
    assert seen == states
    assert "left_out" not in told


async def test_scan_is_bounded(
    tools: Tools, hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not looked at is not part of the summary, and the answer says so."""
    monkeypatch.setattr(reading_history, "MOST_SCANNED", 4)
    record(hass, "sensor.fridge", *"1234567")
    (told,) = (await get(tools, "sensor.fridge")).value["history"]
    assert (told["count"], told["max"]) == (4, 4)
    assert "first 4 changes" in told["cut"]


async def test_several_and_unknown_ones(tools: Tools, hass: HomeAssistant) -> None:
    record(hass, "light.hall", "on")
    record(hass, "sensor.fridge", "4")
    hass.states.async_remove("sensor.fridge")
    result = await get(tools, "light.hall, sensor.fridge, light.nope")
    told = {one["entity_id"]: one["changes"] for one in result.value["history"]}
    assert told.keys() == {"light.hall", "sensor.fridge"}
    assert told["sensor.fridge"], "what is gone still has its history"
    assert "light.nope" in result.warnings[0]


@pytest.mark.parametrize(
    ("entity_id", "arguments", "reason", "field"),
    [
        ("light.nope", {}, Reason.VALUE, "entity_id"),
        ([f"light.l{n}" for n in range(11)], {}, Reason.VALUE, "entity_id"),
        ("light.hall", {"start": "40d"}, Reason.VALUE, "start"),
        ("light.hall", {"start": "soon"}, Reason.VALUE, "start"),
        ("light.hall", {"limit": 501}, Reason.VALUE, "limit"),
    ],
)
async def test_wrong(
    tools: Tools,
    hass: HomeAssistant,
    entity_id: object,
    arguments: dict[str, object],
    reason: Reason,
    field: str,
) -> None:
    record(hass, "light.hall", "on")
    error = (await get(tools, entity_id, **arguments)).error
    assert (error.reason, error.field) == (reason, field)


async def test_without_recorder(hass: HomeAssistant) -> None:
    """The hint says what is missing."""
    tools = Tools(HistoryReading(ports(hass)).tools())
    error = (await get(tools, "light.hall")).error
    assert error.reason is Reason.UNAVAILABLE
    assert "recorder" in error.detail + error.hint


async def test_database_that_fails(
    tools: Tools, hass: HomeAssistant, recorder_mock: Any
) -> None:
    """A database error is an answer, not a bug."""
    record(hass, "light.hall", "on")
    await recorder_mock.async_block_till_done()
    recorder_mock.get_session = _fail
    assert (await get(tools, "light.hall")).error.reason is Reason.UNAVAILABLE


def _fail() -> None:
    from sqlalchemy.exc import OperationalError

    raise OperationalError("SELECT", {}, Exception("gone"))


async def test_reading_needs_the_right_of_each_entity(tools: Tools) -> None:
    """The policy is shown all that is read."""
    tool = tools["get_history"]
    checked = tool.check({"entity_id": "light.hall,light.attic"})
    resolved = tool.resolve(checked.arguments)  # type: ignore[attr-defined]
    assert resolved.direct == {"light.hall", "light.attic"}
    assert tool.facts(checked.arguments, GUEST).parallel_safe
