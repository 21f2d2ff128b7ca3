"""Adding HomeAgent and a sequence in the UI, and what is told at which field."""

from homeassistant.config_entries import SOURCE_USER, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from .home import async_set_up

GOOD = '{"groups": [{"name": "g", "tools": "{\\"tool\\":\\"input_boolean.turn_on\\",\\"args\\":{\\"entity_id\\":\\"input_boolean.hall\\"}} ;"}]}'


async def _open(hass: HomeAssistant, step: str) -> str:
    flow = await hass.config_entries.flow.async_init(
        "homeagent", context={"source": SOURCE_USER}
    )
    assert flow["type"] is FlowResultType.MENU
    assert flow["menu_options"] == ["kernel", "sequence"]
    chosen = await hass.config_entries.flow.async_configure(
        flow["flow_id"], {"next_step_id": step}
    )
    assert chosen["type"] in (FlowResultType.FORM, FlowResultType.ABORT)
    return flow["flow_id"]


async def test_kernel_entry_exists_once(hass: HomeAssistant) -> None:
    """The second one is refused."""
    await async_set_up(hass)
    flow_id = await _open(hass, "kernel")
    result = await hass.config_entries.flow.async_configure(flow_id, {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    flow = await hass.config_entries.flow.async_init(
        "homeagent", context={"source": SOURCE_USER}
    )
    again = await hass.config_entries.flow.async_configure(
        flow["flow_id"], {"next_step_id": "kernel"}
    )
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
        ("S", GOOD.replace("{", '{"name": "T", ', 1), "name", "T"),
    ],
)
async def test_mistake_is_told_at_its_field(
    hass: HomeAssistant, name: str, document: str, field: str, says: str
) -> None:
    """The form comes back with what was typed and says what is wrong; then it works."""
    await async_set_up(hass)
    flow_id = await _open(hass, "sequence")
    typed = {"name": name, "document": document}
    result = await hass.config_entries.flow.async_configure(flow_id, typed)
    assert result["type"] is FlowResultType.FORM
    assert result["errors"] == {field: "invalid_sequence"}
    assert says in (result["description_placeholders"] or {})["problems"]
    schema = result["data_schema"]
    assert schema is not None
    shown = {str(key): key.description["suggested_value"] for key in schema.schema}
    assert shown == typed
    made = await hass.config_entries.flow.async_configure(
        flow_id, {"name": "Right", "document": GOOD}
    )
    assert made["type"] is FlowResultType.CREATE_ENTRY
    assert made["title"] == "Right"


async def test_name_taken(hass: HomeAssistant) -> None:
    """A second sequence of one name is refused at the name."""
    await async_set_up(hass)
    results = []
    for name in ("One", "ONE"):
        flow_id = await _open(hass, "sequence")
        result = await hass.config_entries.flow.async_configure(
            flow_id, {"name": name, "document": GOOD}
        )
        results.append((result["type"], result.get("errors")))
    assert results == [
        (FlowResultType.CREATE_ENTRY, None),
        (FlowResultType.FORM, {"name": "invalid_sequence"}),
    ]


@pytest.mark.parametrize("step", ["kernel", "sequence"])
async def test_flow_before_there_is_any_entry(hass: HomeAssistant, step: str) -> None:
    """Home Assistant opens a flow without setting the integration up."""
    flow_id = await _open(hass, step)
    typed = {"name": "First", "document": GOOD} if step == "sequence" else {}
    made = await hass.config_entries.flow.async_configure(flow_id, typed)
    assert made["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done()
    (entry,) = hass.config_entries.async_entries("homeagent")
    assert entry.state is ConfigEntryState.LOADED
