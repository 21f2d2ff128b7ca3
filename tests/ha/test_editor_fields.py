"""What is wrong in a form of the editor stands at its field when the form is sent."""

import json
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from .editing_person import Editor, add, add_draft, add_pasted, call_row
from .home import async_set_up

EVENING = {
    "name": "Evening",
    "tools": [call_row("kitchen"), call_row("hall"), call_row("porch")],
}


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    """A home with four switches."""
    await async_set_up(hass)


def action(**members: object) -> dict[str, object]:
    """Return a row whose action has more to it."""
    row = call_row("hall")
    calls = row["action"]
    assert isinstance(calls, list)
    return {"action": [{**calls[0], **members}]}


def declares(key: str = "a", **more: object) -> dict[str, Any]:
    """Return a form with one input."""
    return {"inputs": [{"key": key, "type": "string", **more}]}


USES_K = {"tools": [{"tool": "wait", "args": {"seconds": "$args.k"}}]}


@pytest.mark.parametrize(
    ("typed", "field", "says"),
    [
        ({"name": ""}, "name", "is empty"),
        ({"name": "a/b"}, "name", "contains `/`"),
        ({"timeout": "20"}, "timeout", '"20s"'),
        ({"when": "1 =="}, "when", "Found"),
        ({"when": "$args.x"}, "when", 'Add it under "Inputs"'),
        ({"retries": 3.0}, "retries", '"If a call fails"'),
        ({"on_error": "retry"}, "on_error", "how often"),
        ({"tools": []}, "tools", 'under "Calls"'),
        ({"tools": [call_row("hall", **{"as": "x"})]}, "tools", 'under "Outputs"'),
        ({"tools": [{}]}, "tools", "Row 1: Choose an action"),
        ({"tools": [call_row("hall"), {"tool": "wait", "as": "x"}]}, "tools", "Row 2"),
        ({"tools": [call_row("hall", tool="wait")]}, "tools", "Keep one"),
        ({"tools": [action(enabled=False)]}, "tools", "disabled"),
        ({"tools": [action(response_variable="x")]}, "tools", "output"),
        ({"tools": [action(continue_on_error=True)]}, "tools", "whole group"),
        ({"tools": [action(alias="My call")]}, "tools", "name of its own"),
        ({"tools": [action(data={"a": ["{{ x }}"]})]}, "tools", "template at a[0]"),
        ({"tools": [action(target="{{ x }}")]}, "tools", "cannot be a target"),
        ({"tools": [action(whatever=1)]}, "tools", "whatever"),
        ({"tools": [action(data=[])]}, "tools", "must be an object"),
        ({"tools": [{"action": [{"delay": "1"}]}]}, "tools", "wait"),
        ({"tools": [{"action": [{"if": []}]}]}, "tools", "Only if"),
        ({"tools": [{"action": [{"stop": ""}]}]}, "tools", '"stop"'),
        ({"tools": [{"action": [{"device_id": "x"}]}]}, "tools", "light.turn_on"),
        ({"tools": [{"action": [{}, {}]}]}, "tools", "2 actions"),
        ({"tools": [{"action": ["x"]}]}, "tools", "not an action"),
        ({"tools": [{"action": 7}]}, "tools", "not an action"),
        ({"tools": [{"tool": "wait", "args": "seconds"}]}, "tools", "an object"),
        ({"tools": [{"tool": "wait", "fallback": "[off"}]}, "tools", "Fallback"),
        ({"tools": [{"tool": "seq_run"}]}, "tools", 'seq_call, with target: "#'),
        ({"tools": [{"tool": "seq_call"}]}, "tools", "target"),
        (declares(type="number", default="x"), "inputs", "Row 1 (a): Default"),
        (declares(type="number", default="1,500"), "inputs", "1500 or as 1.500"),
        (declares(type="boolean", default="maybe"), "inputs", "neither yes nor no"),
        (declares(type="integer", default="1,5"), "inputs", "Row 1 (a): 1.5 is not"),
        (declares(default="c", choices=["b"]), "inputs", "Row 1 (a): The default"),
        (declares(type="number", choices=["b"]), "inputs", "Row 1 (a): Choices"),
        ({"inputs": [{"key": "a", "type": "any"}] * 2}, "inputs", "two rows"),
        (declares("1k"), "inputs", 'Row 1 (1k): "1k" is no legal key'),
        (declares("1k") | USES_K, "inputs", "no legal key"),
        ({"outputs": [{"key": "", "type": "any"}]}, "outputs", "key is missing"),
    ],
)
async def test_error_stands_at_its_field(
    hass: HomeAssistant, typed: dict[str, Any], field: str, says: str
) -> None:
    """The form comes back with what was typed; nothing is kept; then it is mended."""
    editor = await add_draft(hass, "Draft")
    await editor.choose("groups", "add_group")
    await editor.submit(EVENING | typed)
    errors = editor.errors()
    assert set(errors) == {field}
    assert says in errors[field]
    assert editor.values().items() >= typed.items()
    assert editor.entry.options["draft"]["groups"] == []
    mended = {"retries": 0, "on_error": "abort", "timeout": "30s", "when": ""}
    shown = await editor.submit(EVENING | mended | {"inputs": [], "outputs": []})
    assert shown["step_id"] == "group"


