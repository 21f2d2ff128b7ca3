"""With its entries HomeAgent's traces go: entities, devices, issues, actions, history."""

from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntryDisabler
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    device_registry as dr,
    entity_registry as er,
    issue_registry as ir,
)
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed  # type: ignore[import-untyped]

from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.storage import KEY

from .home import async_act
from .sequence_home import PLAIN, async_make, entry_named
from .test_repairs import CALLS, _damage, _home, _host_trouble, _no_server, _propose

__all__ = ["_home"]


def _traces(hass: HomeAssistant) -> dict[str, set[str]]:
    """Return what of HomeAgent there is."""
    devices = dr.async_get(hass).devices
    actions = hass.services.async_services_for_domain("homeagent")
    return {
        "entities": {
            each.entity_id
            for each in er.async_get(hass).entities.values()
            if each.platform == "homeagent"
        },
        "devices": {
            str(each.name)
            for each in devices
            if any(domain == "homeagent" for domain, _ in each.identifiers)
        },
        "issues": {
            each.issue_id
            for each in ir.async_get(hass).issues.values()
            if each.domain == "homeagent"
        },
        "actions": {each for each in actions if each.startswith("run_")},
        "states": {
            each.entity_id
            for each in hass.states.async_all(("button", "event", "conversation"))
            if each.entity_id != "conversation.home_assistant"
        },
    }


async def _known(hass: HomeAssistant) -> dict[str, int]:
    """Return the users and how many tokens each has."""
    users = await hass.auth.async_get_users()
    return {user.id: len(user.refresh_tokens) for user in users}


async def test_everything_goes(
    hass: HomeAssistant,
    hass_admin_user: User,
    hass_storage: dict[str, Any],
    freezer: FrozenDateTimeFactory,
) -> None:
    """In whatever state the entries are, and whatever was told of them."""
    users = await _known(hass)
    await async_act(hass, "seq_run", {"name": "One"}, user=hass_admin_user)
    for cause in (_damage, _propose, _no_server, _host_trouble):
        await cause(hass)
    two, by_user = entry_named(hass, "Two"), ConfigEntryDisabler.USER
    await hass.config_entries.async_set_disabled_by(two.entry_id, by_user)
    await hass.async_block_till_done()
    await hass.data[DATA_RUNTIME].store.async_write()
    assert KEY in hass_storage
    assert all(_traces(hass).values())
    for entry in hass.config_entries.async_entries("homeagent"):
        await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    freezer.tick(timedelta(seconds=90))
    async_fire_time_changed(hass)
    await hass.async_block_till_done()
    assert not any(_traces(hass).values()), _traces(hass)
    assert KEY not in hass_storage
    assert await _known(hass) == users
    assert not hass.config_entries.flow.async_progress()


@pytest.mark.parametrize("order", [1, -1])
async def test_issues_go_with_what_they_tell_of(
    hass: HomeAssistant, hass_admin_user: User, order: int
) -> None:
    """Sequences that call each other, removed in either order."""
    await async_make(hass, hass_admin_user, "Three", CALLS)
    names = ["One", "Two", "Three", "Uses", "HomeAgent"][::order]
    for name in names:
        await hass.config_entries.async_remove(entry_named(hass, name).entry_id)
        await hass.async_block_till_done()
    assert _traces(hass)["issues"] == set()


async def test_history_stays_while_there_is_an_entry(
    hass: HomeAssistant, hass_admin_user: User, hass_storage: dict[str, Any]
) -> None:
    await async_act(hass, "seq_run", {"name": "One"}, user=hass_admin_user)
    await hass.data[DATA_RUNTIME].store.async_write()
    await hass.config_entries.async_remove(entry_named(hass, "HomeAgent").entry_id)
    await async_make(hass, hass_admin_user, "Four", PLAIN)
    assert KEY in hass_storage
