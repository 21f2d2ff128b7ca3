"""Sequences as config entries: damaged, renamed, removed."""

from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest

from .home import async_act, async_set_up

NOTE = [
    {
        "name": "g",
        "tools": '{"tool":"persistent_notification.create","args":{"message":"m"}} ;',
    }
]
CALLS = [
    {
        "name": "g",
        "tools": (
            '{"tool":"seq_call","args":{"target":"#One"}} ; '
            '{"tool":"seq_call","args":{"target":"#one/g"}} ;'
        ),
        "parallel": False,
    }
]


@pytest.fixture(name="entries")
async def entries_fixture(
    hass: HomeAssistant, hass_admin_user: User
) -> dict[str, ConfigEntry]:
    """Two sequences, of which the second calls the first."""
    await async_set_up(hass)
    for name, groups in (("One", NOTE), ("Two", CALLS)):
        data = {"name": name, "groups": groups}
        made = await async_act(hass, "seq_create", data, user=hass_admin_user)
        assert made["success"], made
    return {
        entry.title: entry for entry in hass.config_entries.async_entries("homeagent")
    }


async def _status(hass: HomeAssistant, user: User, name: str) -> str:
    run = await async_act(hass, "seq_run", {"name": name}, user=user)
    return str(run.get("status", run.get("error")))


async def test_renamed_entry(
    hass: HomeAssistant, hass_admin_user: User, entries: dict[str, ConfigEntry]
) -> None:
    """The new title is the new name, for callers too, and an issue tells of them."""
    hass.config_entries.async_update_entry(entries["One"], title="Eins")
    await hass.async_block_till_done()
    assert await _status(hass, hass_admin_user, "Eins") == "ok"
    assert await _status(hass, hass_admin_user, "Two") == "ok"
    assert "no sequence named" in await _status(hass, hass_admin_user, "One")
    (issue,) = ir.async_get(hass).issues.values()
    assert issue.translation_placeholders == {
        "old": "One",
        "new": "Eins",
        "callers": "Two",
    }
    await hass.config_entries.async_remove(entries["One"].entry_id)
    assert not ir.async_get(hass).issues


@pytest.mark.parametrize("title", ["Two", "TWO", "a/b", "", "#x"])
async def test_title_that_cannot_be_a_name_is_set_back(
    hass: HomeAssistant,
    hass_admin_user: User,
    entries: dict[str, ConfigEntry],
    title: str,
) -> None:
    """A taken or illegal name changes nothing."""
    hass.config_entries.async_update_entry(entries["One"], title=title)
    await hass.async_block_till_done()
    assert entries["One"].title == "One"
    assert await _status(hass, hass_admin_user, "One") == "ok"


async def test_damaged_entry_fails_alone(
    hass: HomeAssistant, hass_admin_user: User, entries: dict[str, ConfigEntry]
) -> None:
    """It has an issue and takes no other down; mended, it runs again."""
    entry = entries["One"]
    good = dict(entry.options)
    assert await hass.config_entries.async_unload(entry.entry_id)
    broken = {"sequence": {**good["sequence"], "groups": 1}}
    hass.config_entries.async_update_entry(entry, options=broken)
    assert not await hass.config_entries.async_setup(entry.entry_id)
    assert entry.state is ConfigEntryState.SETUP_ERROR
    (issue,) = ir.async_get(hass).issues.values()
    assert issue.translation_key == "damaged_sequence"
    listed = await async_act(hass, "seq_list", user=hass_admin_user)
    assert [one["name"] for one in listed["sequences"]] == ["Two"]
    hass.config_entries.async_update_entry(entry, options=good)
    assert await hass.config_entries.async_reload(entry.entry_id)
    assert not ir.async_get(hass).issues
    assert await _status(hass, hass_admin_user, "Two") == "ok"
