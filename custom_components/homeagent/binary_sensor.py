"""The binary sensor of a sequence: whether its last run had a problem."""

from typing import override

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.binary_sensor.const import BinarySensorDeviceClass
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.restore_state import RestoreEntity

from .const import CONF_KIND, KIND_KERNEL
from .entity import RunEntity, async_add_when_there
from .host_entities import host_binary_sensors
from .host_entity import async_add_hosts
from .runtime import Runtime
from .sequence.digest import Digest
from .sequence.report import Status

PARALLEL_UPDATES = 0

_PROBLEMS = frozenset({Status.FAILED, Status.PARTIAL})
"""A run that somebody cancelled had no problem of its own."""


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add the binary sensor of a sequence."""
    if entry.data[CONF_KIND] == KIND_KERNEL:
        async_add_hosts(hass, entry, add, host_binary_sensors)
        return
    async_add_when_there(hass, entry, add, lambda *args: [Problem(*args)])


class Problem(RunEntity, BinarySensorEntity, RestoreEntity):
    """On if the last run failed or did without a part."""

    _attr_device_class = BinarySensorDeviceClass.PROBLEM
    _attr_entity_registry_enabled_default = False

    def __init__(self, runtime: Runtime, entry: ConfigEntry) -> None:
        """Make the binary sensor."""
        super().__init__(runtime, entry, "problem")

    @override
    async def async_added_to_hass(self) -> None:
        """Take up what was known before."""
        await super().async_added_to_hass()
        last = await self.async_get_last_state()
        if last is not None and last.state in (STATE_ON, STATE_OFF):
            self._attr_is_on = last.state == STATE_ON

    @override
    def take(self, told: Digest) -> None:
        """Show whether the run had a problem."""
        self._attr_is_on = told.status in _PROBLEMS
