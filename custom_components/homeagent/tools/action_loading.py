"""Reads the descriptions and texts of actions in the background.

The first reading takes Home Assistant half a second, so it waits until Home Assistant has
started; later ones read only what is new. One reading at a time; what is registered while
one runs is read by the next.
"""

import asyncio
from collections.abc import Awaitable, Callable

from homeassistant.const import EVENT_CORE_CONFIG_UPDATE, EVENT_SERVICE_REGISTERED
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers import service as service_helper, translation
from homeassistant.helpers.start import async_at_started

_CATEGORIES = ("services", "selector")

_PAUSE = 0.1
"""Seconds between a registration and the reading: they come by the dozen."""


class ActionLoader:
    """Keeps Home Assistant's own caches of descriptions and translations filled."""

    def __init__(
        self,
        hass: HomeAssistant,
        before: Callable[[], Awaitable[None]],
        loaded: Callable[[], None],
    ) -> None:
        """`before` reads what else is needed; `loaded` is told of everything new."""
        self._hass = hass
        self._before = before
        self._loaded = loaded
        self._known: frozenset[tuple[str, str]] = frozenset()
        self._language = ""
        self._task: asyncio.Task[None] | None = None
        self._asked = False

    def async_start(self) -> CALLBACK_TYPE:
        """Read once Home Assistant has started, then whatever is registered."""
        bus = self._hass.bus
        stops = [
            bus.async_listen(EVENT_SERVICE_REGISTERED, self._async_changed),
            bus.async_listen(EVENT_CORE_CONFIG_UPDATE, self._async_changed),
            async_at_started(self._hass, self._async_started),
        ]

        @callback
        def stop() -> None:
            for each in stops:
                each()
            if self._task is not None:
                self._task.cancel()

        return stop

    @callback
    def _async_started(self, hass: HomeAssistant) -> None:
        self._ask()

    @callback
    def _async_changed(self, event: Event) -> None:
        if self._hass.is_running:
            self._ask()

    def _ask(self) -> None:
        self._asked = True
        if self._task is None or self._task.done():
            self._task = self._hass.async_create_background_task(
                self._run(), "homeagent descriptions of actions", eager_start=False
            )

    async def _run(self) -> None:
        while self._asked:
            await asyncio.sleep(_PAUSE)
            self._asked = False
            await self.async_load()

    async def async_load(self) -> None:
        """Read everything that is not read yet."""
        await self._before()
        descriptions = await service_helper.async_get_all_descriptions(self._hass)
        language = self._hass.config.language
        for category in _CATEGORIES:
            await translation.async_get_translations(
                self._hass, language, category, descriptions
            )
        known = frozenset(
            (domain, action)
            for domain, actions in descriptions.items()
            for action in actions
        )
        if known != self._known or language != self._language:
            self._known, self._language = known, language
            self._loaded()
