"""The editor beside what others do to the same entry, and beside a text that waits."""

import json
from typing import Any

from homeassistant.auth.models import User
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigEntryDisabler,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.sequence.codec import load
from custom_components.homeagent.sequence.writer import to_text

from .editing_person import Editor, add_draft, add_pasted, call_row
from .flow_words import check_words
from .home import async_act, async_set_up

SWITCH = {"tool": "input_boolean.turn_on", "args": {"entity_id": "input_boolean.hall"}}
ONE = json.dumps({"groups": [{"name": "g", "tools": [SWITCH]}]})
CALLS_ONE = json.dumps(
    {
        "groups": [
            {"name": "h", "tools": [{"tool": "seq_call", "args": {"target": "#One"}}]}
        ]
    }
)
OWN_CALL = {"name": "k", "tools": [{"tool": "seq_call", "args": {"target": "#One/g"}}]}
MINE = {"name": "mine", "tools": [call_row("porch")]}
THEIRS = {"name": "theirs", "tools": [call_row("kitchen")]}


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant, hass_admin_user: User) -> None:
    """A home with four switches, and its administrator."""
    await async_set_up(hass)


def text_of(entry: ConfigEntry) -> str:
    """Return the text of what is saved."""
    return to_text(load(entry.options["sequence"]))


def groups_in(document: object) -> list[str]:
    """Return the names of the groups in a kept draft or a text."""
    decoded = json.loads(document) if isinstance(document, str) else document
    assert isinstance(decoded, dict)
    return [group["name"] for group in decoded["groups"]]


async def rename(hass: HomeAssistant, entry: ConfigEntry, way: str) -> None:
    """Rename One to Eins: in another editor, or in Home Assistant's own dialog."""
    if way == "dialog":
        hass.config_entries.async_update_entry(entry, title="Eins")
        await hass.async_block_till_done()
        return
    other = await Editor.open(hass, entry)
    await other.choose("rename")
    shown = await other.submit({"name": "Eins"})
    if shown["step_id"] == "confirm_rename":
        await other.choose("do_rename")


