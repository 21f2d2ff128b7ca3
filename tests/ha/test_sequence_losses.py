"""What is told of a sequence that others call and that a person took away."""

from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntry, ConfigEntryDisabler
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest

from .home import async_act, async_set_up
from .sequence_home import PLAIN, async_make

CALLS = [{"name": "g", "tools": '{"tool":"seq_call","args":{"target":"#One"}} ;'}]


@pytest.fixture(name="one")
async def one_fixture(hass: HomeAssistant, hass_admin_user: User) -> ConfigEntry:
    """A sequence that another one calls."""
    await async_set_up(hass)
    one = await async_make(hass, hass_admin_user, "One", PLAIN)
    await async_make(hass, hass_admin_user, "Two", CALLS)
    return one


def _told(hass: HomeAssistant) -> list[tuple[str | None, dict[str, str] | None]]:
    return [
        (issue.translation_key, issue.translation_placeholders)
        for issue in ir.async_get(hass).issues.values()
        if issue.domain == "homeagent"
    ]


BOTH = {"name": "One", "callers": "Two"}


async def test_disabled(hass: HomeAssistant, one: ConfigEntry) -> None:
    """The issue names both sides, also of a new title, and goes when it is back."""
    by_user = ConfigEntryDisabler.USER
    await hass.config_entries.async_set_disabled_by(one.entry_id, by_user)
    assert _told(hass) == [("called_sequence_disabled", BOTH)]
    await hass.config_entries.async_set_disabled_by(one.entry_id, None)
    await hass.async_block_till_done()
    assert _told(hass) == []


async def test_deleted(
    hass: HomeAssistant, hass_admin_user: User, one: ConfigEntry
) -> None:
    """It goes when there is a sequence of that name again."""
    await hass.config_entries.async_remove(one.entry_id)
    assert _told(hass) == [("called_sequence_removed", BOTH)]
    await async_make(hass, hass_admin_user, "One", PLAIN)
    assert _told(hass) == []


async def test_caller_changed(
    hass: HomeAssistant, hass_admin_user: User, one: ConfigEntry
) -> None:
    """It goes when nobody calls it any more."""
    await hass.config_entries.async_remove(one.entry_id)
    await async_make(hass, hass_admin_user, "Two", PLAIN, replace=True)
    assert _told(hass) == []


async def test_nobody_calls_it(
    hass: HomeAssistant, hass_admin_user: User, one: ConfigEntry
) -> None:
    """What is not missed, or is only reloaded, is not told of."""
    await hass.config_entries.async_reload(one.entry_id)
    assert _told(hass) == []
    data = {"name": "Two"}
    assert (await async_act(hass, "seq_delete", data, user=hass_admin_user))["success"]
    await hass.config_entries.async_remove(one.entry_id)
    assert _told(hass) == []
