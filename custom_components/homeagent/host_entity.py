"""What all entities of a host have in common: its device, and its news (page 4 §4.4).

Below the platforms, above the runtime. A host is a subentry of the HomeAgent entry; its
entities come and go with it, and nothing is reloaded for that.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import override

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import DOMAIN
from .hosts.host import Host
from .runtime import DATA_RUNTIME
from .tools.host_signals import HOST_ADDED, HOST_CHANGED, host_identifier

type Make = Callable[[Host], Iterable[HostEntity]]


class HostEntity(Entity):
    """An entity of one host; unavailable while the host is not connected."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(
        self, host: Host, key: str, translation_key: str | None = None
    ) -> None:
        """Make the entity `key`, named in translations so or as told."""
        self.host = host
        self._attr_unique_id = f"{DOMAIN}_host_{host.record.id}_{key}"
        self._attr_translation_key = translation_key or f"host_{key}"
        self._attr_device_info = DeviceInfo(
            identifiers={host_identifier(host.record.id)}
        )

    @property
    @override
    def available(self) -> bool:
        """Whether the host is connected."""
        return self.host.connected

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the host."""
        await super().async_added_to_hass()
        signal = HOST_CHANGED.format(self.host.record.id)
        self.async_on_remove(
            async_dispatcher_connect(self.hass, signal, self._async_changed)
        )

    @callback
    def _async_changed(self) -> None:
        self.async_write_ha_state()


@callback
def async_add_hosts(
    hass: HomeAssistant,
    entry: ConfigEntry,
    add: AddConfigEntryEntitiesCallback,
    make: Make,
) -> None:
    """Add the entities of all hosts that are there, and of those that will come.

    `make` may give more each time that a host tells something new; what is there
    already is not added twice.
    """
    link = hass.data[DATA_RUNTIME].hosts
    there: set[str] = set()

    @callback
    def add_host(host_id: str) -> None:
        host, subentry = link.registry.get(host_id), link.subentry(host_id)
        if host is None or subentry is None:
            return
        new = [
            entity
            for entity in make(host)
            if entity.unique_id is not None and entity.unique_id not in there
        ]
        there.update(str(entity.unique_id) for entity in new)
        if new:
            add(new, config_subentry_id=subentry.subentry_id)

    @callback
    def follow(host_id: str) -> None:
        add_host(host_id)
        signal = HOST_CHANGED.format(host_id)
        entry.async_on_unload(
            async_dispatcher_connect(hass, signal, partial(changed, host_id))
        )

    @callback
    def changed(host_id: str) -> None:
        if link.registry.get(host_id) is None:
            prefix = f"{DOMAIN}_host_{host_id}_"
            there.difference_update({one for one in there if one.startswith(prefix)})
        else:
            add_host(host_id)

    for host in link.registry:
        follow(host.record.id)
    entry.async_on_unload(async_dispatcher_connect(hass, HOST_ADDED, follow))
