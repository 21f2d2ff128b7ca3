"""The entities of a host: what it tells, and what it refused."""

import json

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
import pytest

from custom_components.homeagent.hosts.registry import Trouble
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools.host_diagnostics import host_diagnostics
from homeagent_waiter.keys import HostKey

from ..home import async_act
from .waiters import KEY, Waiter, async_add_hosts

MEASURED = {
    "cpu": 12.5,
    "memory": 40,
    "load": [0.5, 0.4, 0.3],
    "boot": 1_700_000_000,
    "temperature": 41.0,
    "disks": [{"mount": "/", "used": 55.0}, {"mount": "/mnt/tank", "used": 80.0}],
}


def states(hass: HomeAssistant) -> dict[str, str]:
    return {
        state.entity_id: state.state
        for state in hass.states.async_all()
        if ".nas_" in state.entity_id
    }


async def test_host_shows_what_it_measured(hass: HomeAssistant, url: str) -> None:
    await async_add_hosts(hass, "Nas")
    waiter = Waiter(url, HostKey("nas", KEY), measured=dict(MEASURED))
    async with waiter.running(hass):
        await hass.async_block_till_done()
        shown = states(hass)
        assert shown.pop("sensor.nas_last_seen") > "2020"
        assert shown.pop("event.nas_refused_command") == "unknown"
        assert shown == {
            "binary_sensor.nas_connected": "on",
            "sensor.nas_waiter_version": "0.1.0",
            "sensor.nas_cpu_use": "12.5",
            "sensor.nas_memory_use": "40.0",
            "sensor.nas_load": "0.5",
            "sensor.nas_last_start": "2023-11-14T22:13:20+00:00",
            "sensor.nas_temperature": "41.0",
            "sensor.nas_disk_use": "55.0",
            "sensor.nas_disk_use_mnt_tank": "80.0",
        }
    shown = states(hass)
    assert shown["binary_sensor.nas_connected"] == "off"
    assert shown["sensor.nas_cpu_use"] == "unavailable"
    assert shown["sensor.nas_last_seen"] > "2020"


@pytest.mark.parametrize(
    "measured",
    [
        {"cpu": "much"},
        {"load": []},
        {"boot": 1e300},
        {"boot": True},
        {"disks": [7, {"mount": 1}, {"mount": "/x", "used": "y"}]},
        {"disks": {}},
        {"temperature": None},
    ],
)
async def test_host_that_tells_nonsense_shows_nothing(
    hass: HomeAssistant, url: str, measured: dict[str, object]
) -> None:
    await async_add_hosts(hass, "Nas")
    waiter = Waiter(url, HostKey("nas", KEY), measured=measured)
    async with waiter.running(hass):
        await hass.async_block_till_done()
        shown = states(hass)
    assert shown["sensor.nas_cpu_use"] == "unknown"
    assert shown["sensor.nas_last_start"] == "unknown"
    assert not any("disk" in entity or "temp" in entity for entity in shown)


async def test_refused_command_is_an_event_without_the_command(
    hass: HomeAssistant, url: str, hass_admin_user: User
) -> None:
    await async_add_hosts(hass, "Nas")
    refusal = {
        "stage": "first_word",
        "code": "not_allowed",
        "token": "rm",
        "hint": "h",
        "line": "rm --password=hunter2 /",
    }
    waiter = Waiter(url, HostKey("nas", KEY), answers=lambda _: {"refusal": refusal})
    async with waiter.running(hass):
        data = {"host": "Nas", "command": "rm --password=hunter2 /"}
        await async_act(hass, "host_run", data, user=hass_admin_user)
        await hass.async_block_till_done()
        state = hass.states.get("event.nas_refused_command")
    assert state is not None
    told = {key: state.attributes[key] for key in ("event_type", "code", "stage")}
    assert told == {
        "event_type": "refused",
        "code": "not_allowed",
        "stage": "first_word",
    }
    assert state.attributes["program"] == "rm"
    assert "hunter2" not in str(state.attributes)


async def test_removed_host_leaves_nothing(hass: HomeAssistant, url: str) -> None:
    entry = await async_add_hosts(hass, "Nas")
    (nas,) = entry.get_subentries_of_type("host")
    waiter = Waiter(url, HostKey("nas", KEY), measured=dict(MEASURED))
    async with waiter.running(hass):
        hass.config_entries.async_remove_subentry(entry, nas.subentry_id)
        await hass.async_block_till_done()
    registry = er.async_get(hass)
    left = er.async_entries_for_config_entry(registry, entry.entry_id)
    assert [one.entity_id for one in left if ".nas_" in one.entity_id] == []
    assert states(hass) == {}
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    left_over = [device for device in devices if "host_" in str(device.identifiers)]
    assert left_over == []


async def test_host_that_is_renamed_is_called_so(hass: HomeAssistant, url: str) -> None:
    entry = await async_add_hosts(hass, "Nas")
    (nas,) = entry.get_subentries_of_type("host")
    hass.config_entries.async_update_subentry(entry, nas, title="Cellar")
    await hass.async_block_till_done()
    link = hass.data[DATA_RUNTIME].hosts
    assert link.named("Nas") == []
    (host,) = link.named("cellar")
    device = dr.async_get(hass).async_get(link.device_id(host.record.id) or "")
    assert device is not None
    assert device.name == "Cellar"


async def test_entry_that_is_loaded_again_keeps_its_hosts(
    hass: HomeAssistant, url: str
) -> None:
    entry = await async_add_hosts(hass, "Nas")
    waiter = Waiter(url, HostKey("nas", KEY))
    async with waiter.running(hass):
        pass
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done()
    async with waiter.running(hass):
        await hass.async_block_till_done()
        assert states(hass)["binary_sensor.nas_connected"] == "on"


@pytest.mark.parametrize("trouble", list(Trouble))
def test_every_trouble_has_words(trouble: Trouble) -> None:
    from ..test_metadata import ENGLISH

    assert "{host}" in ENGLISH[f"issues.host_{trouble.value}.title"]
    explained = f"issues.host_{trouble.value}.fix_flow.step.confirm.description"
    assert ENGLISH.get(f"issues.host_{trouble.value}.description") or ENGLISH[explained]


async def test_diagnostics_hold_no_key_and_no_name(
    hass: HomeAssistant, url: str
) -> None:
    await async_add_hosts(hass, "Cellar")
    about: dict[str, object] = {
        "system": "Debian 12",
        "hostname": "cellar-nas",
        "config_file": "/home/ada/waiter.yaml",
    }
    waiter = Waiter(url, HostKey("cellar", KEY), about_it=about)
    async with waiter.running(hass):
        (told,) = host_diagnostics(hass.data[DATA_RUNTIME].hosts)
    assert (told["connected"], told["keys"], told["waiter"]) == (True, 1, "0.1.0")
    assert told["about"] == {"system": "Debian 12"}
    assert "cellar" not in json.dumps(told).lower()
