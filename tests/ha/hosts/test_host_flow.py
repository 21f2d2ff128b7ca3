"""Adding a NAS host in the UI, and what can be done with its key afterwards."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigEntry,
    ConfigSubentry,
)
from homeassistant.core import Event, HomeAssistant
import pytest

from custom_components.homeagent.runtime import DATA_RUNTIME
from homeagent_waiter.keys import HostKey

from .waiters import KEY, Waiter, async_add_hosts, async_pair, until


async def begin(hass: HomeAssistant, entry: ConfigEntry) -> dict[str, Any]:
    flow = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "host"), context={"source": SOURCE_USER}
    )
    return dict(flow)


async def reconfigure(
    hass: HomeAssistant, entry: ConfigEntry, choice: str
) -> dict[str, Any]:
    flow = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "host"),
        context={
            "source": SOURCE_RECONFIGURE,
            "subentry_id": host_of(entry, "Nas").subentry_id,
        },
    )
    assert flow["menu_options"] == ["rotate", "pair_again", "revoke"]
    return dict(await go_on(hass, flow["flow_id"], {"next_step_id": choice}))


async def go_on(
    hass: HomeAssistant, flow_id: str, answer: dict[str, Any] | None = None
) -> dict[str, Any]:
    flows = hass.config_entries.subentries
    return dict(await flows.async_configure(flow_id, answer))


@contextmanager
def dialog(hass: HomeAssistant, flow: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Do what the frontend does: go on whenever the flow has changed."""
    results: list[dict[str, Any]] = []

    async def changed(event: Event) -> None:
        if event.data["flow_id"] == flow["flow_id"]:
            results.append(await go_on(hass, flow["flow_id"]))

    stop = hass.bus.async_listen("data_entry_flow_progressed", changed)
    try:
        yield results
    finally:
        stop()


def host_of(entry: ConfigEntry, title: str) -> ConfigSubentry:
    (found,) = [
        subentry
        for subentry in entry.get_subentries_of_type("host")
        if subentry.title == title
    ]
    return found


def titles(entry: ConfigEntry) -> list[str]:
    return [subentry.title for subentry in entry.get_subentries_of_type("host")]


async def test_host_is_added(hass: HomeAssistant, url: str, tmp_path: Path) -> None:
    """The dialog waits with the code and ends when the host appears."""
    entry = await async_add_hosts(hass, "Nas")
    flow = await begin(hass, entry)
    assert flow["type"] == "progress"
    shown = flow["description_placeholders"]
    assert shown["command"].startswith("waiter pair http")
    with dialog(hass, flow):
        key = await async_pair(url, shown["code"], tmp_path / "key")
    await hass.async_block_till_done()
    assert titles(entry) == ["Nas", "Shelf"]
    assert hass.config_entries.subentries.async_progress() == []
    assert (await _connects(hass, url, key)) is True


async def _connects(hass: HomeAssistant, url: str, key: HostKey) -> bool:
    waiter = Waiter(url, key)
    try:
        async with asyncio.timeout(3), waiter.running(hass):
            return True
    except TimeoutError:
        return False


async def test_name_that_is_taken_gets_a_number(
    hass: HomeAssistant, url: str, tmp_path: Path
) -> None:
    entry = await async_add_hosts(hass, "Shelf")
    flow = await begin(hass, entry)
    code = flow["description_placeholders"]["code"]
    with dialog(hass, flow):
        await async_pair(url, code, tmp_path / "key", name="SHELF")
    await hass.async_block_till_done()
    assert titles(entry) == ["Shelf", "SHELF 2"]


async def test_code_dies_with_the_dialog(hass: HomeAssistant, url: str) -> None:
    entry = await async_add_hosts(hass)
    flow = await begin(hass, entry)
    pairings = hass.data[DATA_RUNTIME].hosts.pairings
    assert len(pairings.usable()) == 1
    hass.config_entries.subentries.async_abort(flow["flow_id"])
    assert pairings.usable() == []


