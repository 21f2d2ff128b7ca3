"""The user's own declarations of what is parallel safe."""

from homeassistant.auth.models import User
from homeassistant.config_entries import SOURCE_USER, ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from .home import async_act, async_set_up

CALLS = {
    "calls": [
        {
            "tool": "input_boolean.turn_on",
            "arguments": {"entity_id": f"input_boolean.{n}"},
        }
        for n in ("hall", "porch")
    ]
}


@pytest.fixture(name="entry")
async def entry_fixture(hass: HomeAssistant) -> ConfigEntry:
    """The HomeAgent entry."""
    await async_set_up(hass)
    flow = await hass.config_entries.flow.async_init(
        "homeagent", context={"source": SOURCE_USER}
    )
    for answer in ({"next_step_id": "kernel"}, {}):
        await hass.config_entries.flow.async_configure(flow["flow_id"], answer)
    (entry,) = hass.config_entries.async_entries("homeagent")
    return entry


async def _save(hass: HomeAssistant, entry: ConfigEntry, **lists: list[str]) -> object:
    flow = await hass.config_entries.options.async_init(entry.entry_id)
    result = await hass.config_entries.options.async_configure(flow["flow_id"], lists)
    if result["type"] is FlowResultType.CREATE_ENTRY:
        await hass.async_block_till_done()
        return None
    return (result["errors"], (result["description_placeholders"] or {})["names"])


async def _parallel(hass: HomeAssistant, user: User) -> bool:
    done = await async_act(hass, "call_tools", CALLS, user=user)
    assert done["success"]
    return bool(done["parallel"])


async def test_declaration_counts_at_once_and_ends_with_the_entry(
    hass: HomeAssistant, hass_admin_user: User, entry: ConfigEntry
) -> None:
    """Withdrawn, restored, and gone with the entry."""
    assert await _parallel(hass, hass_admin_user)
    withdrawn = ["input_boolean.turn_on"]
    assert await _save(hass, entry, not_parallel_safe=withdrawn) is None
    assert not await _parallel(hass, hass_admin_user)
    assert await _save(hass, entry, parallel_safe=[], not_parallel_safe=[]) is None
    assert await _parallel(hass, hass_admin_user)
    await _save(hass, entry, not_parallel_safe=withdrawn)
    await hass.config_entries.async_unload(entry.entry_id)
    assert await _parallel(hass, hass_admin_user)


@pytest.mark.parametrize(
    ("lists", "told"),
    [
        ({"parallel_safe": ["nonsense"]}, ({"parallel_safe": "no_action"}, "nonsense")),
        (
            {"parallel_safe": ["a.b", "c.d"], "not_parallel_safe": ["c.d"]},
            ({"not_parallel_safe": "declared_both"}, "c.d"),
        ),
    ],
)
async def test_nonsense_is_told_at_its_field(
    hass: HomeAssistant,
    entry: ConfigEntry,
    lists: dict[str, list[str]],
    told: tuple[dict[str, str], str],
) -> None:
    """Nothing is saved; the names are in the error."""
    assert await _save(hass, entry, **lists) == told
    assert dict(entry.options) == {}
