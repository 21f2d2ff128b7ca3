"""Entries in Home Assistant's logbook: who started a sequence, and by what way.

What the run then changes is shown with it, for it happens in the same context.
"""

from collections.abc import Callable
from typing import Final

from homeassistant.components.logbook.const import (
    LOGBOOK_ENTRY_ENTITY_ID,
    LOGBOOK_ENTRY_ICON,
    LOGBOOK_ENTRY_MESSAGE,
    LOGBOOK_ENTRY_NAME,
)
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr

from .const import DOMAIN, EVENT_RUN_STARTED
from .kernel.contract import Entrance
from .runtime import DATA_RUNTIME

type Describe = Callable[[str, str, Callable[[Event], dict[str, object]]], None]

_ENGLISH: Final = "en"

_WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        Entrance.DIRECT: "was started by {who}",
        Entrance.AUTOMATION: "was started by an automation",
        Entrance.CONVERSATION: "was started by {who}, in a conversation",
        Entrance.MCP: "was started by {who}, with an MCP client",
        Entrance.SENTENCE: "was started by {who}, with a sentence",
        Entrance.SYSTEM: "was started by HomeAgent itself",
        Entrance.UNKNOWN: "was started, and nobody knows by whom",
        "somebody": "somebody",
    },
    "zh": {
        Entrance.DIRECT: "由{who}启动",
        Entrance.AUTOMATION: "由自动化启动",
        Entrance.CONVERSATION: "由{who}通过对话启动",
        Entrance.MCP: "由{who}通过 MCP 客户端启动",
        Entrance.SENTENCE: "由{who}通过语句启动",
        Entrance.SYSTEM: "由 HomeAgent 自己启动",
        Entrance.UNKNOWN: "已启动，来源不明",
        "somebody": "某人",
    },
}


@callback
def async_describe_events(hass: HomeAssistant, async_describe_event: Describe) -> None:
    """Describe the events of HomeAgent."""

    @callback
    def run_started(event: Event) -> dict[str, object]:
        words = _WORDS.get(hass.config.language.partition("-")[0], _WORDS[_ENGLISH])
        who = _who(hass, event) or words["somebody"]
        entry: dict[str, object] = {
            LOGBOOK_ENTRY_NAME: event.data.get("sequence"),
            LOGBOOK_ENTRY_MESSAGE: words[_entrance(event)].format(who=who),
            LOGBOOK_ENTRY_ICON: "mdi:playlist-play",
        }
        if entity_id := event.data.get("entity_id"):
            entry[LOGBOOK_ENTRY_ENTITY_ID] = entity_id
        return entry

    async_describe_event(DOMAIN, EVENT_RUN_STARTED, run_started)


def _entrance(event: Event) -> Entrance:
    """Return the entrance; events of later versions may name one that is not known."""
    try:
        return Entrance(str(event.data.get("entrance")))
    except ValueError:
        return Entrance.UNKNOWN


def _who(hass: HomeAssistant, event: Event) -> str | None:
    """Return the name of the person, or of the device that somebody spoke to."""
    runtime = hass.data.get(DATA_RUNTIME)
    user_id = event.data.get("user_id")
    if runtime is not None and isinstance(user_id, str):
        return runtime.users.name(user_id)
    device_id = event.data.get("device_id")
    if not isinstance(device_id, str):
        return None
    device = dr.async_get(hass).async_get(device_id)
    return None if device is None else device.name_by_user or device.name