TWO = json.dumps(
    {
        "groups": [
            {
                "name": "one",
                "in": {"k": {"type": "number"}, "level": {"type": "number"}},
                "parallel": False,
                "tools": [
                    {"tool": "wait", "args": {"seconds": "$args.k"}},
                    {"tool": "wait", "args": {"seconds": "$args.level"}},
                ],
            },
            {
                "name": "two",
                "in": {"level": {"type": "number"}},
                "tools": [{"tool": "wait", "args": {"seconds": "$args.level"}}],
            },
        ]
    }
)


def given(key: str, *groups: str, **more: object) -> dict[str, Any]:
    """Return a row of the details."""
    return {"key": key, "type": "number", "groups": list(groups), **more}


K = given("k", "one")
LEVEL = given("level", "one", "two")


@pytest.mark.parametrize(
    ("typed", "field", "says"),
    [
        ([K, LEVEL, given("1k", "two")], "inputs", 'Row 3 (1k): "1k" is no legal key'),
        ([given("1k", "one"), LEVEL], "inputs", 'Row 1 (1k): "1k" is no legal key'),
        ([K, given("1l", "one", "two", default="x")], "inputs", '"1l" is no legal'),
        ([K, LEVEL | {"default": "x"}], "inputs", "Row 2 (level): Default"),
        (
            [K, LEVEL | {"default": "9", "choices": ["1", "2,5"]}],
            "inputs",
            "Row 2 (level): The default 9 is none of the choices: 1, 2.5",
        ),
        ([LEVEL], "inputs", "group one, call 1 (wait)"),
        ([K, given("level", "one")], "inputs", "group two, call 1 (wait)"),
        ([K, LEVEL, K], "inputs", "Row 3 (k): The key k stands in two rows"),
        ([K, LEVEL, given("x")], "inputs", "Row 3 (x): No group uses this input"),
        ([K, LEVEL, given(" ", "two")], "inputs", "Row 3: The key is missing"),
        ("start {nothing}", "sentences", 'no input "nothing"'),
        ("", "sentences", ""),
    ],
)
async def test_error_of_the_details_stands_at_its_field(
    hass: HomeAssistant, typed: Any, field: str, says: str
) -> None:
    """When the form is sent, once, with its row; nothing is kept."""
    editor = await add_pasted(hass, "Seq", TWO)
    before = dict(editor.entry.options)
    await editor.choose("details")
    shown = editor.values()
    values = {"inputs": typed} if field == "inputs" else {"sentences": [typed]}
    await editor.submit(values)
    if not says:
        assert editor.shown["step_id"] == "editor"
        return
    errors = editor.errors()
    assert set(errors) == {field}
    assert errors[field].count(says) == 1
    assert dict(editor.entry.options) == before
    shown = await editor.submit({"inputs": [], "sentences": []} | shown)
    assert shown["step_id"] == "editor"
    assert dict(editor.entry.options) == before


async def test_defaults_are_typed_as_people_write(hass: HomeAssistant) -> None:
    """Keys lose their blanks, values are read by their types, and shown alike."""
    editor = await add_pasted(hass, "Seq", TWO)
    await editor.choose("details")
    rows = [
        K,
        LEVEL | {"default": "1,5"},
        given(" late ", "two", type="boolean", default="on"),
        given("room", "two", type="string", default="kitchen"),
        given("lamps", "two", type="array", default="desk, shelf"),
        given("scene", "two", type="object", default="lamp: desk, level: 5"),
    ]
    await editor.submit({"inputs": rows})
    await editor.choose("json")
    declared = json.loads(str(editor.values()["document"]))["groups"][1]["in"]
    assert {key: each["default"] for key, each in declared.items()} == {
        "level": 1.5,
        "late": True,
        "room": "kitchen",
        "lamps": ["desk", "shelf"],
        "scene": {"lamp": "desk", "level": 5},
    }
    await editor.submit({})
    await editor.choose("editor", "details")
    shown = editor.values()["inputs"]
    assert isinstance(shown, list)
    assert {row["key"]: row.get("default") for row in shown} == {
        "k": None,
        "level": "1.5",
        "late": "yes",
        "room": "kitchen",
        "lamps": "desk, shelf",
        "scene": "lamp: desk, level: 5",
    }


