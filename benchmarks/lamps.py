"""Lamps that obey at once, for `light.turn_on`.

Above `home`. They are Home Assistant's own light entities; only what a device would do
is left out.
"""

from typing import Any, override

from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import DATA_COMPONENT, ColorMode
from homeassistant.setup import async_setup_component

from .figure import BenchmarkError
from .home import Home
from .pairs import Tally


class Lamp(LightEntity):
    """A lamp that counts and tells its new state."""

    _attr_should_poll = False
    _attr_color_mode = ColorMode.ONOFF
    _attr_supported_color_modes = {ColorMode.ONOFF}  # noqa: RUF012 - as its base has it

    def __init__(self, number: int, tally: Tally) -> None:
        """Start off."""
        self.entity_id = f"light.bench_{number}"
        self._attr_unique_id = f"bench_{number}"
        self._attr_name = f"Bench {number}"
        self._attr_is_on = False
        self._tally = tally

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Go on at once."""
        self._tally.count()
        self._attr_is_on = True
        self.async_write_ha_state()

    def darken(self) -> None:
        """Go off, without being called by anybody."""
        self._attr_is_on = False
        self.async_write_ha_state()


async def add_lamps(home: Home, how_many: int) -> list[Lamp]:
    """Add lamps `light.bench_0` and so on, and let HomeAgent read what lights take."""
    if not await async_setup_component(home.hass, "light", {}):
        raise BenchmarkError("Home Assistant could not set light up")
    lamps = [Lamp(number, home.tally) for number in range(how_many)]
    await home.hass.data[DATA_COMPONENT].async_add_entities(lamps)
    await home.hass.async_block_till_done()
    await home.runtime.actions.async_prepare()
    return lamps
