"""The device and the entities of a sequence."""

from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntryDisabler
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.runtime import DATA_RUNTIME

from .editing_person import add_draft, call_row
from .home import async_act, async_set_up
from .sequence_home import (
    FAILING,
    PLAIN,
    ROOMS,
    async_make,
    async_press,
    attributes,
    entity_of,
)

pytestmark = pytest.mark.usefixtures("set_up")

OFF_BY_DEFAULT = [
    ("sensor", "last_result"),
    ("sensor", "last_duration"),
    ("binary_sensor", "problem"),
]


@pytest.fixture(name="set_up")
async def set_up_fixture(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Set up a home without sequences."""
    await async_set_up(hass)


async def test_device(hass: HomeAssistant, hass_admin_user: User) -> None:
    """A sequence is a service; it has the name of the sequence, also later."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    assert (device.name, device.entry_type) == ("Night", dr.DeviceEntryType.SERVICE)
    hass.config_entries.async_update_entry(entry, title="Evening")
    await hass.async_block_till_done()
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    assert device.name == "Evening"


async def test_button_runs(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Pressing runs the sequence, and the event entity says how it went."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    assert entity_of(hass, entry, "button", "run") == "button.night_run"
    await async_press(hass, "button.night_run", hass_admin_user)
    hall = hass.states.get("input_boolean.hall")
    assert hall is not None
    assert hall.state == "on"
    assert hall.context.user_id == hass_admin_user.id
    told = attributes(hass, "event.night_run_finished")
    assert told["event_type"] == "finished"
    assert (told["status"], told["failed_tools"], told["reasons"]) == ("ok", [], [])


async def test_button_raises_for_a_failure(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """A press never looks like a success that it was not."""
    entry = await async_make(hass, hass_admin_user, "Night", FAILING)
    with pytest.raises(HomeAssistantError, match="nowhere"):
        await async_press(
            hass, entity_of(hass, entry, "button", "run"), hass_admin_user
        )
    told = attributes(hass, entity_of(hass, entry, "event", "run_finished"))
    assert told["status"] == "failed"
    assert told["failed_tools"] == ["input_boolean.turn_on"]
    assert told["reasons"] == ["value"]


async def test_button_is_unavailable_without_inputs(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """It follows the sequence when that is edited, without a reload."""
    entry = await async_make(hass, hass_admin_user, "Night", ROOMS)
    button = entity_of(hass, entry, "button", "run")
    assert hass.states.is_state(button, "unavailable")
    await async_make(hass, hass_admin_user, "Night", PLAIN, replace=True)
    assert hass.states.is_state(button, "unknown")
    await async_make(hass, hass_admin_user, "Night", ROOMS, replace=True)
    assert hass.states.is_state(button, "unavailable")


@pytest.mark.parametrize(("domain", "key"), OFF_BY_DEFAULT)
async def test_off_by_default(
    hass: HomeAssistant, hass_admin_user: User, domain: str, key: str
) -> None:
    """Who wants them enables them."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    found = er.async_get(hass).async_get(entity_of(hass, entry, domain, key))
    assert found is not None
    assert found.disabled_by is er.RegistryEntryDisabler.INTEGRATION


async def test_sensors_of_the_last_run(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """They know how the last run ended, also after a reload."""
    entry = await async_make(hass, hass_admin_user, "Night", FAILING)
    registry = er.async_get(hass)
    for domain, key in OFF_BY_DEFAULT:
        entity_id = entity_of(hass, entry, domain, key)
        registry.async_update_entity(entity_id, disabled_by=None)
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    states = [entity_of(hass, entry, *each) for each in OFF_BY_DEFAULT]
    assert all(hass.states.is_state(each, "unknown") for each in states)
    await async_act(hass, "seq_run", {"name": "Night"}, user=hass_admin_user)
    assert hass.states.is_state(states[0], "failed")
    assert not hass.states.is_state(states[1], "unknown")
    assert hass.states.is_state(states[2], "on")
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    assert hass.states.is_state(states[0], "failed")
    assert hass.states.is_state(states[2], "on")
    await async_make(hass, hass_admin_user, "Night", PLAIN, replace=True)
    await async_act(hass, "seq_run", {"name": "Night"}, user=hass_admin_user)
    assert hass.states.is_state(states[0], "ok")
    assert hass.states.is_state(states[2], "off")


async def test_no_sequence_presses_a_button_of_a_sequence(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Whatever way the button is named: at creation, and again when it runs."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    button = entity_of(hass, entry, "button", "run")
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    for target in ({"entity_id": button}, {"device_id": device.id}):
        arguments = str({"tool": "button.press", "args": target}).replace("'", '"')
        data = {"name": "Presser", "groups": [{"name": "g", "tools": f"{arguments} ;"}]}
        told = await async_act(hass, "seq_create", data, user=hass_admin_user)
        if told["success"]:
            told = await async_act(
                hass, "seq_run", {"name": "Presser"}, user=hass_admin_user
            )
            assert told["status"] == "failed"
        assert "forbidden" in str(told)
    assert hass.states.is_state("input_boolean.hall", "off")


async def test_presence(hass: HomeAssistant, hass_admin_user: User) -> None:
    """A button is known for as long as it is there, by the id that it has."""
    presence = hass.data[DATA_RUNTIME].presence
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    assert list(presence.buttons()) == ["button.night_run"]
    registry = er.async_get(hass)
    registry.async_update_entity("button.night_run", new_entity_id="button.go")
    await hass.async_block_till_done()
    assert list(presence.buttons()) == ["button.go"]
    by_user = ConfigEntryDisabler.USER
    await hass.config_entries.async_set_disabled_by(entry.entry_id, by_user)
    assert list(presence.buttons()) == []


async def test_draft_has_nothing(hass: HomeAssistant, hass_admin_user: User) -> None:
    """No entity and no action before it is a sequence; then all at once."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    runtime = hass.data[DATA_RUNTIME]
    sequence = runtime.library.find("Night")
    assert sequence is not None
    await hass.config_entries.async_remove(entry.entry_id)
    draft = MockConfigEntry(
        domain="homeagent",
        title="Night",
        data={"kind": "sequence"},
        options={"draft": {}, "sentences": ["good night"]},
        minor_version=2,
    )
    draft.add_to_hass(hass)
    assert await hass.config_entries.async_setup(draft.entry_id)
    await hass.async_block_till_done()
    assert not er.async_entries_for_config_entry(er.async_get(hass), draft.entry_id)
    assert not hass.services.has_service("homeagent", "run_night")
    runtime.entries.async_save(draft, sequence, ["good night"])
    await hass.async_block_till_done()
    assert hass.states.is_state("button.night_run", "unknown")
    assert hass.services.has_service("homeagent", "run_night")


async def test_draft_that_was_saved_goes_quietly(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    """What waited for the first version stops waiting once."""
    await async_set_up(hass)
    editor = await add_draft(hass, "One")
    await editor.choose("groups", "add_group")
    await editor.submit({"name": "g", "tools": [call_row("hall")]})
    await editor.choose("groups", "editor", "check", "save")
    await hass.async_block_till_done()
    await hass.config_entries.async_remove(editor.entry.entry_id)
    await hass.async_block_till_done()
    assert "unknown dispatcher" not in caplog.text


async def test_button_does_not_follow_runs(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """A run changes nothing in it, so it says nothing."""
    await async_set_up(hass)
    entry = await async_make(hass, hass_admin_user, "One", PLAIN)
    button = entity_of(hass, entry, "button", "run")
    before = hass.states.get(button)
    assert before is not None
    said = before.last_reported
    await async_act(hass, "seq_run", {"name": "One"}, user=hass_admin_user)
    after = hass.states.get(button)
    assert after is not None
    assert after.last_reported == said


async def test_other_runs_are_not_told(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """An event entity tells of its own sequence only."""
    await async_make(hass, hass_admin_user, "One", PLAIN)
    await async_make(hass, hass_admin_user, "Two", PLAIN)
    await async_act(hass, "seq_run", {"name": "Two"}, user=hass_admin_user)
    assert hass.states.is_state("event.one_run_finished", "unknown")
    assert attributes(hass, "event.two_run_finished")["status"] == "ok"


async def test_nothing_is_left_behind(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """With a sequence go its device, entities and action."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    assert hass.services.has_service("homeagent", "run_night")
    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    assert not hass.services.has_service("homeagent", "run_night")
    assert not dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    assert not er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
