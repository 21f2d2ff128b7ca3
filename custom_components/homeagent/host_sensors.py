"""The sensors of a host: how it is, and how full its disks are (page 4 §4.4).

Below the platform, above `host_entity`; `tools.host_readings` reads what a host told.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, override

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import PERCENTAGE, EntityCategory, UnitOfTemperature
from homeassistant.util import slugify

from .host_entity import HostEntity
from .hosts.host import Host
from .tools import host_readings


@dataclass(frozen=True, kw_only=True)
class HostSensorDescription(SensorEntityDescription):
    """A sensor; `value` reads it from what the host has told."""

    value: Callable[[Host], host_readings.Value]
    always: bool = False
    """Whether it is known also while the host is away."""


SENSORS: Final = (
    HostSensorDescription(
        key="last_seen",
        device_class=SensorDeviceClass.TIMESTAMP,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=lambda host: host.last_seen,
        always=True,
    ),
    HostSensorDescription(
        key="version",
        entity_category=EntityCategory.DIAGNOSTIC,
        value=lambda host: host.waiter_version or None,
    ),
    HostSensorDescription(
        key="cpu",
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=host_readings.measured("cpu"),
    ),
    HostSensorDescription(
        key="memory",
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=host_readings.measured("memory"),
    ),
    HostSensorDescription(
        key="load",
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=2,
        value=host_readings.load,
    ),
    HostSensorDescription(
        key="boot",
        device_class=SensorDeviceClass.TIMESTAMP,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=host_readings.boot,
    ),
)
"""The sensors that every host has."""

TEMPERATURE: Final = HostSensorDescription(
    key="temperature",
    device_class=SensorDeviceClass.TEMPERATURE,
    native_unit_of_measurement=UnitOfTemperature.CELSIUS,
    state_class=SensorStateClass.MEASUREMENT,
    suggested_display_precision=0,
    value=host_readings.measured("temperature"),
)


def host_sensors(host: Host) -> Iterable[HostEntity]:
    """Return the sensors of a host, as far as it has told what it has."""
    yield from (HostSensor(host, description) for description in SENSORS)
    if TEMPERATURE.value(host) is not None:
        yield HostSensor(host, TEMPERATURE)
    yield from (MountSensor(host, mount) for mount in host_readings.mounts(host))


class HostSensor(HostEntity, SensorEntity):
    """One fact that a host tells."""

    entity_description: HostSensorDescription

    def __init__(self, host: Host, description: HostSensorDescription) -> None:
        """Make the sensor."""
        super().__init__(host, description.key)
        self.entity_description = description

    @property
    @override
    def available(self) -> bool:
        """Whether the value is known to be true now."""
        return self.entity_description.always or super().available

    @property
    @override
    def native_value(self) -> host_readings.Value:
        """The value."""
        return self.entity_description.value(self.host)


class MountSensor(HostEntity, SensorEntity):
    """How full a mounted disk is."""

    _attr_native_unit_of_measurement = PERCENTAGE
    _attr_state_class = SensorStateClass.MEASUREMENT
    _attr_suggested_display_precision = 0

    def __init__(self, host: Host, mount: str) -> None:
        """Make the sensor of a mount point."""
        super().__init__(
            host, f"disk_{slugify(mount)}_{host_readings.mount_sum(mount)}", "host_disk"
        )
        self._attr_translation_placeholders = {"mount": mount[:64]}
        self._mount = mount

    @property
    @override
    def available(self) -> bool:
        """Whether the disk is mounted, on a host that is there."""
        return super().available and self._mount in host_readings.mounts(self.host)

    @property
    @override
    def native_value(self) -> float | None:
        """The percentage that is used."""
        return host_readings.mounts(self.host).get(self._mount)
