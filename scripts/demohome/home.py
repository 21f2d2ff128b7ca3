"""The demo home: rooms, lamps, a blind, sensors, a weather forecast, a shopping list.

All of it is Home Assistant's own. The lamps and the blind are template entities whose
actions take their time, as devices behind a radio do. Imports api, folder, jsonish.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from .api import HomeApi
from .folder import LEAN_CONFIGURATION
from .jsonish import as_object, as_objects


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A lamp that answers after `delay` milliseconds; `key` names its entity."""

    key: str
    name: str
    area: str
    delay: int

    @property
    def entity_id(self) -> str:
        """Its entity id."""
        return f"light.{self.key}"


LAMPS = (
    Lamp(key="sofa_lamp", name="Sofa lamp", area="Living Room", delay=450),
    Lamp(key="reading_lamp", name="Reading lamp", area="Bedroom", delay=380),
    Lamp(key="worktop", name="Worktop", area="Kitchen", delay=300),
    Lamp(key="hallway", name="Hallway", area="Hallway", delay=520),
    Lamp(key="desk", name="Desk", area="Office", delay=350),
)

SHOPPING = ("Oat milk", "Coffee", "Bread")

_AREAS: Mapping[str, str] = {
    **{lamp.entity_id: lamp.area for lamp in LAMPS},
    "cover.living_room_blind": "Living Room",
    "switch.bedroom_radiator": "Bedroom",
    "sensor.living_room_temperature": "Living Room",
    "sensor.bedroom_temperature": "Bedroom",
    "binary_sensor.kitchen_window": "Kitchen",
    "climate.bedroom": "Bedroom",
}

_LAMP = """\
      - unique_id: {key}
        default_entity_id: light.{key}
        name: {name}
        turn_on: [delay: {{milliseconds: {delay}}}]
        turn_off: [delay: {{milliseconds: {delay}}}]
        set_level: [delay: {{milliseconds: {delay}}}]
"""

_REST = """\
  - cover:
      - unique_id: living_room_blind
        default_entity_id: cover.living_room_blind
        name: Living room blind
        device_class: blind
        optimistic: true
        open_cover: [delay: {milliseconds: 600}]
        close_cover: [delay: {milliseconds: 600}]
  - switch:
      - unique_id: bedroom_radiator
        default_entity_id: switch.bedroom_radiator
        name: Bedroom radiator
        turn_on: []
        turn_off: []
  - binary_sensor:
      - unique_id: kitchen_window
        default_entity_id: binary_sensor.kitchen_window
        name: Kitchen window
        device_class: window
        state: "on"
  - sensor:
      - unique_id: living_room_temperature
        default_entity_id: sensor.living_room_temperature
        name: Living room temperature
        device_class: temperature
        unit_of_measurement: °C
        state: "20.6"
      - unique_id: bedroom_temperature
        default_entity_id: sensor.bedroom_temperature
        name: Bedroom temperature
        device_class: temperature
        unit_of_measurement: °C
        state: "17.9"
  - weather:
      - unique_id: weather
        default_entity_id: weather.home
        name: Home
        condition: partlycloudy
        temperature: 8.4
        temperature_unit: °C
        humidity: 71
        forecast_daily: >
          {% set days = [("cloudy", 9, 4), ("rainy", 7, 3), ("sunny", 11, 2)] %}
          {% set list = namespace(days=[]) %}
          {% for condition, high, low in days %}
            {% set list.days = list.days + [{
              "datetime": (today_at("12:00") + timedelta(days=loop.index)).isoformat(),
              "condition": condition, "temperature": high, "templow": low}] %}
          {% endfor %}
          {{ list.days }}
climate:
  - platform: generic_thermostat
    unique_id: bedroom_thermostat
    name: Bedroom
    heater: switch.bedroom_radiator
    target_sensor: sensor.bedroom_temperature
    min_temp: 12
    max_temp: 24
    target_temp: 18
    initial_hvac_mode: "off"
"""


def configuration() -> str:
    """Return the text of the demo home's configuration.yaml."""
    lamps = "".join(
        _LAMP.format(key=lamp.key, name=lamp.name, delay=lamp.delay) for lamp in LAMPS
    )
    return f"{LEAN_CONFIGURATION}template:\n  - light:\n{lamps}{_REST}"


async def furnish(api: HomeApi) -> Mapping[str, int]:
    """Put everything into its room and in order; return the counts.

    Somebody forgot the lamps of the kitchen and the office.
    """
    await _assign_areas(api)
    forgotten = ("light.worktop", "light.desk")
    others = [lamp.entity_id for lamp in LAMPS if lamp.entity_id not in forgotten]
    await asyncio.gather(
        api.do_action("light.turn_on", {"entity_id": list(forgotten)}),
        api.do_action("light.turn_off", {"entity_id": others}),
        api.do_action("cover.open_cover", {"entity_id": "cover.living_room_blind"}),
    )
    await api.run_flow("shopping_list", {})
    for item in SHOPPING:
        await api.do_action(
            "todo.add_item", {"entity_id": "todo.shopping_list", "item": item}
        )
    states = await api.states()
    return {
        "rooms": len(set(_AREAS.values())),
        "lamps": len(LAMPS),
        "entities": len(states),
    }


async def _assign_areas(api: HomeApi) -> None:
    async with api.socket() as socket:
        listed = await socket.command("config/area_registry/list")
        areas = {
            str(area["name"]): area["area_id"] for area in as_objects(listed, "areas")
        }
        for name in sorted(set(_AREAS.values()) - set(areas)):
            made = await socket.command("config/area_registry/create", name=name)
            areas[name] = as_object(made, "the new area")["area_id"]
        for entity_id, name in _AREAS.items():
            await socket.command(
                "config/entity_registry/update",
                entity_id=entity_id,
                area_id=areas[name],
            )
