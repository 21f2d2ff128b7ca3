"""What came of a call is judged by what Home Assistant knows, not by silence."""

import asyncio

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import ToolCall
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools.actions import ActionRegistry

from .house import SPOKEN, Bolt, Lamp, async_move_in, call, put_in_area, run

type House = dict[str, Lamp]


@pytest.fixture
async def house(hass: HomeAssistant, registry: ActionRegistry) -> House:
    """Lamps that work, that are away and that fail, and a lock, in one area."""
    lamps = {
        "one": Lamp("one"),
        "two": Lamp("two"),
        "lit": Lamp("lit", on=True),
        "away": Lamp("away", away=True),
        "gone": Lamp("gone", away=True),
        "broken": Lamp("broken", fails="the bulb does not answer"),
        "silent": Lamp("silent", silent=True),
        "still": Lamp("still", on=True, silent=True),
        "late": Lamp("late", late=True),
    }
    await async_move_in(hass, [*lamps.values(), Bolt("door")])
    area = ar.async_get(hass).async_create("Kitchen")
    put_in_area(hass, area.id, "light.one", "light.away", "lock.door")
    ar.async_get(hass).async_create("Attic")
    await registry.async_prepare()
    return lamps


@pytest.mark.parametrize(
    ("target", "reason", "names"),
    [
        ({"entity_id": ["light.away", "light.gone"]}, Reason.UNAVAILABLE, "light.gone"),
        ({"entity_id": "light.away"}, Reason.UNAVAILABLE, "light.away"),
        ({"entity_id": "light.nowhere"}, Reason.VALUE, "light.nowhere"),
        ({"entity_id": ["light.nowhere", "light.away"]}, Reason.UNAVAILABLE, "nowhere"),
        ({"entity_id": "lock.door"}, Reason.VALUE, "lock.door"),
        ({"area_id": "attic"}, Reason.VALUE, "light.turn_on"),
        ({"area_id": "cellar"}, Reason.VALUE, "cellar"),
        ({"label_id": "no such label"}, Reason.VALUE, "no such label"),
        ({"device_id": "abc"}, Reason.VALUE, "abc"),
        ({"entity_id": "none"}, Reason.VALUE, "light.turn_on"),
        ({}, Reason.REQUIRED, "act on"),
        ({"entity_id": []}, Reason.REQUIRED, "act on"),
    ],
)
async def test_nothing_to_act_on_is_a_failure(
    registry: ActionRegistry,
    house: House,
    target: dict[str, object],
    reason: Reason,
    names: str,
) -> None:
    """Home Assistant itself says "done" to all of these."""
    result = await call(registry, "light.turn_on", target)

    assert result.error is not None
    assert result.error.reason is reason
    assert names in result.error.detail
    assert sum(lamp.runs for lamp in house.values()) == 0


@pytest.mark.parametrize(
    ("target", "warnings"),
    [
        ({"entity_id": ["light.one", "light.away"]}, ["unavailable: light.away"]),
        ({"entity_id": ["light.one", "light.no"]}, ["no such entity: light.no"]),
        ({"entity_id": "light.one, lock.door"}, ["not for light.turn_on: lock.door"]),
        ({"area_id": ["kitchen"]}, ["unavailable: light.away"]),
        (
            {"entity_id": "light.one", "area_id": "cellar"},
            ["not found: area_id cellar"],
        ),
        (
            {"entity_id": "all"},
            ["unavailable: light.away, light.gone"],
        ),
    ],
)
async def test_some_to_act_on_is_a_success_with_warnings(
    hass: HomeAssistant,
    registry: ActionRegistry,
    house: House,
    target: dict[str, object],
    warnings: list[str],
) -> None:
    """Those that were left out are named."""
    house["broken"]._fails = None

    result = await call(registry, "light.turn_on", target)

    assert result.error is None
    assert list(result.warnings) == warnings
    assert hass.states.is_state("light.one", "on")


async def test_one_of_several_fails(registry: ActionRegistry, house: House) -> None:
    """Those that show the change are done, the others unconfirmed, never swapped."""
    lamps = ("one", "broken", "lit", "silent", "still")
    names = [f"light.{name}" for name in lamps]

    result = await call(registry, "light.turn_on", {"entity_id": names})

    assert result.error is not None
    assert result.error.reason is Reason.FAILED
    assert "does not answer" in result.error.detail
    assert result.value == {
        "done": ["light.lit", "light.one", "light.still"],
        "unconfirmed_entities": ["light.broken", "light.silent"],
    }
    assert [house[name].runs for name in lamps] == [1, 1, 1, 1, 1]


async def test_the_only_one_fails(registry: ActionRegistry, house: House) -> None:
    """One entity needs no list."""
    result = await call(registry, "light.turn_on", {"entity_id": "light.broken"})

    assert result.value is None
    assert result.error is not None
    assert result.error.detail == "the bulb does not answer"


