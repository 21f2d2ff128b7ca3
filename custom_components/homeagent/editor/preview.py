"""The live line under a form: what the sequence would do with what is typed now.

A WebSocket command that Home Assistant's frontend calls on each change of a form that
names us as its preview. Which flow shows what is noted by the flow itself.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from homeassistant.components import websocket_api
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.const import ERR_NOT_FOUND
from homeassistant.components.websocket_api.decorators import (
    require_admin,
    websocket_command,
)
from homeassistant.components.websocket_api.messages import event_message
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey
import probatio

from ..const import DOMAIN

type Preview = Callable[[Mapping[str, object]], tuple[str, str]]
"""From what is typed to a name and a line."""

_PREVIEWS: Final[HassKey[dict[str, Preview]]] = HassKey(f"{DOMAIN}_previews")


@callback
def async_setup(hass: HomeAssistant) -> None:
    """Register the command."""
    websocket_api.async_register_command(hass, _start_preview)


@callback
def show_preview(hass: HomeAssistant, flow_id: str, preview: Preview) -> None:
    """Note what makes the line of a flow's present form."""
    hass.data.setdefault(_PREVIEWS, {})[flow_id] = preview


@callback
def forget_preview(hass: HomeAssistant, flow_id: str) -> None:
    """Forget a flow that is gone."""
    hass.data.get(_PREVIEWS, {}).pop(flow_id, None)


@websocket_command(
    {
        probatio.Required("type"): f"{DOMAIN}/start_preview",
        probatio.Required("flow_id"): str,
        probatio.Required("flow_type"): probatio.Any("config_flow", "options_flow"),
        probatio.Required("user_input"): dict,
    }
)
@require_admin
@callback
def _start_preview(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Answer with the line as the state of an entity that does not exist."""
    preview = hass.data.get(_PREVIEWS, {}).get(msg["flow_id"])
    if preview is None:
        connection.send_error(msg["id"], ERR_NOT_FOUND, "Unknown flow")
        return
    name, line = preview(msg["user_input"])
    connection.send_result(msg["id"])
    connection.subscriptions[msg["id"]] = lambda: None
    event = {
        "state": line,
        "attributes": {"friendly_name": name, "icon": "mdi:playlist-play"},
        "domain": "sensor",
    }
    connection.send_message(event_message(msg["id"], event))
