"""System health and `seq_help` name the running version; the figures are right."""

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import (  # type: ignore[import-untyped]
    MockConfigEntry,
    get_system_health_info,
)

from custom_components.homeagent.const import CONF_DRAFT
from custom_components.homeagent.tools.access_rules import default_subentries

from .home import async_act, async_set_up
from .hosts.waiters import subentry
from .sequence_home import PLAIN, async_make
from .test_metadata import CHINESE, ENGLISH, MANIFEST


async def _health(hass: HomeAssistant) -> dict[str, object]:
    assert await async_setup_component(hass, "system_health", {})
    await hass.async_block_till_done()
    info: dict[str, object] = await get_system_health_info(hass, "homeagent")
    for key in info:
        assert f"system_health.info.{key}" in ENGLISH.keys() & CHINESE.keys()
    return info


async def test_figures(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Everything that there is one of is counted once."""
    rules = default_subentries("en")
    entries = [
        MockConfigEntry(
            domain="homeagent",
            unique_id="kernel",
            minor_version=2,
            data={"kind": "kernel"},
            subentries_data=[*rules, subentry("Cellar")],
        ),
        MockConfigEntry(
            domain="homeagent",
            title="Draft",
            minor_version=2,
            data={"kind": "sequence"},
            options={CONF_DRAFT: {}},
        ),
        MockConfigEntry(
            domain="homeagent",
            title="Damaged",
            minor_version=2,
            data={"kind": "sequence"},
        ),
    ]
    for entry in entries:
        entry.add_to_hass(hass)
    await async_set_up(hass)
    await async_make(hass, hass_admin_user, "S", PLAIN)
    await async_act(hass, "seq_run", {"name": "S"}, user=hass_admin_user)
    told = await _health(hass)
    size = told.pop("history_size")
    assert str(size).endswith(" KiB")
    assert told == {
        "version": MANIFEST["version"],
        "sequences_loaded": 1,
        "sequences_damaged": 1,
        "sequences_draft": 1,
        "hosts": 1,
        "hosts_connected": 0,
        "agents": 0,
        "access_rules": len(rules),
        "runs_kept": 1,
        "batches_kept": 2,
    }


async def test_without_homeagent_entry(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Sequences work without it, and so does this."""
    await async_set_up(hass)
    told = await _health(hass)
    assert (told["access_rules"], told["hosts"]) == (0, 0)


async def test_help_names_the_version(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """As data, and in the text that models read."""
    await async_set_up(hass)
    told = await async_act(hass, "seq_help", user=hass_admin_user)
    assert told["version"] == MANIFEST["version"]
