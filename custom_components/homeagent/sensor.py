"""Sensors of a sequence: how its last run ended, and how long it took."""

from typing import override

from homeassistant.components.sensor import (
    RestoreSensor,
    SensorDeviceClass,
    SensorStateClass,
)
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EntityCategory, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .const import CONF_KIND, KIND_KERNEL
from .entity import RunEntity, async_add_when_there
from .host_entity import async_add_hosts
from .host_sensors import host_sensors
from .runtime import Runtime
from .sequence.digest import Digest
from .sequence.report import RUN_STATUSES

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add the sensors of a sequence."""
    if entry.data[CONF_KIND] == KIND_KERNEL:
        async_add_hosts(hass, entry, add, host_sensors)
        return
    async_add_when_there(
        hass, entry, add, lambda *args: [LastResult(*args), LastDuration(*args)]
    )


class RunSensor(RunEntity, RestoreSensor):
    """Knows one fact of the last run, also after a restart."""

    _attr_entity_registry_enabled_default = False

    @override
    async def async_added_to_hass(self) -> None:
        """Take up what was known before."""
        await super().async_added_to_hass()
        if (last := await self.async_get_last_sensor_data()) is not None:
            self._attr_native_value = last.native_value


class LastResult(RunSensor):
    """How the last run ended."""

    _attr_device_class = SensorDeviceClass.ENUM

    def __init__(self, runtime: Runtime, entry: ConfigEntry) -> None:
        """Make the sensor."""
        super().__init__(runtime, entry, "last_result")
        self._attr_options = [status.value for status in RUN_STATUSES]

    @override
    def take(self, told: Digest) -> None:
        """Show how the run ended."""
        self._attr_native_value = told.status.value


class LastDuration(RunSensor):
    """How long the last run took."""

    _attr_device_class = SensorDeviceClass.DURATION
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_native_unit_of_measurement = UnitOfTime.SECONDS
    _attr_state_class = SensorStateClass.MEASUREMENT
    _attr_suggested_display_precision = 1

    def __init__(self, runtime: Runtime, entry: ConfigEntry) -> None:
        """Make the sensor."""
        super().__init__(runtime, entry, "last_duration")

    @override
    def take(self, told: Digest) -> None:
        """Show how long the run took."""
        seconds = told.duration
        self._attr_native_value = None if seconds is None else round(seconds, 3)
