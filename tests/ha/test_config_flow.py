"""Adding HomeAgent and sequences in the UI, and what is told at which field."""

from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntryDisabler,
    ConfigEntryState,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.homeagent.tools.sequence_entry import is_draft

from .editing_person import add
from .home import async_set_up

GOOD = '{"groups": [{"name": "g", "tools": "{\\"tool\\":\\"input_boolean.turn_on\\",\\"args\\":{\\"entity_id\\":\\"input_boolean.hall\\"}} ;"}]}'


async def _choose(hass: HomeAssistant, *steps: str) -> Any:
    """Go through the menus of the flow that adds something."""
    flows = hass.config_entries.flow
    shown: Any = await flows.async_init("homeagent", context={"source": SOURCE_USER})
    expected = FlowResultType.FORM
    for step in steps:
        assert shown["type"] is expected, shown
        # Only what everything begins with is a form for everybody.
        expected = FlowResultType.MENU
        chosen = {"next_step_id": step}
        shown = await flows.async_configure(shown["flow_id"], chosen)
    return shown


async def _submit(hass: HomeAssistant, shown: Any, values: dict[str, str]) -> Any:
    return await hass.config_entries.flow.async_configure(shown["flow_id"], values)


async def test_kernel_entry_exists_once(hass: HomeAssistant) -> None:
    """The second one is refused."""
    await async_set_up(hass)
    result = await _submit(hass, await _choose(hass, "kernel"), {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    again = await _choose(hass, "kernel")
    assert (again["type"], again["reason"]) == (
        FlowResultType.ABORT,
        "already_configured",
    )


@pytest.mark.parametrize(
    ("name", "document", "field", "says"),
    [
        ("S", "", "document", "JSON"),
        ("S", "{", "document", "line 1"),
        ("S", '{"groups": []}', "document", "group"),
        ("S", GOOD.replace(" ;", ""), "document", ";"),
        ("S", GOOD.replace("groups", "group"), "document", "groups"),
        ("", GOOD, "name", "name"),
        ("a/b", GOOD, "name", "/"),
        ("S", GOOD.replace("{", '{"name": "T", ', 1), "name", '"T" in the JSON'),
    ],
)
async def test_mistake_is_told_at_its_field(
    hass: HomeAssistant, name: str, document: str, field: str, says: str
) -> None:
    """The form comes back with what was typed and says what is wrong; then it works."""
    await async_set_up(hass)
    typed = {"name": name, "document": document}
    result = await add(hass, "paste", typed)
    assert result["type"] is FlowResultType.FORM
    assert result["errors"] == {field: f"at_{field}"}
    assert says in result["description_placeholders"][f"at_{field}"]
    schema = result["data_schema"]
    shown = {str(key): key.description["suggested_value"] for key in schema.schema}
    assert shown == typed
    made = await _submit(hass, result, {"name": "Right", "document": GOOD})
    assert made["type"] is FlowResultType.CREATE_ENTRY
    assert made["title"] == "Right"


@pytest.mark.parametrize("step", ["draft", "template", "paste"])
async def test_name_taken(hass: HomeAssistant, step: str) -> None:
    """A second sequence of one name is refused at the name, whatever it begins with."""
    await async_set_up(hass)
    await add(hass, "draft", {"name": "One"})
    more = {"template": {"template": "wake_up"}, "paste": {"document": GOOD}}
    result = await add(hass, step, {"name": " ONE", **more.get(step, {})})
    assert (result["type"], result["errors"]) == (
        FlowResultType.FORM,
        {"name": "at_name"},
    )
    assert "already" in result["description_placeholders"]["at_name"]


async def test_text_with_warnings_is_a_draft_until_they_were_seen(
    hass: HomeAssistant,
) -> None:
    """A tool that does not exist now is no reason to refuse the text."""
    await async_set_up(hass)
    strange = GOOD.replace("input_boolean.turn_on", "no.such")
    made = await add(hass, "paste", {"name": "S", "document": strange})
    assert is_draft(made["result"])
    made = await add(hass, "paste", {"name": "T", "document": GOOD})
    assert not is_draft(made["result"])


@pytest.mark.parametrize("state", ["absent", "disabled"])
async def test_first_sequence_offers_homeagent(hass: HomeAssistant, state: str) -> None:
    """It is added, or enabled, along with it; later nobody is asked again."""
    await async_set_up(hass)
    entries = hass.config_entries
    if state == "disabled":
        made = await _submit(hass, await _choose(hass, "kernel"), {})
        by_user = ConfigEntryDisabler.USER
        await entries.async_set_disabled_by(made["result"].entry_id, by_user)
    shown = await _choose(hass, "sequence")
    assert (shown["step_id"], shown["menu_options"]) == (
        "first",
        ["with_homeagent", "begin"],
    )
    shown = await _choose(hass, "sequence", "with_homeagent", "draft")
    await _submit(hass, shown, {"name": "One"})
    await hass.async_block_till_done()
    told = {entry.title: entry.state for entry in entries.async_entries("homeagent")}
    assert told == dict.fromkeys(("HomeAgent", "One"), ConfigEntryState.LOADED)
    assert (await _choose(hass, "sequence"))["step_id"] == "begin"


@pytest.mark.parametrize("step", ["kernel", "paste"])
async def test_flow_before_there_is_any_entry(hass: HomeAssistant, step: str) -> None:
    """Home Assistant opens a flow without setting the integration up."""
    if step == "paste":
        made = await add(hass, step, {"name": "First", "document": GOOD})
    else:
        made = await _submit(hass, await _choose(hass, "kernel"), {})
    assert made["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    (entry,) = hass.config_entries.async_entries("homeagent")
    assert entry.state is ConfigEntryState.LOADED
