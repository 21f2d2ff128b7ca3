"""`get_statistics` from a recorder."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.components.recorder.models import StatisticMeanType
from homeassistant.components.recorder.statistics import (
    async_add_external_statistics,
    async_import_statistics,
)
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest

from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools.reading_statistics import StatisticsReading

from .house import call
from .reading_home import ADMIN, Tools, ports

FRIDGE = "sensor.fridge"


@pytest.fixture
def tools(recorder_mock: object, hass: HomeAssistant) -> Tools:
    """Return the tool, beside a recorder with 48 hours of two statistics."""
    hass.states.async_set(FRIDGE, "4", {"unit_of_measurement": "°C"})
    hass.states.async_set("light.hall", "on")
    now = dt_util.utcnow().replace(minute=0, second=0, microsecond=0)
    hours = [now - timedelta(hours=48 - number) for number in range(48)]
    _measure(hass, hours)
    _count(hass, hours)
    return Tools(StatisticsReading(ports(hass)).tools())


def _measure(hass: HomeAssistant, hours: list[datetime]) -> None:
    async_import_statistics(
        hass,
        {
            "mean_type": StatisticMeanType.ARITHMETIC,
            "has_sum": False,
            "name": None,
            "source": "recorder",
            "statistic_id": FRIDGE,
            "unit_class": "temperature",
            "unit_of_measurement": "°C",
        },
        [
            {"start": start, "mean": float(index), "min": 0.0, "max": 50.0}
            for index, start in enumerate(hours)
        ],
    )


def _count(hass: HomeAssistant, hours: list[datetime]) -> None:
    async_add_external_statistics(
        hass,
        {
            "mean_type": StatisticMeanType.NONE,
            "has_sum": True,
            "name": "Grid",
            "source": "grid",
            "statistic_id": "grid:energy",
            "unit_class": "energy",
            "unit_of_measurement": "kWh",
        },
        [
            {"start": start, "sum": 2.0 * index, "state": 2.0 * index}
            for index, start in enumerate(hours)
        ],
    )


async def get(tools: Tools, statistic_id: object = FRIDGE, **arguments: object) -> Any:
    arguments |= {"statistic_id": statistic_id}
    return await call(tools, "get_statistics", arguments, caller=ADMIN)


@pytest.mark.parametrize(
    ("statistic_id", "arguments", "rows", "row", "unit"),
    [
        (FRIDGE, {}, 24, {"mean": 24.0, "min": 0.0, "max": 50.0}, "°C"),
        (FRIDGE, {"types": ["mean"]}, 24, {"mean": 24.0}, "°C"),
        (FRIDGE, {"start": "5h"}, 5, {"mean": 43.0, "min": 0.0, "max": 50.0}, "°C"),
        ("grid:energy", {}, 24, {"change": 2.0}, "kWh"),
        ("grid:energy", {"types": ["sum"], "start": "1h"}, 1, {"sum": 94.0}, "kWh"),
    ],
)
async def test_hours(
    tools: Tools,
    statistic_id: str,
    arguments: dict[str, object],
    rows: int,
    row: dict[str, float],
    unit: str,
) -> None:
    (told,) = (await get(tools, statistic_id, **arguments)).value["statistics"]
    first = told["rows"][0]
    assert (len(told["rows"]), told["unit"]) == (rows, unit)
    assert datetime.fromisoformat(first.pop("end")) - datetime.fromisoformat(
        first.pop("start")
    ) == timedelta(hours=1)
    assert first == row


@pytest.mark.parametrize("period", ["day", "week", "month", "year"])
async def test_longer_periods(tools: Tools, period: str) -> None:
    """Each period has a default span that is allowed."""
    (told,) = (await get(tools, period=period)).value["statistics"]
    assert 1 <= len(told["rows"]) <= 3
    assert told["rows"][0]["max"] == 50.0


@pytest.mark.parametrize(("period", "limit"), [("hour", 20), ("day", 1)])
async def test_pages(tools: Tools, period: str, limit: int) -> None:
    """The newest are told; following the hint gives every row once."""
    whole = (await get(tools, start="48h", period=period)).value["statistics"][0]
    seen: list[object] = []
    more: dict[str, object] = {}
    for _ in range(3):
        answer = await get(tools, start="48h", period=period, limit=limit, **more)
        (told,) = answer.value["statistics"]
        seen = told["rows"] + seen
        if "left_out" not in told:
            break
        more = {"end": told["left_out"].partition("end: ")[2].split(",")[0]}
    assert len(seen) == len(whole["rows"]) > limit
    assert seen == whole["rows"]


@pytest.mark.parametrize(
    ("statistic_id", "arguments", "says"),
    [
        ("light.hall", {}, "get_history"),
        ("sensor.nope", {}, "find_entities"),
        ([f"sensor.s{n}" for n in range(11)], {}, "several calls"),
        (FRIDGE, {"period": "5minute", "start": "1000d"}, "shorter span"),
        (FRIDGE, {"period": "decade"}, "year"),
    ],
)
async def test_wrong(
    tools: Tools, statistic_id: object, arguments: dict[str, object], says: str
) -> None:
    error = (await get(tools, statistic_id, **arguments)).error
    assert error.reason is Reason.VALUE
    assert says in error.detail + error.hint


async def test_some_wrong(tools: Tools) -> None:
    result = await get(tools, [FRIDGE, "light.hall"])
    assert [one["statistic_id"] for one in result.value["statistics"]] == [FRIDGE]
    assert "light.hall has no statistics" in result.warnings[0]


async def test_what_is_no_entity_is_for_those_who_may_read_all(tools: Tools) -> None:
    """The policy is told that it cannot be resolved."""
    tool = tools["get_statistics"]
    resolved = tool.resolve({"statistic_id": "grid:energy"})  # type: ignore[attr-defined]
    assert resolved.unresolved


async def test_without_recorder(hass: HomeAssistant) -> None:
    error = (await get(Tools(StatisticsReading(ports(hass)).tools()))).error
    assert error.reason is Reason.UNAVAILABLE
