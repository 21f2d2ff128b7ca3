"""What an older HomeAgent stored works with this one; what a newer one did is left alone.

The files in `recorded` were written by a real Home Assistant with HomeAgent as it was
before there were access rules (entries 1.1, history 1.1).
"""

from collections.abc import Mapping
import copy
import json
from pathlib import Path
from typing import Any

from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.access.defaults import DEFAULTS
from custom_components.homeagent.config_flow import HomeAgentConfigFlow
from custom_components.homeagent.const import CONF_SEQUENCE
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.storage import KEY
from custom_components.homeagent.tools.access_rules import rule_subentries

from .home import async_act, async_set_up
from .sequence_home import entry_named

RECORDED = Path(__file__).with_name("recorded")
ENTRIES: list[dict[str, Any]] = json.loads((RECORDED / "entries-1.1.json").read_text())
HISTORY: dict[str, Any] = json.loads((RECORDED / "history-1.1.json").read_text())


def _entry(stored: Mapping[str, Any]) -> ConfigEntry:
    kept = (
        "data",
        "domain",
        "entry_id",
        "minor_version",
        "options",
        "title",
        "version",
    )
    entry: ConfigEntry = MockConfigEntry(
        unique_id=stored["unique_id"],
        source=stored["source"],
        subentries_data=copy.deepcopy(stored["subentries"]),
        **{key: copy.deepcopy(stored[key]) for key in kept},
    )
    return entry


async def _start(
    hass: HomeAssistant, hass_storage: dict[str, Any], history: Mapping[str, Any]
) -> None:
    hass_storage[KEY] = copy.deepcopy(history)
    for stored in ENTRIES:
        _entry(stored).add_to_hass(hass)  # type: ignore[attr-defined]
    await async_set_up(hass)


async def test_older_entries(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """They load, have the version of today, and keep every byte of what they do."""
    await _start(hass, hass_storage, HISTORY)
    entries = hass.config_entries.async_entries("homeagent")
    assert len(entries) == len(ENTRIES) == 3
    now = (HomeAgentConfigFlow.VERSION, HomeAgentConfigFlow.MINOR_VERSION)
    for entry, stored in zip(entries, ENTRIES, strict=True):
        assert entry.state is ConfigEntryState.LOADED
        assert (entry.version, entry.minor_version) == now
        assert entry.options.get(CONF_SEQUENCE) == stored["options"].get(CONF_SEQUENCE)
    rules = list(rule_subentries(entry_named(hass, "HomeAgent")))
    assert len(rules) == len(DEFAULTS)
    ran = await async_act(hass, "seq_run", {"name": "Twice"}, user=hass_admin_user)
    assert ran["status"] == "ok"


async def test_older_history(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """Its runs can still be looked at, and stand beside new ones when it is written."""
    await _start(hass, hass_storage, HISTORY)
    await async_act(hass, "seq_run", {"name": "Twice"}, user=hass_admin_user)
    runtime = hass.data[DATA_RUNTIME]
    (old,) = HISTORY["data"]["runs"]
    assert runtime.history.find(old["run_id"]) == old
    await runtime.store.async_write()
    written = hass_storage[KEY]["data"]
    assert len(written["runs"]) == 2
    assert len(written["batches"]) > len(HISTORY["data"]["batches"])


async def test_newer_entry(
    hass: HomeAssistant, hass_storage: dict[str, Any], hass_admin_user: User
) -> None:
    """One of another first number does not load, and takes no other down."""
    newer = {**ENTRIES[2], "entry_id": "newer", "title": "Newer", "unique_id": "newer"}
    entry = _entry(newer | {"version": 2, "options": {"unknown": True}})
    entry.add_to_hass(hass)  # type: ignore[attr-defined]
    await _start(hass, hass_storage, HISTORY)
    assert entry.state is ConfigEntryState.MIGRATION_ERROR
    assert dict(entry.options) == {"unknown": True}
    ran = await async_act(hass, "seq_run", {"name": "Twice"}, user=hass_admin_user)
    assert ran["status"] == "ok"


async def test_newer_history(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    hass_admin_user: User,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is left as it is for the version that can read it, and the log says so."""
    newer = {"version": 2, "minor_version": 1, "key": KEY, "data": {"new": True}}
    await _start(hass, hass_storage, newer)
    ran = await async_act(hass, "seq_run", {"name": "Twice"}, user=hass_admin_user)
    assert ran["status"] == "ok"
    await hass.data[DATA_RUNTIME].store.async_write()
    assert hass_storage[KEY] == newer
    assert "The history is not read" in caplog.text


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"runs": {}, "batches": 5},
        {"runs": [None, 1, {}, {"run_id": 1}], "batches": [[]]},
    ],
)
async def test_damaged_history(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    hass_admin_user: User,
    data: object,
) -> None:
    """What cannot be read is left out; everything else works."""
    await _start(hass, hass_storage, {**HISTORY, "data": data})
    ran = await async_act(hass, "seq_run", {"name": "Twice"}, user=hass_admin_user)
    assert ran["status"] == "ok"
