"""The editor of a sequence: drafts, forms, text, and what is kept of them."""

import json
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.sequence.limits import MAX_GROUPS
from custom_components.homeagent.sequence.model import Sequence

from .editing_person import Editor, add_draft, add_pasted, call_row
from .home import async_set_up

EVENING = {
    "name": "Evening",
    "tools": [call_row("kitchen"), call_row("hall"), call_row("porch")],
}
BEDROOM = {
    "name": "Bedroom",
    "when": "$args.late == true",
    "inputs": [{"key": "late", "type": "boolean", "default": "true"}],
    "tools": [call_row("bedroom")],
}
ONE = json.dumps(
    {
        "groups": [
            {
                "name": "g",
                "tools": '{"tool":"input_boolean.turn_on",'
                '"args":{"entity_id":"input_boolean.hall"}} ;',
            }
        ]
    }
)
WAIT = {"tool": "wait", "args": {"seconds": 1}}
CASES = [
    case
    for case in json.loads(
        (Path(__file__).parents[1] / "core/cases/sequence-check.json").read_text()
    )
    if case["ok"]
]


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    """A home with four switches."""
    await async_set_up(hass)


def stored(hass: HomeAssistant, entry: ConfigEntry) -> Sequence | None:
    """Return the sequence that can run."""
    return hass.data[DATA_RUNTIME].library.get(entry.entry_id)


