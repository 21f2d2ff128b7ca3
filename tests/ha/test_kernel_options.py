"""The options of the HomeAgent entry, one subject at a time."""

import json
from pathlib import Path

from homeassistant.auth.models import User
from homeassistant.config_entries import SOURCE_USER, ConfigEntry, ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components import homeagent
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools.default_set import DEFAULT_SET

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


async def _open(hass: HomeAssistant, entry: ConfigEntry, step: str) -> ConfigFlowResult:
    flow = await hass.config_entries.options.async_init(entry.entry_id)
    assert flow["type"] is FlowResultType.MENU
    return await hass.config_entries.options.async_configure(
        flow["flow_id"], {"next_step_id": f"kernel_{step}"}
    )


async def _save(
    hass: HomeAssistant, entry: ConfigEntry, step: str, **fields: object
) -> ConfigFlowResult:
    form = await _open(hass, entry, step)
    result = await hass.config_entries.options.async_configure(form["flow_id"], fields)
    await hass.async_block_till_done()
    return result


def _shown(form: ConfigFlowResult) -> dict[str, object]:
    """Return what a form shows in its fields."""
    schema = form["data_schema"]
    assert schema is not None
    return {
        str(marker): (marker.description or {}).get("suggested_value")
        for marker in schema.schema
    }


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
    await _save(hass, entry, "parallel", not_parallel_safe=withdrawn)
    assert not await _parallel(hass, hass_admin_user)
    await _save(hass, entry, "parallel", parallel_safe=[], not_parallel_safe=[])
    assert await _parallel(hass, hass_admin_user)
    await _save(hass, entry, "parallel", not_parallel_safe=withdrawn)
    await hass.config_entries.async_unload(entry.entry_id)
    assert await _parallel(hass, hass_admin_user)


@pytest.mark.parametrize(
    ("step", "fields", "errors", "found"),
    [
        (
            "parallel",
            {"parallel_safe": ["nonsense"]},
            {"parallel_safe": "no_action"},
            {"names": "nonsense"},
        ),
        (
            "parallel",
            {"parallel_safe": ["a.b", "c.d"], "not_parallel_safe": ["c.d"]},
            {"not_parallel_safe": "declared_both"},
            {"names": "c.d"},
        ),
        (
            "prompt",
            {"prompt": "x" * 4001},
            {"prompt": "prompt_too_long"},
            {"found": "4001", "most": "4000"},
        ),
    ],
)
async def test_nonsense_is_told_at_its_field(
    hass: HomeAssistant,
    entry: ConfigEntry,
    step: str,
    fields: dict[str, object],
    errors: dict[str, str],
    found: dict[str, str],
) -> None:
    """Nothing is saved; the error names what was found."""
    result = await _save(hass, entry, step, **fields)
    assert result["errors"] == errors
    assert result["description_placeholders"] == found
    assert dict(entry.options) == {}


async def test_tools_are_switched_one_by_one(
    hass: HomeAssistant, entry: ConfigEntry
) -> None:
    """What is stored are the changes: tools that come with a later version are on."""
    offered = _shown(await _open(hass, entry, "tools"))["offered"]
    assert offered == list(DEFAULT_SET)
    chosen = [*list(DEFAULT_SET)[1:], "persistent_notification.create"]
    await _save(hass, entry, "tools", offered=chosen, ask_first=["light.turn_on"])
    assert dict(entry.options) == {
        "tools_off": [next(iter(DEFAULT_SET))],
        "tools_added": ["persistent_notification.create"],
        "ask_first": ["light.turn_on"],
    }
    shown = _shown(await _open(hass, entry, "tools"))
    assert shown == {"offered": chosen, "ask_first": ["light.turn_on"]}


async def test_subjects_do_not_touch_each_other(
    hass: HomeAssistant, entry: ConfigEntry
) -> None:
    """Each is saved by itself; what is beyond the history's new size goes at once."""
    await _save(hass, entry, "prompt", prompt="Be brief.")
    for _ in range(5):
        await async_act(hass, "call_tools", CALLS)
    history = hass.data[DATA_RUNTIME].history
    assert len(list(history.batches())) == 5
    await _save(hass, entry, "history", runs_kept=3, batches_kept=2)
    assert len(list(history.batches())) == 2
    assert dict(entry.options) == {
        "prompt": "Be brief.",
        "runs_kept": 3,
        "batches_kept": 2,
    }


async def test_every_step_has_its_words() -> None:
    """Menu, fields and choices, in both languages."""
    folder = Path(homeagent.__file__).parent / "translations"
    for language in ("en", "zh-Hans"):
        words = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
        steps = words["options"]["step"]
        for step in steps["kernel"]["menu_options"]:
            assert steps[step]["title"]
            assert steps[step]["data"].keys() == steps[step]["data_description"].keys()
        choices = words["selector"]["tool"]["options"]
        own = [name for name in DEFAULT_SET if "." not in name]
        assert set(own) <= choices.keys()
