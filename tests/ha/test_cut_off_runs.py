"""A run that Home Assistant's end cut off is told by the entities after the start."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.const import EVENT_HOMEASSISTANT_STARTED, EVENT_STATE_CHANGED
from homeassistant.core import (
    CoreState,
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import (  # type: ignore[import-untyped]
    MockConfigEntry,
    mock_restore_cache_with_extra_data,
)

from custom_components.homeagent.sequence.codec import dump
from custom_components.homeagent.sequence.document import read_sequence
from custom_components.homeagent.storage import KEY

from .home import async_act, async_set_up
from .sequence_home import async_make, attributes, entity_of

WAITS = [{"name": "g", "tools": '{"tool":"wait","args":{"seconds":600}} ;'}]
EVENT, RESULT, DURATION = "event.night", "sensor.night", "sensor.night_duration"
KEYS = {EVENT: "run_finished", RESULT: "last_result", DURATION: "last_duration"}


def _stored(user: User, *runs: tuple[str, str | None]) -> dict[str, Any]:
    """Return a history with runs by their id and status; None for one that went on."""
    caller = {"entrance": "direct", "user_id": user.id, "device_id": None}
    entry = {"sequence": "Night", "time": "2026-11-01", "caller": caller, "calls": []}
    entries = [
        {
            **entry,
            "run_id": run_id,
            "report": None if status is None else {"run_id": run_id, "status": status},
        }
        for run_id, status in runs
    ]
    data = {"runs": entries, "batches": []}
    return {"version": 1, "minor_version": 1, "key": KEY, "data": data}


def _restore(hass: HomeAssistant, run_id: str) -> None:
    """Have the entities known, and the event as it was told before the end."""
    parsed = read_sequence({"name": "Night", "groups": WAITS})
    assert parsed.sequence is not None
    entry = MockConfigEntry(
        domain="homeagent",
        title="Night",
        minor_version=2,
        data={"kind": "sequence"},
        options={"sequence": dump(parsed.sequence)},
    )
    entry.add_to_hass(hass)
    registry = er.async_get(hass)
    for entity_id, key in KEYS.items():
        domain, _, name = entity_id.partition(".")
        registry.async_get_or_create(
            domain,
            "homeagent",
            f"{entry.entry_id}_{key}",
            suggested_object_id=name,
            config_entry=entry,
        )
    before = {"run_id": run_id, "status": "ok"}
    state = State(EVENT, "2026-11-01T00:00:00.000+00:00", before)
    extra = {"last_event_type": "finished", "last_event_attributes": before}
    mock_restore_cache_with_extra_data(hass, [(state, extra)])


async def _start(hass: HomeAssistant) -> list[str]:
    """Start, and return the runs that the event told, the restored one first."""
    told: list[str] = []

    @callback
    def changed(event: Event[EventStateChangedData]) -> None:
        state = event.data["new_state"]
        if event.data["entity_id"] == EVENT and state is not None:
            told.append(state.attributes.get("run_id", ""))

    hass.bus.async_listen(EVENT_STATE_CHANGED, changed)
    await async_set_up(hass)
    assert told[-1:] == ["old"]
    hass.set_state(CoreState.running)
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STARTED)
    await hass.async_block_till_done()
    return list(dict.fromkeys(told))


async def test_told_after_the_start(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """When everything is back, each of them is told, and how long it took is unknown."""
    hass.set_state(CoreState.not_running)
    runs = (("r1", None), ("r2", "ok"), ("r3", None))
    hass_storage[KEY] = _stored(hass_admin_user, *runs)
    _restore(hass, "old")
    assert await _start(hass) == ["old", "r1", "r3"]
    told = attributes(hass, EVENT)
    assert (told["event_type"], told["status"]) == ("finished", "cancelled")
    assert (told["failed_tools"], told["duration"]) == ([], None)
    assert hass.states.is_state(RESULT, "cancelled")
    assert hass.states.is_state(DURATION, "unknown")


async def test_nothing_to_tell(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """Runs that ended were told then."""
    hass.set_state(CoreState.not_running)
    hass_storage[KEY] = _stored(hass_admin_user, ("r2", "ok"), ("r4", "cancelled"))
    _restore(hass, "old")
    assert await _start(hass) == ["old"]


async def test_told_before_states_are_written(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """An orderly end cancels runs before entities' states are written, which know it."""
    await async_set_up(hass)
    entry = await async_make(hass, hass_admin_user, "Night", WAITS)
    run = {"name": "Night", "wait": False}
    started = await async_act(hass, "seq_run", run, user=hass_admin_user)
    event = entity_of(hass, entry, "event", "run_finished")
    written: list[object] = []

    @callback
    def write(_: object) -> None:
        written.append(attributes(hass, event).get("run_id"))

    hass.bus.async_listen_once("homeassistant_stop", write)
    await hass.async_stop(force=True)
    assert written == [started["run_id"]]