async def test_all_that_is_wrong_is_told_at_once(hass: HomeAssistant) -> None:
    """Every field has its own; a row that cannot be read does not hide the others."""
    editor = await add_draft(hass, "Draft")
    await editor.choose("groups", "add_group")
    rows = [{}, {"tool": "wait", "as": "nowhere"}]
    await editor.submit({"name": "", "tools": rows, "timeout": "x", "when": "=="})
    errors = editor.errors()
    assert set(errors) == {"name", "tools", "timeout", "when"}
    assert "Row 1:" in errors["tools"]
    assert "Row 2 (wait):" in errors["tools"]


SAID = {"name": "Said", **json.loads(TWO)}
CUT = json.dumps({"groups": [{"name": "g", "tools": [{"tool": "wait"}]}]})


def choosing(**more: object) -> str:
    """Return a text whose group says what happens in case of trouble."""
    return json.dumps({"groups": [{"name": "g", "tools": [{"tool": "wait"}]} | more]})


@pytest.mark.parametrize(
    ("name", "document", "field", "says"),
    [
        ("", SAID, "", "Said"),
        ("said", SAID, "", "Said"),
        ("Other", SAID, "name", '"Said" in the JSON'),
        ("", TWO, "name", "the JSON has none"),
        ("", SAID | {"name": "a/b"}, "document", "contains `/`"),
        ("", SAID | {"name": "Taken"}, "name", "already"),
        ("S", CUT[:-2], "document", "column 54: ]} is missing there"),
        ("S", CUT[:17], "document", "groups[0]: The text ends too early"),
        ("S", CUT[:17] + "\n\n", "document", 'line 1, column 17: "}]} is missing'),
        ("S", CUT[:20], "document", "end of the text; a value must"),
        ("S", CUT[:-2] + "}", "document", "line 1, column 55"),
        ("S", choosing(on_error="skip"), "document", "abort, continue, retry"),
        ("S", choosing(missing="Degrad"), "document", 'Did you mean "degrade"?'),
        ("S", choosing(missing=None), "document", "fail, skip, degrade"),
        ("S", choosing(on_error=""), "document", "abort, continue, retry"),
    ],
)
async def test_error_of_a_pasted_text_stands_at_its_field(
    hass: HomeAssistant, name: str, document: Any, field: str, says: str
) -> None:
    """The name is the one of the text, where none was typed; one error is told."""
    await add_draft(hass, "Taken")
    text = document if isinstance(document, str) else json.dumps(document)
    shown = await add(hass, "paste", {"name": name, "document": text})
    if not field:
        assert shown["title"] == says
        return
    assert shown["errors"] == {field: f"at_{field}"}
    told = shown["description_placeholders"][f"at_{field}"]
    assert says in told
    assert told.count("Write one of") + told.count("Did you mean") <= 1


async def test_it_is_told_what_leaving_keeps(hass: HomeAssistant) -> None:
    """A text that is not right is kept, a form is not; a draft is said to be one."""
    editor = await add_draft(hass, "Draft")
    await editor.choose("json")
    assert editor.told("note") == ""
    await editor.submit({"document": "{"})
    assert "kept as it is" in editor.told("note")
    assert editor.errors()["document"].startswith("The text ends too early, at line 1")
    await editor.leave()
    editor = await Editor.open(hass, editor.entry)
    await editor.choose("check")
    assert "This is a draft" in editor.told("problems")
    await editor.choose("editor", "groups", "add_group")
    assert editor.told("note") == ""
    await editor.submit({"name": ""})
    assert "not taken over" in editor.told("note")


async def test_what_concerns_other_groups_waits_for_the_check(
    hass: HomeAssistant,
) -> None:
    """A call that does not fit any more is the caller's; too much stands at the form."""
    calls = {"tool": "seq_call", "args": {"target": "two", "args": {"level": 1}}}
    groups = json.loads(TWO)["groups"]
    groups[0]["tools"].append(calls)
    editor = await add_pasted(hass, "Seq", json.dumps({"groups": groups}))
    await editor.choose("groups", "group_1", "edit_group")
    shown = await editor.submit({"inputs": [], "tools": [call_row("hall")]})
    assert shown["step_id"] == "group"
    await editor.choose("groups", "editor", "check")
    assert "call 3 (seq_call)" in editor.told("problems")
    await editor.choose("editor", "groups", "group_1", "edit_group")
    back = {"tool": "seq_call", "args": {"target": "one", "args": {"k": 1, "level": 1}}}
    await editor.submit({"name": "one", "tools": [back]})
    errors = editor.errors()
    assert set(errors) == {"name", "tools"}
    assert "already" in errors["name"]
    await editor.submit({"name": "two"})
    assert "where they began" in editor.errors()["tools"]
    long = {"tool": "wait", "args": {"seconds": 1, "x": "x" * 300_000}}
    await editor.submit({"tools": [long]})
    assert "KiB" in editor.errors()["base"]
