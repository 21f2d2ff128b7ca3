"""A Home Assistant inside this process, with HomeAgent and the benchmark's own actions.

Above `pairs`. It is set up as Home Assistant sets itself up, but for the user interface.
Its web server, which HomeAgent needs, listens on this machine only, on a port that was
free.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import logging
from pathlib import Path
import tempfile

from demohome import http_storage
from demohome.process import free_port
from homeassistant import bootstrap, loader
from homeassistant.auth import auth_manager_from_config
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.config_entries import ConfigEntries
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.setup import async_setup_component

from custom_components.homeagent.const import DOMAIN, EVENT_TOOL_CALL
from custom_components.homeagent.runtime import DATA_RUNTIME, Runtime

from .figure import BenchmarkError
from .pairs import Tally

_KNOWN_TO_WARN = ("homeassistant.loader", "homeassistant.helpers.translation")
"""Of each custom integration, and of the benchmark's actions, which have none."""


@dataclass(slots=True, kw_only=True)
class Home:
    """The running Home Assistant; `tally` counts what the benchmark's actions did."""

    hass: HomeAssistant
    user_id: str
    url: str
    tally: Tally = field(default_factory=Tally)
    events: int = 0

    @property
    def runtime(self) -> Runtime:
        """HomeAgent's own parts."""
        return self.hass.data[DATA_RUNTIME]

    async def act(
        self, action: str, data: Mapping[str, object]
    ) -> Mapping[str, object]:
        """Call an action of HomeAgent as an administrator does; return its response."""
        response = await self.hass.services.async_call(
            DOMAIN,
            action,
            dict(data),
            blocking=True,
            context=Context(user_id=self.user_id),
            return_response=True,
        )
        if response is None:
            raise BenchmarkError(f"homeagent.{action} gave no response")
        return response

    @callback
    def count_event(self, event: Event) -> None:
        """Count one event of a call: the one listener on the bus."""
        self.events += 1


@asynccontextmanager
async def open_home() -> AsyncIterator[Home]:
    """Start a Home Assistant in a temporary folder; stop it and remove the folder."""
    logging.getLogger().setLevel(logging.WARNING)
    for name in _KNOWN_TO_WARN:
        logging.getLogger(name).setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="homeagent-bench-") as folder:
        port = free_port()
        http_storage.write(Path(folder), address="127.0.0.1", port=port)
        hass = await _make(folder)
        try:
            user = await hass.auth.async_create_user(
                "Owner", group_ids=[GROUP_ID_ADMIN]
            )
            url = f"http://127.0.0.1:{port}"
            home = Home(hass=hass, user_id=user.id, url=url)
            await _set_up(hass, "homeassistant", "persistent_notification", DOMAIN)
            hass.bus.async_listen(EVENT_TOOL_CALL, home.count_event)
            await hass.async_start()
            yield home
        finally:
            await hass.async_stop(force=True)


async def _make(folder: str) -> HomeAssistant:
    hass = HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = ConfigEntries(hass, {})
    await loader.async_get_custom_components(hass)
    if not await bootstrap.async_load_base_functionality(hass):
        raise BenchmarkError(
            "Home Assistant could not load what everything is built on"
        )
    hass.auth = await auth_manager_from_config(hass, [], [])
    return hass


async def _set_up(hass: HomeAssistant, *domains: str) -> None:
    for domain in domains:
        if not await async_setup_component(hass, domain, {}):
            raise BenchmarkError(f"Home Assistant could not set {domain} up")
    await hass.async_block_till_done()