async def test_draft_becomes_a_sequence(hass: HomeAssistant) -> None:
    """A name, two groups in forms, a look at the plan, saved: now it is there."""
    editor = await add_draft(hass, "Good evening")
    entry = editor.entry
    assert (stored(hass, entry), hass.states.async_entity_ids("button")) == (None, [])
    for group in (EVENING, BEDROOM):
        await editor.choose("groups", "add_group")
        shown = await editor.submit(group)
        assert (shown["type"], shown["step_id"]) == (FlowResultType.MENU, "group")
        await editor.choose("groups", "editor")
    await editor.choose("check")
    line = "3 calls at the same time, then 1 call; nothing has to be filled in"
    assert editor.told("state") == line
    assert "late (yes or no, otherwise yes)" in editor.told("plan")
    assert "input_boolean.turn_on · kitchen" in editor.told("plan")
    saved = await editor.choose("save")
    assert saved["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    assert set(entry.options) == {"sequence", "sentences"}
    assert entry.state is ConfigEntryState.LOADED
    sequence = stored(hass, entry)
    assert sequence is not None
    assert [group.name for group in sequence.groups] == ["Evening", "Bedroom"]
    assert len(hass.states.async_entity_ids("button")) == 1


async def test_leaving_keeps_the_draft(hass: HomeAssistant) -> None:
    """What was taken over is there when the editor is opened again."""
    editor = await add_draft(hass, "Later")
    await editor.choose("groups", "add_group")
    await editor.submit(EVENING)
    await editor.leave()
    again = await Editor.open(hass, editor.entry)
    assert "draft" in again.told("notes")
    await again.choose("groups")
    assert again.shown["menu_options"]["group_0"].startswith("1. Evening")


async def test_changes_are_not_live_before_they_are_saved(
    hass: HomeAssistant,
) -> None:
    """They are kept beside the sequence, and can be discarded."""
    editor = await add_pasted(hass, "Seq", ONE)
    before = stored(hass, editor.entry)
    await editor.choose("groups", "add_group")
    await editor.submit(EVENING)
    await editor.leave()
    assert stored(hass, editor.entry) == before
    again = await Editor.open(hass, editor.entry)
    assert "not saved" in again.told("notes")
    await again.choose("discard", "do_discard")
    assert again.told("notes") == ""
    assert "draft" not in editor.entry.options
    await again.choose("groups", "group_0", "edit_group")
    await again.submit({"description": "new"})
    await again.choose("groups", "editor", "check", "save")
    after = stored(hass, editor.entry)
    assert after is not None
    assert after.groups[0].description == "new"
    assert editor.entry.state is ConfigEntryState.LOADED


async def test_warnings_are_shown_and_confirmed(hass: HomeAssistant) -> None:
    """On the page after the form, and again before it is saved."""
    editor = await add_draft(hass, "Draft")
    await editor.choose("groups", "add_group")
    await editor.submit({"name": "g", "tools": [{"tool": "no.such", "args": {"a": 1}}]})
    assert "call 1 (no.such): There is no tool" in editor.told("problems")
    assert '"a": 1' in editor.told("understood")
    await editor.choose("groups", "editor", "check")
    assert editor.shown["menu_options"] == ["save_anyway", "editor"]
    saved = await editor.choose("save_anyway")
    assert saved["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
async def test_forms_and_text_lose_nothing(
    hass: HomeAssistant, case: dict[str, Any]
) -> None:
    """Text, through the form of each group, to text and back: the same AST."""
    editor = await add_pasted(hass, json.loads(case["text"])["name"], case["text"])
    groups = len(json.loads(case["text"])["groups"])

    async def save() -> Sequence | None:
        await editor.choose("check")
        await editor.choose(editor.shown["menu_options"][0])
        await hass.async_block_till_done()
        return stored(hass, editor.entry)

    before = await save()
    assert before is not None
    editor = await Editor.open(hass, editor.entry)
    for index in range(groups):
        await editor.choose("groups", f"group_{index}", "edit_group")
        await editor.submit({})
        await editor.choose("groups", "editor")
    await editor.choose("details")
    await editor.submit({})
    await editor.choose("json")
    shown = await editor.submit({})
    assert shown["step_id"] == "check"
    await editor.choose("editor")
    assert "draft" not in editor.entry.options
    assert await save() == before


async def test_text_that_is_not_right_is_kept(hass: HomeAssistant) -> None:
    """It is told what is wrong; it is there again later; emptied, it is forgotten."""
    editor = await add_pasted(hass, "Seq", ONE)
    await editor.choose("json")
    await editor.submit({"document": "{"})
    assert "line 1" in editor.errors()["document"]
    await editor.leave()
    editor = await Editor.open(hass, editor.entry)
    await editor.choose("check")
    assert editor.shown["menu_options"] == ["editor"]
    assert "not right yet" in editor.told("problems")
    await editor.choose("editor", "json")
    assert editor.values() == {"document": "{"}
    await editor.submit({"document": ""})
    assert "draft" not in editor.entry.options


async def test_text_and_form_can_be_mixed(hass: HomeAssistant) -> None:
    """What one makes, the other shows."""
    editor = await add_draft(hass, "Mixed")
    await editor.choose("groups", "add_group")
    await editor.submit(EVENING)
    await editor.choose("groups", "editor", "json")
    text = json.loads(str(editor.values()["document"]))
    assert text["groups"][0]["name"] == "Evening"
    text["groups"][0]["timeout"] = "2m"
    text["description"] = "From text"
    await editor.submit({"document": json.dumps(text)})
    await editor.choose("editor", "groups", "group_0", "edit_group")
    assert editor.values()["timeout"] == "2m"
    rows = editor.values()["tools"]
    assert isinstance(rows, list)
    assert rows[0]["action"][0]["target"] == {"entity_id": ["input_boolean.kitchen"]}


async def test_references_need_the_other_form(hass: HomeAssistant) -> None:
    """A row shows in the form that can express it."""
    tool = "input_boolean.turn_on"
    text = {
        "groups": [
            {
                "name": "g",
                "in": {"who": "string"},
                "tools": [
                    {"tool": tool, "args": {"entity_id": "$args.who"}},
                    {"tool": tool, "args": {"entity_id": "input_boolean.hall"}},
                    {"tool": "no.such", "args": {}},
                ],
            }
        ]
    }
    editor = await add_pasted(hass, "Seq", json.dumps(text))
    await editor.choose("groups", "group_0", "edit_group")
    rows = editor.values()["tools"]
    assert isinstance(rows, list)
    assert [sorted({*row} - {"summary"}) for row in rows] == [
        ["args", "tool"],
        ["action"],
        ["tool"],
    ]
    assert rows[0]["summary"] == "$args.who"


async def test_target_is_shown_however_it_is_spelled(hass: HomeAssistant) -> None:
    """As the action editor has it; what nobody changed keeps its spelling."""
    calls = [
        {"entity_id": "input_boolean.hall"},
        {"entity_id": "input_boolean.porch, input_boolean.hall"},
        {"target": {"entity_id": "input_boolean.kitchen"}},
        {"entity_id": ["input_boolean.bedroom"], "area_id": "attic"},
    ]
    tools = [{"tool": "input_boolean.turn_on", "args": args} for args in calls]
    text = json.dumps({"groups": [{"name": "g", "parallel": False, "tools": tools}]})
    editor = await add_pasted(hass, "Seq", text)

    async def shown() -> Any:
        await editor.choose("groups", "group_0", "edit_group")
        return editor.values()["tools"]

    async def arguments() -> list[object]:
        await editor.choose("groups", "editor", "json")
        document = json.loads(str(editor.values()["document"]))
        await editor.submit({})
        await editor.choose("editor")
        split = document["groups"][0]["tools"].split(" ; ")
        return [json.loads(each.rstrip(" ;"))["args"] for each in split]

    rows = await shown()
    assert [row["action"][0]["target"] for row in rows] == [
        {"entity_id": "input_boolean.hall"},
        {"entity_id": ["input_boolean.porch", "input_boolean.hall"]},
        {"entity_id": "input_boolean.kitchen"},
        {"entity_id": ["input_boolean.bedroom"], "area_id": "attic"},
    ]
    await editor.submit({})
    assert await arguments() == calls
    rows = await shown()
    other = {"entity_id": ["input_boolean.porch"]}
    changed = {"action": [{**rows[0]["action"][0], "target": other}]}
    await editor.submit({"tools": [rows[3], changed, rows[1]]})
    assert await arguments() == [calls[3], {"target": other}, calls[1]]


async def test_groups_are_moved_copied_and_taken_out(hass: HomeAssistant) -> None:
    """In menus, which the keyboard can use; a copy has a free name."""
    editor = await add_draft(hass, "Draft")
    for group in (EVENING, BEDROOM):
        await editor.choose("groups", "add_group")
        await editor.submit(group)
        await editor.choose("groups", "editor")
    await editor.choose("groups", "group_1", "move_up")
    await editor.choose("group_1", "copy_group", "group_0", "move_down")
    await editor.choose("group_0", "delete_group", "do_delete_group")
    names = [group["name"] for group in editor.entry.options["draft"]["groups"]]
    assert names == ["Bedroom", "Evening 2"]


async def test_renamed_group_keeps_its_callers(hass: HomeAssistant) -> None:
    """Calls of the same sequence go along."""
    text = {
        "groups": [
            {"name": "a", "call_only": True, "tools": [{"tool": "wait"}]},
            {
                "name": "b",
                "tools": [{"tool": "seq_call", "args": {"target": "a"}}],
            },
        ]
    }
    editor = await add_pasted(hass, "Seq", json.dumps(text))
    await editor.choose("groups", "group_0", "edit_group")
    await editor.submit({"name": "Elsewhere"})
    groups = editor.entry.options["draft"]["groups"]
    assert groups[1]["tools"][0]["args"]["target"] == "Elsewhere"


async def test_details(hass: HomeAssistant) -> None:
    """Description, sentences, and inputs with the groups that use them."""
    editor = await add_draft(hass, "Draft")
    for group in (EVENING, BEDROOM):
        await editor.choose("groups", "add_group")
        await editor.submit(group)
        await editor.choose("groups", "editor")
    await editor.choose("details")
    inputs = editor.values()["inputs"]
    assert isinstance(inputs, list)
    assert inputs[0]["groups"] == ["Bedroom"]
    shared = {"key": "level", "type": "integer", "groups": ["Evening", "Bedroom"]}
    await editor.submit({"inputs": [*inputs, {**shared, "groups": []}]})
    assert "Row 2 (level): No group" in editor.errors()["inputs"]
    await editor.submit({"sentences": ["dim to {nothing}"], "inputs": inputs})
    assert "nothing" in editor.errors()["sentences"]
    typed = {"sentences": ["dim to {level}"], "inputs": [*inputs, shared]}
    shown = await editor.submit(typed)
    assert shown["step_id"] == "editor"
    draft = editor.entry.options["draft"]
    assert draft["sentences"] == ["dim to {level}"]
    assert [list(group["in"]) for group in draft["groups"]] == [
        ["level"],
        ["late", "level"],
    ]


async def test_names_are_data(hass: HomeAssistant) -> None:
    """What people call things never becomes markup in a description."""
    editor = await add_draft(hass, "Draft")
    await editor.choose("groups", "add_group")
    row = {"tool": "wait", "args": {"seconds": "![x](http://y)"}}
    await editor.submit({"name": "<b> _z_", "description": "d", "tools": [row]})
    shown = editor.shown["description_placeholders"]["plan"]
    assert "\\<b\\> \\_z\\_" in shown
    assert "\\!\\[x\\]\\(http\\:\\/\\/y\\)" in shown


async def test_no_more_groups_than_a_sequence_can_have(hass: HomeAssistant) -> None:
    """Neither a new one nor a copy is offered; the list says why."""
    groups = [{"name": f"g{n}", "tools": [WAIT]} for n in range(MAX_GROUPS)]
    editor = await add_pasted(hass, "Big", json.dumps({"groups": groups}))
    shown = await editor.choose("groups")
    assert "add_group" not in shown["menu_options"]
    assert f"{MAX_GROUPS} groups" in editor.told("state")
    shown = await editor.choose(f"group_{MAX_GROUPS - 1}")
    assert "copy_group" not in shown["menu_options"]
    shown = await editor.choose("delete_group", "do_delete_group")
    assert "add_group" in shown["menu_options"]
    shown = await editor.choose("group_0", "copy_group")
    assert len(editor.entry.options["draft"]["groups"]) == MAX_GROUPS


async def test_calls_on_one_thing_are_said_to_be_made_in_order(
    hass: HomeAssistant,
) -> None:
    """On every page, as they will be; calls on different things are not."""
    editor = await add_draft(hass, "Twice")
    await editor.choose("groups", "add_group")
    twice = [call_row("hall"), call_row("hall", "turn_off")]
    await editor.submit({"name": "g", "tools": twice})
    assert "2 calls in order" in editor.told("plan")
    assert 'Switch "At the same time" off' in editor.told("problems")
    shown = await editor.choose("groups")
    assert shown["menu_options"]["group_0"] == "1. g (2 calls in order)"
    await editor.choose("editor", "check")
    assert "2 calls in order" in editor.told("state")
    assert "2 calls in order" in editor.told("plan")
    await editor.choose("editor", "groups", "group_0", "edit_group")
    assert editor.values()["parallel"] is True
    await editor.submit({"tools": [call_row("hall"), call_row("porch")]})
    assert "2 calls at the same time" in editor.told("plan")
