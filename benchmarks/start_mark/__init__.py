"""An integration of the benchmark's own: it writes down when Home Assistant has started.

Copied into the temporary home of a real `hass` process; imports nothing of ours. The file
tells the monotonic time, which is the same in all processes of a machine, for how long
other programs ran instead, how many entries of HomeAgent are loaded, how many entities
these have and how many have a state.
"""

import json
from pathlib import Path
import time

from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_HOMEASSISTANT_STARTED
from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.typing import ConfigType

DOMAIN = "start_mark"
FILE = "started.json"
_SCHEDSTAT = Path("/proc/self/schedstat")


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Wait for the end of the start."""

    async def write(event: Event) -> None:
        now = {"at": time.monotonic(), "put_aside": _put_aside()}
        mark = now | _counts(hass)
        path = Path(hass.config.path(FILE))
        await hass.async_add_executor_job(path.write_text, json.dumps(mark))

    hass.bus.async_listen_once(EVENT_HOMEASSISTANT_STARTED, write)
    return True


def _put_aside() -> float:
    """Return for how many seconds the event loop's thread was ready and did not run.

    Zero where the system does not tell.
    """
    try:
        _, waited, _ = _SCHEDSTAT.read_text(encoding="ascii").split()
    except OSError, ValueError:
        return 0.0
    return int(waited) / 1e9


def _counts(hass: HomeAssistant) -> dict[str, int]:
    entries = hass.config_entries.async_entries("homeagent")
    entities = [
        entity.entity_id
        for entity in er.async_get(hass).entities.values()
        if entity.platform == "homeagent" and entity.disabled_by is None
    ]
    return {
        "loaded": sum(entry.state is ConfigEntryState.LOADED for entry in entries),
        "entities": len(entities),
        "states": sum(hass.states.get(each) is not None for each in entities),
    }