async def test_wrong_codes_end_the_dialog(hass: HomeAssistant, url: str) -> None:
    entry = await async_add_hosts(hass)
    flow = await begin(hass, entry)
    with dialog(hass, flow) as results:
        for _ in range(5):
            hass.data[DATA_RUNTIME].hosts.pairings.missed()
        await hass.async_block_till_done()
    assert [result["reason"] for result in results] == ["pairing_too_many_tries"]
    assert titles(entry) == []


async def test_three_codes_at_once(hass: HomeAssistant, url: str) -> None:
    entry = await async_add_hosts(hass)
    flows = [await begin(hass, entry) for _ in range(4)]
    assert [flow["type"] for flow in flows] == ["progress"] * 3 + ["abort"]
    assert flows[3]["reason"] == "too_many_pairings"
    for flow in flows[:3]:
        hass.config_entries.subentries.async_abort(flow["flow_id"])


async def test_entry_that_is_not_loaded_pairs_nobody(
    hass: HomeAssistant, url: str
) -> None:
    entry = await async_add_hosts(hass)
    await hass.config_entries.async_unload(entry.entry_id)
    assert (await begin(hass, entry))["reason"] == "entry_not_loaded"


async def test_key_is_rotated(hass: HomeAssistant, url: str) -> None:
    """The host comes back with the new key, and the old one is not good any more."""
    entry = await async_add_hosts(hass, "Nas")
    waiter = Waiter(url, HostKey("nas", KEY))
    async with waiter.running(hass):
        flow = await reconfigure(hass, entry, "rotate")
        assert flow["reason"] == "key_rotated"
        assert waiter.key.key != KEY
    data = host_of(entry, "Nas").data
    assert data["new_key"] is None
    assert await _connects(hass, url, waiter.key)
    assert not await _connects(hass, url, HostKey("nas", KEY))


async def test_host_that_is_away_cannot_be_given_a_key(
    hass: HomeAssistant, url: str
) -> None:
    entry = await async_add_hosts(hass, "Nas")
    flow = await reconfigure(hass, entry, "rotate")
    assert flow["reason"] == "host_offline"
    assert host_of(entry, "Nas").data["new_key"] is None


async def test_revoked_host_is_gone_at_once_and_stays_away(
    hass: HomeAssistant, url: str
) -> None:
    entry = await async_add_hosts(hass, "Nas")
    waiter = Waiter(url, HostKey("nas", KEY))
    async with waiter.running(hass) as link:
        flow = await reconfigure(hass, entry, "revoke")
        assert flow["type"] == "form"
        flow = await go_on(hass, flow["flow_id"], {})
        assert flow["reason"] == "host_revoked"
        await until(lambda: not link.connected)
    assert host_of(entry, "Nas").data["key"] is None
    assert not await _connects(hass, url, waiter.key)


async def test_revoked_host_is_paired_again(
    hass: HomeAssistant, url: str, tmp_path: Path
) -> None:
    entry = await async_add_hosts(hass, "Nas")
    flow = await reconfigure(hass, entry, "revoke")
    await go_on(hass, flow["flow_id"], {})
    flow = await reconfigure(hass, entry, "pair_again")
    code = flow["description_placeholders"]["code"]
    with dialog(hass, flow):
        key = await async_pair(url, code, tmp_path / "key")
    await hass.async_block_till_done()
    assert key.id == "nas"
    assert titles(entry) == ["Nas"]
    assert await _connects(hass, url, key)


@pytest.mark.parametrize("step", ["host"])
def test_flow_has_words(step: str) -> None:
    """Every reason and progress that the flow can show is written."""
    from ..test_metadata import ENGLISH

    folder = Path(__file__).parents[3] / "custom_components/homeagent"
    source = "".join(
        (folder / f"{name}.py").read_text("utf-8")
        for name in ("host_flow", "host_pairing")
    )
    import re

    reasons = set(re.findall(r'"((?:key|host|entry|too)_\w+)"', source))
    reasons |= {f"pairing_{why}" for why in ("expired", "too_many_tries", "closed")}
    missing = {
        reason
        for reason in reasons
        if f"config_subentries.{step}.abort.{reason}" not in ENGLISH
    }
    assert missing == set()
