"""The entities of a host: is it there, how is it, what did it refuse (page 4 §4.4).

Below the platforms, above `host_entity`. What a host tells is checked here: it may be of
any version.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
import re
from typing import Final, override

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.binary_sensor.const import BinarySensorDeviceClass
from homeassistant.components.event import EventEntity
from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import PERCENTAGE, EntityCategory, UnitOfTemperature
from homeassistant.core import callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.util import slugify

from .host_entity import HostEntity
from .hosts.host import Host, RefusedCommand
from .tools.host_signals import HOST_REFUSED

REFUSED: Final = "refused"
MOST_MOUNTS: Final = 50

_PROGRAM = re.compile(r"[A-Za-z0-9._+-]{1,32}")

type Value = float | str | datetime | None


@dataclass(frozen=True, kw_only=True)
class HostSensorDescription(SensorEntityDescription):
    """A sensor; `value` reads it from what the host has told."""

    value: Callable[[Host], Value]
    always: bool = False
    """Whether it is known also while the host is away."""


def measured(key: str) -> Callable[[Host], Value]:
    """Return what reads a number that was measured."""
    return lambda host: _number(host.metrics.get(key))


def _load(host: Host) -> Value:
    load = host.metrics.get("load")
    return _number(load[0]) if isinstance(load, list) and load else None


def _boot(host: Host) -> Value:
    seconds = _number(host.metrics.get("boot"))
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except OverflowError, ValueError, OSError:
        return None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


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
        value=measured("cpu"),
    ),
    HostSensorDescription(
        key="memory",
        native_unit_of_measurement=PERCENTAGE,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=0,
        value=measured("memory"),
    ),
    HostSensorDescription(
        key="load",
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=2,
        value=_load,
    ),
    HostSensorDescription(
        key="boot",
        device_class=SensorDeviceClass.TIMESTAMP,
        entity_category=EntityCategory.DIAGNOSTIC,
        value=_boot,
    ),
)
"""The sensors that every host has."""

TEMPERATURE: Final = HostSensorDescription(
    key="temperature",
    device_class=SensorDeviceClass.TEMPERATURE,
    native_unit_of_measurement=UnitOfTemperature.CELSIUS,
    state_class=SensorStateClass.MEASUREMENT,
    suggested_display_precision=0,
    value=measured("temperature"),
)


def host_sensors(host: Host) -> Iterable[HostEntity]:
    """Return the sensors of a host, as far as it has told what it has."""
    yield from (HostSensor(host, description) for description in SENSORS)
    if _number(host.metrics.get("temperature")) is not None:
        yield HostSensor(host, TEMPERATURE)
    yield from (MountSensor(host, mount) for mount in mounts(host))


def host_binary_sensors(host: Host) -> Iterable[HostEntity]:
    """Return the binary sensors of a host."""
    yield Connectivity(host)


def host_events(host: Host) -> Iterable[HostEntity]:
    """Return the event entities of a host."""
    yield RefusalEvent(host)


def mounts(host: Host) -> Mapping[str, float]:
    """Return how full each mounted disk is, in percent, by its mount point."""
    disks = host.metrics.get("disks")
    return {
        disk["mount"]: used
        for disk in (disks[:MOST_MOUNTS] if isinstance(disks, list) else ())
        if isinstance(disk, Mapping)
        and isinstance(disk.get("mount"), str)
        and (used := _number(disk.get("used"))) is not None
    }


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
    def native_value(self) -> Value:
        """The value."""
        return self.entity_description.value(self.host)


class MountSensor(HostEntity, SensorEntity):
    """How full a mounted disk is."""

    _attr_native_unit_of_measurement = PERCENTAGE
    _attr_state_class = SensorStateClass.MEASUREMENT
    _attr_suggested_display_precision = 0

    def __init__(self, host: Host, mount: str) -> None:
        """Make the sensor of a mount point."""
        super().__init__(host, f"disk_{slugify(mount)}_{_sum(mount)}", "host_disk")
        self._attr_translation_placeholders = {"mount": mount[:64]}
        self._mount = mount

    @property
    @override
    def available(self) -> bool:
        """Whether the disk is mounted, on a host that is there."""
        return super().available and self._mount in mounts(self.host)

    @property
    @override
    def native_value(self) -> float | None:
        """The percentage that is used."""
        return mounts(self.host).get(self._mount)


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
        first = command.line.split(maxsplit=1)[:1]
        program = first[0] if first and _PROGRAM.fullmatch(first[0]) else None
        self._trigger_event(
            REFUSED,
            {"code": command.code, "stage": command.stage, "program": program},
        )
        self.async_write_ha_state()


def _sum(text: str) -> str:
    """Return a short sum by which mount points with one slug are told apart."""
    return f"{sum(text.encode()) % 997:x}"
