"""The editor warns of targets that the home does not have; it stops nobody."""

import json

from homeassistant.core import HomeAssistant
import pytest

from .editing_person import Editor, add, add_draft, editor_of
from .home import async_set_up

ACTION = "input_boolean.turn_on"
HALL = "input_boolean.hall"


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    """A home with four switches."""
    await async_set_up(hass)
    hass.states.async_set("sun.sun", "up")


async def told(hass: HomeAssistant, tool: str, **args: object) -> str:
    """Return what the editor says of a group of one call."""
    editor = await add_draft(hass, "Draft")
    await editor.choose("groups", "add_group")
    row = {"tool": tool, "args": args}
    await editor.submit({"name": "g", "tools": [row]})
    return editor.told("problems")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({}, "Nothing is chosen as target. Choose one in this row."),
        ({"target": {}}, "Nothing is chosen as target."),
        (
            {"entity_id": "input_boolean.no"},
            "There is no such entity: input_boolean.no",
        ),
        ({"target": {"entity_id": [HALL, "input_boolean.no"]}}, "input_boolean.no."),
        ({"target": {"area_id": "attic"}}, "Not found: area attic."),
        ({"target": {"entity_id": "sun.sun"}}, "cannot act on: sun.sun."),
    ],
)
async def test_target_that_does_not_fit_is_told(
    hass: HomeAssistant, args: dict[str, object], says: str
) -> None:
    """At the call, in words; the same when the sequence is looked at again."""
    problems = await told(hass, ACTION, **args)
    assert says in problems
    assert "call 1 (input_boolean.turn_on):" in problems


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        (ACTION, {"entity_id": HALL}),
        (ACTION, {"entity_id": "all"}),
        (ACTION, {"entity_id": f"{HALL}, input_boolean.kitchen"}),
        ("persistent_notification.create", {"message": "x"}),
        ("wait", {"seconds": 1}),
    ],
)
async def test_what_fits_is_not_told(
    hass: HomeAssistant, tool: str, args: dict[str, object]
) -> None:
    """Nor what is unavailable just now."""
    hass.states.async_set(HALL, "unavailable")
    assert await told(hass, tool, **args) == ""


async def test_reference_is_not_judged(hass: HomeAssistant) -> None:
    """What it will be is known when it runs."""
    editor = await add_draft(hass, "Draft")
    await editor.choose("groups", "add_group")
    row = {"tool": ACTION, "args": {"entity_id": "$args.lamp"}}
    lamp = {"key": "lamp", "type": "string"}
    await editor.submit({"name": "g", "tools": [row], "inputs": [lamp]})
    assert editor.told("problems") == ""


async def test_pasted_text_is_a_draft_until_the_warning_was_seen(
    hass: HomeAssistant,
) -> None:
    """It is saved in spite of it; after the switch is gone it is told again."""
    tool = {"tool": ACTION, "args": {"entity_id": "input_boolean.no"}}
    document = json.dumps({"groups": [{"name": "g", "tools": [tool]}]})
    made = await add(hass, "paste", {"name": "One", "document": document})
    editor = await editor_of(hass, made)
    assert "There is no such entity" in editor.told("problems")
    await editor.choose("check", "save_anyway")
    again = await Editor.open(hass, editor.entry)
    assert "There is no such entity" in again.told("problems")
