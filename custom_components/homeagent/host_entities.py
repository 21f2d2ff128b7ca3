"""The other entities of a host: is it there, what did it refuse (page 4 §4.4).

Below the platforms, above `host_entity`; sensors are in `host_sensors`.
"""

from collections.abc import Iterable
from typing import Final, override

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.binary_sensor.const import BinarySensorDeviceClass
from homeassistant.components.event import EventEntity
from homeassistant.const import EntityCategory
from homeassistant.core import callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect

from .host_entity import HostEntity
from .hosts.host import Host, RefusedCommand
from .tools.host_readings import program_of
from .tools.host_signals import HOST_REFUSED

REFUSED: Final = "refused"


def host_binary_sensors(host: Host) -> Iterable[HostEntity]:
    """Return the binary sensors of a host."""
    yield Connectivity(host)


def host_events(host: Host) -> Iterable[HostEntity]:
    """Return the event entities of a host."""
    yield RefusalEvent(host)


class Connectivity(HostEntity, BinarySensorEntity):
    """Whether the host is connected."""

    _attr_device_class = BinarySensorDeviceClass.CONNECTIVITY
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, host: Host) -> None:
        """Make the binary sensor."""
        super().__init__(host, "connected")

    @property
    @override
    def available(self) -> bool:
        """It is always known."""
        return True

    @property
    @override
    def is_on(self) -> bool:
        """Whether the host is connected."""
        return self.host.connected


class RefusalEvent(HostEntity, EventEntity):
    """Fires when the host's gate refuses a command.

    The command itself stands in the host's audit log only: it can hold secrets.
    """

    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, host: Host) -> None:
        """Make the event entity."""
        super().__init__(host, "refusal")
        self._attr_event_types = [REFUSED]

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the refusals."""
        await super().async_added_to_hass()
        signal = HOST_REFUSED.format(self.host.record.id)
        self.async_on_remove(
            async_dispatcher_connect(self.hass, signal, self._async_refused)
        )

    @callback
    def _async_refused(self, command: RefusedCommand) -> None:
        program = program_of(command.line)
        about = {"code": command.code, "stage": command.stage, "program": program}
        self._trigger_event(REFUSED, about)
        self.async_write_ha_state()