@pytest.mark.parametrize(
    ("action", "names", "value"),
    [
        ("turn_on", "light.one", {"changed": {"light.one": "on"}}),
        (
            "turn_on",
            ["light.one", "light.lit"],
            {"changed": {"light.lit": "on", "light.one": "on"}},
        ),
        (
            "turn_off",
            ["light.one", "light.lit"],
            {"changed": {"light.lit": "off"}, "unchanged": ["light.one"]},
        ),
        ("turn_off", "light.one", None),
        ("turn_on", "light.silent", None),
    ],
)
async def test_report_tells_what_changed(
    registry: ActionRegistry,
    house: House,
    action: str,
    names: object,
    value: object,
) -> None:
    """Asked for, or because a model is told in words."""
    asked = await call(registry, f"light.{action}", {"entity_id": names}, report=True)

    assert asked.value == value
    assert asked.text == ("ok" if value is None else asked.text)


async def test_report_waits_for_nobody_who_need_not_write(
    hass: HomeAssistant, house: House
) -> None:
    """Not for one that shows what was asked, nor for one that wrote."""
    registry = ActionRegistry(hass, report_wait=60)
    names = ["light.one", "light.still"]
    async with asyncio.timeout(10):
        result = await call(
            registry, "light.turn_on", {"entity_id": names}, report=True
        )

    assert result.value == {
        "changed": {"light.one": "on"},
        "unchanged": ["light.still"],
    }


async def test_report_waits_for_who_writes_late(
    hass: HomeAssistant, house: House
) -> None:
    """Until the state is there, and no longer."""
    registry = ActionRegistry(hass, report_wait=60)
    target = {"entity_id": "light.late"}

    plain = await call(registry, "light.turn_on", target)
    unwritten = hass.states.get("light.late")
    await hass.async_block_till_done()
    async with asyncio.timeout(10):
        told = await call(registry, "light.turn_off", target, report=True)

    assert plain.error is None
    assert unwritten is not None
    assert unwritten.state == "off"
    assert told.value == {"changed": {"light.late": "off"}}


async def test_conversations_are_told_without_asking(
    registry: ActionRegistry, house: House
) -> None:
    """Others get `ok`."""
    target = {"entity_id": "light.one"}

    plain = await call(registry, "light.turn_on", target)
    told = await call(registry, "light.turn_off", target, caller=SPOKEN)

    assert (plain.value, plain.text) == (None, "ok")
    assert told.value == {"changed": {"light.one": "off"}}


async def test_same_lamp_twice_runs_in_the_order_written(
    hass: HomeAssistant, registry: ActionRegistry, house: House
) -> None:
    """Off, slowly, then on: it ends on."""
    house["lit"]._seconds = 0.02
    batch = await run(
        registry,
        ToolCall(tool="light.turn_off", arguments={"entity_id": "light.lit"}),
        ToolCall(tool="light.turn_on", arguments={"entity_id": "light.lit"}),
    )

    assert (batch.parallel, "light.lit" in batch.why) == (False, True)
    assert hass.states.is_state("light.lit", "on")


async def test_members_of_a_platforms_group_are_told(
    hass: HomeAssistant, registry: ActionRegistry, house: House
) -> None:
    """The group is there; one of its lamps is not."""
    assert await async_setup_component(hass, "group", {})
    members = ["light.one", "light.away"]
    entry = MockConfigEntry(
        domain="group",
        title="All",
        options={
            "group_type": "light",
            "name": "All",
            "entities": members,
            "hide_members": False,
            "all": False,
        },
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()

    result = await call(
        registry, "light.turn_on", {"entity_id": "light.all"}, report=True
    )

    assert result.error is None
    assert result.warnings == ("unavailable: light.away",)
    assert result.value == {"changed": {"light.all": "on", "light.one": "on"}}


@pytest.mark.parametrize(
    ("entities", "reason", "warnings"),
    [
        ({"light.one": "on", "light.away": "on"}, None, ("unavailable: light.away",)),
        ({"light.one": "on", "light.no": "on"}, None, ("no such entity: light.no",)),
        ({"light.away": "on"}, Reason.UNAVAILABLE, ()),
        ({"light.no": "on"}, Reason.VALUE, ()),
    ],
)
async def test_entities_named_beside_the_target_are_judged(
    hass: HomeAssistant,
    registry: ActionRegistry,
    house: House,
    entities: dict[str, str],
    reason: Reason | None,
    warnings: tuple[str, ...],
) -> None:
    """`scene.apply` has no target and changes entities all the same."""
    assert await async_setup_component(hass, "scene", {})
    await registry.async_prepare()

    result = await call(registry, "scene.apply", {"entities": entities}, report=True)

    assert (None if result.error is None else result.error.reason) is reason
    assert result.warnings == warnings
    assert reason is not None or result.value == {"changed": {"light.one": "on"}}


LONG = "x" * 3000


@pytest.mark.parametrize(
    "target",
    [
        {"entity_id": LONG},
        {"entity_id": f"light.{LONG}"},
        {"entity_id": f"light.{'x' * 240}"},
        {"entity_id": ["light.one", f"light.{'x' * 240}"]},
        {"area_id": LONG},
        {"area_id": ["kitchen", LONG]},
        {"target": {LONG: "light.one"}},
    ],
)
async def test_wrong_ids_are_not_repeated_at_length(
    registry: ActionRegistry, house: House, target: dict[str, object]
) -> None:
    """They may hold a secret that went to the wrong place."""
    result = await call(registry, "light.turn_on", target)

    assert result.error is not None or result.warnings
    assert "x" * 200 not in result.text
    assert "x" * 40 in f"{result.text}{result.error and result.error.field}"
