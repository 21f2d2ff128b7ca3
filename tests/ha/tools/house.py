"""A house of entities that behave as a test says, and calls through the door."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, override

from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ColorMode
from homeassistant.components.lock import LockEntity
from homeassistant.components.media_player import MediaPlayerEntity
from homeassistant.components.media_player.const import MediaPlayerEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import setup_test_component_platform  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.batch import Batch, BatchResult
from custom_components.homeagent.kernel.contract import (
    Arguments,
    Caller,
    Decision,
    Entrance,
    Tool,
    ToolCall,
    ToolRegistry,
    ToolResult,
    Verdict,
)
from custom_components.homeagent.kernel.door import Door
from custom_components.homeagent.kernel.journal import CallRecord, Journal

DIRECT = Caller(entrance=Entrance.DIRECT)
SPOKEN = Caller(entrance=Entrance.CONVERSATION)


class Lamp(LightEntity):
    """A lamp; it may be away, fail, take its time, or never tell its state."""

    _attr_should_poll = False
    _attr_color_mode = ColorMode.BRIGHTNESS

    def __init__(
        self,
        name: str,
        *,
        on: bool = False,
        away: bool = False,
        fails: str | None = None,
        seconds: float = 0.0,
        silent: bool = False,
        late: bool = False,
    ) -> None:
        """`late`: it writes its state only after the action has returned."""
        self.entity_id = f"light.{name}"
        self._attr_name = name.replace("_", " ").capitalize()
        self._attr_unique_id = name
        self._attr_supported_color_modes = {ColorMode.BRIGHTNESS}
        self._attr_is_on = on
        self._attr_available = not away
        self._attr_brightness = 128 if on else None
        self._fails = fails
        self._seconds = seconds
        self._silent = silent
        self._late = late
        self.runs = 0

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn on, as the test has it."""
        await self._switch(True, kwargs.get("brightness", 255))

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off, as the test has it."""
        await self._switch(False, None)

    async def _switch(self, on: bool, brightness: int | None) -> None:
        self.runs += 1
        await asyncio.sleep(self._seconds)
        if self._fails is not None:
            # It writes a state all the same, but not the one that was asked for.
            self._attr_extra_state_attributes = {"tries": self.runs}
            self.async_write_ha_state()
            raise HomeAssistantError(self._fails)
        self._attr_is_on, self._attr_brightness = on, brightness
        if self._silent:
            return
        if self._late:
            self.hass.async_create_task(self._write_later())
        else:
            self.async_write_ha_state()

    async def _write_later(self) -> None:
        """Let the loop go round more often than the action needs to return."""
        for _ in range(20):
            await asyncio.sleep(0)
        self.async_write_ha_state()


class Bolt(LockEntity):
    """A lock."""

    _attr_should_poll = False

    def __init__(self, name: str) -> None:
        """Start locked."""
        self.entity_id = f"lock.{name}"
        self._attr_unique_id = name
        self._attr_is_locked = True

    @override
    async def async_unlock(self, **kwargs: Any) -> None:
        """Unlock."""
        self._attr_is_locked = False
        self.async_write_ha_state()


class Player(MediaPlayerEntity):
    """A media player that notes what it plays."""

    _attr_should_poll = False

    def __init__(self, name: str, *, away: bool = False, plays: bool = True) -> None:
        """Start with nothing played."""
        self._attr_supported_features = MediaPlayerEntityFeature(0)
        if plays:
            self._attr_supported_features = MediaPlayerEntityFeature.PLAY_MEDIA
        self.entity_id = f"media_player.{name}"
        self._attr_unique_id = name
        self._attr_available = not away
        self.played: list[str] = []

    @override
    async def async_play_media(
        self, media_type: str, media_id: str, **kwargs: Any
    ) -> None:
        """Note it."""
        self.played.append(media_id)


async def async_move_in(hass: HomeAssistant, entities: Iterable[Entity]) -> None:
    """Set up the entities, each in its domain."""
    assert await async_setup_component(hass, "homeassistant", {})
    by_domain: dict[str, list[Entity]] = {}
    for entity in entities:
        by_domain.setdefault(entity.entity_id.partition(".")[0], []).append(entity)
    for domain, each in by_domain.items():
        setup_test_component_platform(hass, domain, each)
        assert await async_setup_component(hass, domain, {domain: {"platform": "test"}})
    await hass.async_block_till_done()


def put_in_area(hass: HomeAssistant, area_id: str, *entity_ids: str) -> None:
    """Put entities into an area."""
    registry = er.async_get(hass)
    for entity_id in entity_ids:
        registry.async_update_entity(entity_id, area_id=area_id)


class Open:
    """A policy that lets everything pass."""

    def can_use(
        self, caller: Caller, tool: Tool, arguments: Arguments | None
    ) -> Decision:
        """Allow."""
        return Decision(verdict=Verdict.ALLOW)

    def sees_everything(self, caller: Caller) -> bool:
        """Hide nothing."""
        return True


class NoJournal(Journal):
    """Writes nothing down."""

    @override
    def batch_ended(self, records: Sequence[CallRecord]) -> None:
        """Forget them."""


async def run(
    registry: ToolRegistry, *calls: ToolCall, caller: Caller = DIRECT
) -> BatchResult:
    """Run calls as one batch through a door that is open to all."""
    door = Door(registry=registry, policy=Open())
    batch = Batch(
        door=door, journal=NoJournal(), caller=caller, calls=calls, batch_id="batch"
    )
    return await batch.run()


async def call(
    registry: ToolRegistry,
    tool: str,
    arguments: Arguments | None = None,
    *,
    caller: Caller = DIRECT,
    report: bool = False,
) -> ToolResult:
    """Run one call through the door."""
    one = ToolCall(tool=tool, arguments=arguments or {}, report=report)
    (result,) = (await run(registry, one, caller=caller)).results
    return result
