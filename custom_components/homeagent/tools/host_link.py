"""The hosts inside Home Assistant: subentries, devices, signals, keys (page 4 §4.4).

Between `hosts`, which knows nothing of Home Assistant, and everything here that shows or
uses a host.
"""

import asyncio
import base64

from homeassistant import const
from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.dispatcher import async_dispatcher_send
from homeassistant.util import dt as dt_util

from ..hosts.host import Host, HostRecord, RefusedCommand
from ..hosts.pairing import Pairings
from ..hosts.protocol import new_key
from ..hosts.reception import Reception
from ..hosts.registry import HostEvents, HostRegistry, Trouble
from . import host_issues
from .host_records import (
    CONF_HOST_ID,
    CONF_KEY,
    CONF_NEW_KEY,
    host_record,
    host_subentries,
    key_text,
)
from .host_signals import HOST_ADDED, HOST_CHANGED, HOST_REFUSED, host_identifier


class HostLink:
    """All that is known of hosts, for everybody in Home Assistant."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Make the parts; without an entry there are no hosts, and nobody is let in."""
        self._hass = hass
        self._entry: ConfigEntry | None = None
        self._rekeyed: dict[str, asyncio.Event] = {}
        self.pairings = Pairings()
        self.registry = HostRegistry(
            HostEvents(
                added=self._added,
                removed=self._removed,
                changed=self._changed,
                refused=self._refused,
                rekeyed=self._key_is_stored,
                trouble=self._trouble,
                trouble_over=self._trouble_over,
            ),
            utcnow=dt_util.utcnow,
        )
        self.reception = Reception(
            registry=self.registry,
            pairings=self.pairings,
            greeting={"home_assistant": const.__version__},
        )

    @callback
    def apply(self, entry: ConfigEntry) -> None:
        """Take over the hosts of the HomeAgent entry as they are stored now."""
        self._entry = entry
        records = [
            record
            for subentry in host_subentries(entry)
            if (record := host_record(subentry)) is not None
        ]
        self.registry.set_records(records)
        self.pairings.settle({key for record in records for key in record.keys})

    @callback
    def rest(self) -> None:
        """Let all hosts go for the moment: the entry may be loaded again at once."""
        self._entry = None
        self.registry.rest()

    @callback
    def close(self) -> None:
        """Let all hosts go: nobody waits for them any more."""
        self._entry = None
        self.registry.close()

    def subentry(self, host_id: str) -> ConfigSubentry | None:
        """Return a host's subentry."""
        if self._entry is None:
            return None
        for subentry in host_subentries(self._entry):
            if subentry.data.get(CONF_HOST_ID) == host_id:
                return subentry
        return None

    def device_id(self, host_id: str) -> str | None:
        """Return the id of a host's device."""
        device = self._device(host_id)
        return None if device is None else device.id

    def device_ids(self) -> frozenset[str]:
        """Return the ids of all hosts' devices."""
        ids = (self.device_id(host.record.id) for host in self.registry)
        return frozenset(found for found in ids if found is not None)

    def named(self, text: str) -> list[Host]:
        """Return the hosts that a name or a device id means: one, none, or several."""
        if (device := dr.async_get(self._hass).async_get(text)) is not None:
            mine = [
                host
                for host in self.registry
                if host_identifier(host.record.id) in device.identifiers
            ]
            if mine:
                return mine
        return self.registry.named(text) or self._called(text)

    def device_of(self, text: str) -> str | None:
        """Return the device id of the one host that is meant, for access control."""
        hosts = self.named(text)
        return self.device_id(hosts[0].record.id) if len(hosts) == 1 else None

    async def rotate(self, host_id: str, limit: float) -> bool:
        """Give a connected host a new key; tell whether it confirmed it in time.

        It counts only once it was confirmed, and until then the old one does. Raises
        ValueError if the host is not connected.
        """
        host, subentry = self.registry.get(host_id), self.subentry(host_id)
        if host is None or subentry is None or host.session is None:
            raise ValueError("the host is not connected")
        key = new_key()
        confirmed = self._rekeyed[host_id] = asyncio.Event()
        self._store(subentry, {CONF_NEW_KEY: key_text(key)})
        # The update listener has not run yet, and the host may be back before it has.
        keys = (*host.record.keys[:1], key)
        host.record = HostRecord(id=host_id, name=host.record.name, keys=keys)
        host.session.post({"type": "rekey", "key": base64.b64encode(key).decode()})
        try:
            async with asyncio.timeout(limit):
                await confirmed.wait()
        except TimeoutError:
            return False
        finally:
            self._rekeyed.pop(host_id, None)
        return True

    def _called(self, text: str) -> list[Host]:
        """Return the hosts whose device a person gave this name."""
        wanted = text.strip().casefold()
        return [
            host
            for host in self.registry
            if (device := self._device(host.record.id))
            and (device.name_by_user or "").strip().casefold() == wanted
        ]

    def _device(self, host_id: str) -> dr.DeviceEntry | None:
        if self._entry is None:
            return None
        return dr.async_get(self._hass).async_get_device_by_identifier(
            host_identifier(host_id), self._entry.entry_id
        )

    def _store(self, subentry: ConfigSubentry, changes: dict[str, object]) -> None:
        if self._entry is not None:
            self._hass.config_entries.async_update_subentry(
                self._entry, subentry, data={**subentry.data, **changes}
            )

    @callback
    def _added(self, host_id: str) -> None:
        host, subentry = self.registry.get(host_id), self.subentry(host_id)
        if host is None or subentry is None or self._entry is None:
            return
        dr.async_get(self._hass).async_get_or_create(
            config_entry_id=self._entry.entry_id,
            config_subentry_id=subentry.subentry_id,
            identifiers={host_identifier(host_id)},
            manufacturer="HomeAgent",
            name=host.record.name,
        )
        async_dispatcher_send(self._hass, HOST_ADDED, host_id)

    @callback
    def _removed(self, host_id: str) -> None:
        async_dispatcher_send(self._hass, HOST_CHANGED.format(host_id))

    @callback
    def _changed(self, host_id: str) -> None:
        host = self.registry.get(host_id)
        registry = dr.async_get(self._hass)
        device = self._device(host_id)
        if host is not None and device is not None:
            registry.async_update_device(
                device.id,
                name=host.record.name,
                sw_version=host.waiter_version or device.sw_version,
                model=_text(host.about.get("system")) or device.model,
            )
        async_dispatcher_send(self._hass, HOST_CHANGED.format(host_id))

    @callback
    def _refused(self, host_id: str, command: RefusedCommand) -> None:
        async_dispatcher_send(self._hass, HOST_REFUSED.format(host_id), command)

    @callback
    def _key_is_stored(self, host_id: str) -> None:
        """The host confirmed its new key: it takes the place of the old one."""
        subentry = self.subentry(host_id)
        if subentry is None or not subentry.data.get(CONF_NEW_KEY):
            return
        key = subentry.data[CONF_NEW_KEY]
        self._store(subentry, {CONF_KEY: key, CONF_NEW_KEY: None})
        if (event := self._rekeyed.get(host_id)) is not None:
            event.set()

    @callback
    def _trouble(self, host_id: str, trouble: Trouble) -> None:
        if (host := self.registry.get(host_id)) is not None:
            host_issues.async_report(self._hass, host_id, host.record.name, trouble)

    @callback
    def _trouble_over(self, host_id: str, trouble: Trouble) -> None:
        host_issues.async_clear(self._hass, host_id, trouble)


def _text(value: object) -> str | None:
    return value[:128] if isinstance(value, str) and value else None
