"""Entries that are saved and reloaded while everything works (page 5 §5.1)."""

import asyncio
from collections.abc import Awaitable, Callable
from types import MappingProxyType
from typing import Any

from homeassistant.auth.models import User
from homeassistant.config_entries import (
    ConfigEntry,
    ConfigEntryDisabler,
    ConfigSubentry,
)
from homeassistant.core import HomeAssistant
import pytest

from custom_components.homeagent.const import CONF_PROMPT
from homeagent_waiter.keys import HostKey

from ..home import async_act
from ..sequence_home import async_make
from .waiters import KEY, Waiter, async_add_hosts, subentry, until

RUNS = 4
TWO_COMMANDS: list[dict[str, Any]] = [
    {
        "name": name,
        "in": {"mark": "string"},
        "tools": (
            '{"tool":"host_run","args":{"host":"Nas","command":"echo ${args.mark}"}} ;'
        ),
    }
    for name in ("first", "second")
]

type Change = Callable[[HomeAssistant, ConfigEntry, ConfigEntry], Awaitable[object]]


async def _reload_sequence(
    hass: HomeAssistant, kernel: ConfigEntry, sequence: ConfigEntry
) -> None:
    assert await hass.config_entries.async_reload(sequence.entry_id)


async def _disable_sequence(
    hass: HomeAssistant, kernel: ConfigEntry, sequence: ConfigEntry
) -> None:
    for by in (ConfigEntryDisabler.USER, None):
        await hass.config_entries.async_set_disabled_by(sequence.entry_id, by)


async def _remove_sequence(
    hass: HomeAssistant, kernel: ConfigEntry, sequence: ConfigEntry
) -> None:
    await hass.config_entries.async_remove(sequence.entry_id)


async def _save_options(
    hass: HomeAssistant, kernel: ConfigEntry, sequence: ConfigEntry
) -> None:
    hass.config_entries.async_update_entry(
        kernel, options={**kernel.options, CONF_PROMPT: "Be brief."}
    )


async def _add_host(
    hass: HomeAssistant, kernel: ConfigEntry, sequence: ConfigEntry
) -> None:
    data = MappingProxyType(dict(subentry("Other", bytes(32))["data"]))
    new = ConfigSubentry(
        data=data, subentry_type="host", title="Other", unique_id="other"
    )
    hass.config_entries.async_add_subentry(kernel, new)


async def _reload_kernel(
    hass: HomeAssistant, kernel: ConfigEntry, sequence: ConfigEntry
) -> None:
    assert await hass.config_entries.async_reload(kernel.entry_id)


@pytest.mark.parametrize(
    ("change", "drops"),
    [
        (_reload_sequence, False),
        (_disable_sequence, False),
        (_remove_sequence, False),
        (_save_options, False),
        (_add_host, False),
        (_reload_kernel, True),
    ],
)
async def test_no_run_is_lost(
    hass: HomeAssistant, url: str, hass_admin_user: User, change: Change, drops: bool
) -> None:
    """Runs end as if nothing had been, and each command runs once.

    Only a reload of HomeAgent itself drops the host, which is back by itself.
    """
    kernel = await async_add_hosts(hass, "Nas")
    sequence = await async_make(hass, hass_admin_user, "Load", TWO_COMMANDS)
    waiter = Waiter(url, HostKey("nas", KEY), takes=0.5)
    async with waiter.running(hass) as link:
        session = link.session
        asked = [
            asyncio.ensure_future(
                async_act(
                    hass,
                    "seq_run",
                    {"name": "Load", "args": {"mark": str(number)}},
                    user=hass_admin_user,
                )
            )
            for number in range(RUNS)
        ]
        await until(lambda: len(waiter.asked) > 1)
        await change(hass, kernel, sequence)
        reports = await asyncio.gather(*asked)
        assert [report["status"] for report in reports] == ["ok"] * RUNS, reports
        assert (link.session is not session) == drops
    commands = sorted(request.command or "" for request in waiter.asked)
    assert commands == sorted([f"echo {number}" for number in range(RUNS)] * 2)
