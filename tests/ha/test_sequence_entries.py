"""Sequences as config entries: damaged, renamed, removed."""

import asyncio
import json
from pathlib import Path

from homeassistant.auth.models import User
from homeassistant.config_entries import (
    ConfigEntry,
    ConfigEntryDisabler,
    ConfigEntryState,
)
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
    left = [issue.translation_key for issue in ir.async_get(hass).issues.values()]
    assert left == ["called_sequence_removed"]


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
    (issue,) = ir.async_get(hass).issues.values()
    assert issue.translation_placeholders == {"name": "One", "wanted": title}
    hass.config_entries.async_update_entry(entries["One"], title="Free")
    await hass.async_block_till_done()
    assert "sequence_not_renamed" not in str(list(ir.async_get(hass).issues))


async def test_renamed_while_disabled(
    hass: HomeAssistant, hass_admin_user: User, entries: dict[str, ConfigEntry]
) -> None:
    """The title counts as soon as the entry is enabled; until then both are taken."""
    entry = entries["One"]
    by_user = ConfigEntryDisabler.USER
    await hass.config_entries.async_set_disabled_by(entry.entry_id, by_user)
    hass.config_entries.async_update_entry(entry, title="Eins")
    taken = {"name": "eins", "groups": NOTE}
    refused = await async_act(hass, "seq_create", taken, user=hass_admin_user)
    assert refused["success"] is False
    await hass.config_entries.async_set_disabled_by(entry.entry_id, None)
    await hass.async_block_till_done()
    assert await _status(hass, hass_admin_user, "Eins") == "ok"
    assert "no sequence named" in await _status(hass, hass_admin_user, "One")


async def _disable(hass: HomeAssistant, entry: ConfigEntry, *, off: bool) -> None:
    by = ConfigEntryDisabler.USER if off else None
    await hass.config_entries.async_set_disabled_by(entry.entry_id, by)
    await hass.async_block_till_done()


async def test_name_of_a_disabled_entry_stays_taken(
    hass: HomeAssistant, hass_admin_user: User, entries: dict[str, ConfigEntry]
) -> None:
    """Also when its title is another one by now: both would want it back."""
    entry = entries["One"]
    await _disable(hass, entry, off=True)
    hass.config_entries.async_update_entry(entry, title="Other")
    again = {"name": "One", "groups": NOTE}
    refused = await async_act(hass, "seq_create", again, user=hass_admin_user)
    assert refused["success"] is False
    await _disable(hass, entry, off=False)
    assert entry.state is ConfigEntryState.LOADED
    assert await _status(hass, hass_admin_user, "Other") == "ok"


async def test_titles_swapped_while_disabled(
    hass: HomeAssistant, hass_admin_user: User, entries: dict[str, ConfigEntry]
) -> None:
    """Neither gets the other's name, and both run."""
    one, two = entries["One"], entries["Two"]
    for entry in (one, two):
        await _disable(hass, entry, off=True)
    hass.config_entries.async_update_entry(one, title="Two")
    hass.config_entries.async_update_entry(two, title="One")
    for entry in (one, two):
        await _disable(hass, entry, off=False)
    assert (one.state, two.state) == (ConfigEntryState.LOADED,) * 2
    assert {one.title, two.title} == {"One", "Two"}
    assert await _status(hass, hass_admin_user, "Two") == "ok"


async def test_caller_that_is_disabled_follows_a_new_name(
    hass: HomeAssistant, hass_admin_user: User, entries: dict[str, ConfigEntry]
) -> None:
    """It calls the sequence by its new name when it comes back."""
    await _disable(hass, entries["Two"], off=True)
    hass.config_entries.async_update_entry(entries["One"], title="Eins")
    await hass.async_block_till_done()
    await _disable(hass, entries["Two"], off=False)
    assert await _status(hass, hass_admin_user, "Two") == "ok"


@pytest.mark.own_folder
async def test_one_of_many_that_want_a_name_gets_it(
    hass: HomeAssistant, hass_config_dir: str, hass_admin_user: User
) -> None:
    """Files are read in between; still nobody is told a success that is none."""
    await async_set_up(hass)
    path = Path(hass.config.path("homeagent", "sequences", "race.json"))
    text = json.dumps({"groups": NOTE})

    def write() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    await hass.async_add_executor_job(write)
    names = ["Race", "RACE", "race"] * 4
    told = await asyncio.gather(
        *(
            async_act(
                hass,
                "seq_create",
                {"name": name, "file": "race.json"},
                user=hass_admin_user,
            )
            for name in names
        )
    )
    assert sum(one["success"] for one in told) == 1
    (entry,) = hass.config_entries.async_entries("homeagent")
    assert entry.state is ConfigEntryState.LOADED


async def test_replacing_and_deleting_at_once(
    hass: HomeAssistant,
    hass_config_dir: str,
    hass_admin_user: User,
    entries: dict[str, ConfigEntry],
) -> None:
    """Whoever comes first: every answer is an honest one."""
    replace = {"name": "One", "groups": NOTE, "replace": True}
    delete = {"name": "One", "force": True}
    told = await asyncio.gather(
        *(
            async_act(hass, action, data, user=hass_admin_user)
            for action, data in [("seq_create", replace), ("seq_delete", delete)] * 3
        )
    )
    reasons = {one["error"]["reason"] for one in told if not one["success"]}
    assert reasons <= {"value"}


@pytest.mark.parametrize("depth", [58, 60, 62, 63, 64, 70])
async def test_what_is_accepted_can_be_loaded(
    hass: HomeAssistant, hass_admin_user: User, depth: int
) -> None:
    """A success means that it runs, also at the limits of what is taken."""
    await async_set_up(hass)
    deep = "[" * depth + "]" * depth
    tool = f'{{"tool":"persistent_notification.create","args":{{"message":{deep}}}}} ;'
    for form in (tool, [json.loads(tool.rstrip(" ;"))]):
        data = {"name": "Deep", "groups": [{"name": "g", "tools": form}]}
        made = await async_act(hass, "seq_create", data, user=hass_admin_user)
        states = [
            entry.state for entry in hass.config_entries.async_entries("homeagent")
        ]
        assert states == [ConfigEntryState.LOADED] * made["success"]
        told = str(made.get("error"))
        assert made["success"] or "within each other" in told or "nested" in told
        for entry in hass.config_entries.async_entries("homeagent"):
            await hass.config_entries.async_remove(entry.entry_id)


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
