"""The editor of a sequence: forms, text, check, run, and what is kept of it."""

import json
from typing import Any

from homeassistant.config_entries import SOURCE_USER, ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.homeagent.runtime import DATA_RUNTIME

from .editing_person import Editor, add_draft, add_pasted, call_row
from .home import async_set_up

PARALLEL = {
    "name": "Evening",
    "tools": [call_row("kitchen"), call_row("hall"), call_row("porch")],
}


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    """A home with four switches."""
    await async_set_up(hass)


async def test_draft_becomes_a_sequence(hass: HomeAssistant) -> None:
    """A name, two groups in forms, a look at the plan, saved: it runs."""
    editor = await add_draft(hass, "Good evening")
    entry = editor.entry
    assert hass.data[DATA_RUNTIME].library.names() == []
    await editor.choose("groups", "add_group")
    shown = await editor.submit(PARALLEL)
    assert (shown["type"], shown["step_id"]) == (FlowResultType.MENU, "group")
    await editor.choose("groups", "add_group")
    await editor.submit(
        {
            "name": "Bedroom",
            "when": "$args.late == true",
            "inputs": [{"key": "late", "type": "boolean", "default": "true"}],
            "tools": [call_row("bedroom")],
        }
    )
    shown = await editor.choose("groups", "editor", "check")
    assert "3 calls at the same time, then 1 call" in editor.told("state")
    saved = await editor.choose("save")
    assert saved["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    assert set(entry.options) == {"sequence", "sentences"}
    assert entry.state is ConfigEntryState.LOADED
    sequence = hass.data[DATA_RUNTIME].library.find("Good evening")
    assert sequence is not None
    assert [group.name for group in sequence.groups] == ["Evening", "Bedroom"]