@pytest.mark.parametrize("way", ["editor", "dialog"])
@pytest.mark.parametrize("page", ["check", "group_form"])
async def test_saving_leaves_a_new_name(
    hass: HomeAssistant, way: str, page: str
) -> None:
    """Renamed while another editor is open: name, callers and own calls stay right."""
    editor = await add_pasted(hass, "One", ONE)
    entry = editor.entry
    caller = (await add_pasted(hass, "Two", CALLS_ONE)).entry
    await editor.choose("groups", "add_group")
    if page == "check":
        await editor.submit(OWN_CALL)
        await editor.choose("groups", "editor", "check")
        await rename(hass, entry, way)
    else:
        await rename(hass, entry, way)
        await editor.submit(OWN_CALL)
        await editor.choose("groups", "editor", "check")
        assert "changed" not in editor.told("problems")
    assert editor.shown["menu_options"][0] == "save"
    saved = await editor.choose("save")
    assert saved["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    assert (entry.title, load(entry.options["sequence"]).name) == ("Eins", "Eins")
    assert sorted(hass.data[DATA_RUNTIME].library.names()) == ["Eins", "Two"]
    assert "#Eins/g" in text_of(entry)
    assert "#Eins" in text_of(caller)
    assert "#One" not in text_of(entry) + text_of(caller)


@pytest.mark.parametrize("way", ["editor", "dialog"])
async def test_renamed_draft_keeps_its_new_name(hass: HomeAssistant, way: str) -> None:
    """A draft that calls itself is saved by the name it has now."""
    editor = await add_draft(hass, "One")
    await editor.choose("json")
    groups = [*json.loads(ONE)["groups"], OWN_CALL]
    await editor.submit({"document": json.dumps({"groups": groups})})
    await rename(hass, editor.entry, way)
    await editor.choose("save")
    await hass.async_block_till_done()
    assert editor.entry.title == "Eins"
    assert "#Eins/g" in text_of(editor.entry)


async def test_title_given_while_it_was_not_loaded_counts(hass: HomeAssistant) -> None:
    """Saving loads the sequence, and callers follow its title then."""
    entry = (await add_pasted(hass, "One", ONE)).entry
    caller = (await add_pasted(hass, "Two", CALLS_ONE)).entry
    await hass.config_entries.async_unload(entry.entry_id)
    hass.config_entries.async_update_entry(entry, title="Eins")
    editor = await Editor.open(hass, entry)
    await editor.choose("check", "save")
    await hass.async_block_till_done()
    assert sorted(hass.data[DATA_RUNTIME].library.names()) == ["Eins", "Two"]
    assert "#Eins" in text_of(caller)


async def test_renamed_callee_is_followed(hass: HomeAssistant) -> None:
    """An editor of a caller, with and without changes, calls the new name."""
    one = await add_pasted(hass, "One", ONE)
    caller = await add_pasted(hass, "Two", CALLS_ONE)
    await caller.choose("groups", "add_group")
    await caller.submit(MINE)
    await caller.choose("groups", "editor", "check")
    await rename(hass, one.entry, "dialog")
    await caller.choose("save")
    assert caller.shown["step_id"] == "editor"
    assert "changed elsewhere" in caller.told("notes")
    await caller.choose("check")
    assert caller.told("problems") == ""
    await caller.choose("save")
    assert "#Eins" in text_of(caller.entry)
    assert groups_in(text_of(caller.entry)) == ["h", "mine"]


@pytest.mark.parametrize("answer", ["do_overwrite", "editor"])
async def test_draft_of_another_editor_is_not_replaced_silently(
    hass: HomeAssistant, answer: str
) -> None:
    """It is asked first; who went back sees what is kept."""
    editor = await add_pasted(hass, "One", ONE)
    entry = editor.entry
    await editor.choose("groups", "add_group")
    other = await Editor.open(hass, entry)
    await other.choose("groups", "add_group")
    await other.submit(THEIRS)
    shown = await editor.submit(MINE)
    assert shown["step_id"] == "overwrite"
    assert "changed elsewhere" in editor.told("effects")
    assert groups_in(entry.options["draft"]) == ["g", "theirs"]
    await editor.choose(answer)
    kept = ["g", "mine"] if answer == "do_overwrite" else ["g", "theirs"]
    assert groups_in(entry.options["draft"]) == kept
    await other.choose("groups", "editor")
    assert ("changed elsewhere" in other.told("notes")) == (answer == "do_overwrite")
    await other.choose("groups", "editor")
    assert "changed elsewhere" not in other.told("notes")


async def test_version_saved_meanwhile_is_not_replaced_silently(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Neither by a form nor by a text; it is told again before it is saved."""
    editor = await add_pasted(hass, "One", ONE)
    await editor.choose("groups", "add_group")
    groups = json.loads(ONE)["groups"]
    data = {"name": "One", "groups": groups, "description": "new", "replace": True}
    await async_act(hass, "seq_create", data, user=hass_admin_user)
    shown = await editor.submit(MINE)
    assert shown["step_id"] == "overwrite"
    await editor.choose("do_overwrite", "groups", "editor", "check")
    assert "changed by somebody else" in editor.told("problems")


async def waiting(hass: HomeAssistant) -> Editor:
    """Return an editor that was opened again, where a text waits."""
    editor = await add_pasted(hass, "One", ONE)
    await editor.choose("json")
    await editor.submit({"document": "{"})
    await editor.leave()
    return await Editor.open(hass, editor.entry)


async def test_text_that_waits_is_told_and_stays(hass: HomeAssistant) -> None:
    """Details change nothing in it, also where the groups have other details."""
    editor = await waiting(hass)
    assert "not right yet" in editor.told("notes")
    await editor.choose("details")
    await editor.submit({})
    await editor.choose("details")
    await editor.submit({"description": "new"})
    assert editor.entry.options["draft"]["description"] == "new"
    await editor.choose("json")
    assert editor.values() == {"document": "{"}


@pytest.mark.parametrize(
    "path",
    [
        ("add_group", MINE),
        ("group_0", "copy_group"),
        ("group_0", "delete_group", "do_delete_group"),
    ],
    ids=["add", "copy", "delete"],
)
async def test_text_that_waits_is_dropped_when_that_is_confirmed(
    hass: HomeAssistant, path: tuple[object, ...]
) -> None:
    """Each change of the groups asks; going back leaves text and groups."""
    editor = await waiting(hass)
    for answer, text in (("editor", "{"), ("do_overwrite", None)):
        await editor.choose("groups")
        for step in path:
            await (
                editor.choose(step) if isinstance(step, str) else editor.submit(MINE)
            )
        assert editor.shown["step_id"] == "overwrite"
        assert "JSON text" in editor.told("effects")
        await editor.choose(answer)
        assert editor.entry.options["draft"].get("text") == text


async def test_text_that_was_mended_asks_nothing(hass: HomeAssistant) -> None:
    """It is what the work is made of."""
    editor = await waiting(hass)
    await editor.choose("json")
    shown = await editor.submit({"document": ONE.replace('"g"', '"h"')})
    assert shown["step_id"] == "check"
    assert groups_in(editor.entry.options["draft"]) == ["h"]


GONE_STEPS = {
    "groups": {"next_step_id": "group_0"},
    "details": {"description": "new"},
    "json": {"document": "{}"},
    "rename": {"name": "Two"},
    "duplicate": {"name": "Two"},
    "delete": {"next_step_id": "do_delete"},
    "check": {"next_step_id": "save"},
}


@pytest.mark.parametrize("step", GONE_STEPS)
async def test_deleted_while_its_editor_is_open(hass: HomeAssistant, step: str) -> None:
    """Whatever is done then ends the dialog, which says why."""
    editor = await add_pasted(hass, "One", ONE)
    await editor.choose(step)
    await hass.config_entries.async_remove(editor.entry.entry_id)
    shown = await hass.config_entries.options.async_configure(
        editor.shown["flow_id"], GONE_STEPS[step]
    )
    if step == "groups":
        # The group is shown still; what is done with it ends the dialog.
        shown = await hass.config_entries.options.async_configure(
            shown["flow_id"], {"next_step_id": "copy_group"}
        )
    assert (shown["type"], shown["reason"]) == (FlowResultType.ABORT, "entry_gone")
    assert hass.config_entries.async_entries("homeagent") == []


async def test_disabled_sequence_says_so(hass: HomeAssistant) -> None:
    """It can be edited; it cannot run, and a run is not offered."""
    editor = await add_pasted(hass, "One", ONE)
    entry = editor.entry
    assert "run" in editor.shown["menu_options"]
    by_user = ConfigEntryDisabler.USER
    await hass.config_entries.async_set_disabled_by(entry.entry_id, by_user)
    shown = await editor.choose("run")
    assert "run" not in shown["menu_options"]
    assert "Enable it" in editor.told("notes")


@pytest.mark.parametrize("flow", ["reconfigure", "options"])
async def test_deleted_while_another_dialog_is_open(
    hass: HomeAssistant, flow: str
) -> None:
    """Renaming a sequence, and the options of HomeAgent itself."""
    entry = (await add_pasted(hass, "One", ONE)).entry
    flows: Any = hass.config_entries.flow
    if flow == "options":
        entry = MockConfigEntry(domain="homeagent", data={"kind": "kernel"})
        entry.add_to_hass(hass)
        flows = hass.config_entries.options
        shown = await flows.async_init(entry.entry_id)
        await flows.async_configure(
            shown["flow_id"], {"next_step_id": "kernel_history"}
        )
        answer: dict[str, object] = {"runs_kept": 3, "batches_kept": 3}
    else:
        context: Any = {"source": SOURCE_RECONFIGURE, "entry_id": entry.entry_id}
        shown = await flows.async_init("homeagent", context=context)
        answer = {"name": "Two"}
    await hass.config_entries.async_remove(entry.entry_id)
    shown = await flows.async_configure(shown["flow_id"], answer)
    assert (shown["type"], shown["reason"]) == (FlowResultType.ABORT, "entry_gone")
    check_words(shown, "config" if flow == "reconfigure" else "options")
