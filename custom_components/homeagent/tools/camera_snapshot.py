"""`camera_snapshot`: what a camera sees now, as a picture that belongs to the result.

Reached through the door like every tool; the camera integration need not be loaded.
"""

import asyncio
from typing import Final

from homeassistant.core import split_entity_id
from homeassistant.exceptions import HomeAssistantError

from ..kernel.contract import (
    Attachment,
    Invocation,
    Tool,
    ToolDefinition,
    ToolOutput,
)
from ..kernel.errors import Reason, ToolError
from .entity_lookup import look_up
from .reading import ReadingTool
from .reading_ports import ReadingPorts
from .recorder_access import not_loaded

LARGEST_PICTURE: Final = 8 * 1024 * 1024
"""Bytes of a picture that a result carries."""

WAIT: Final = 20
"""Seconds that a camera gets."""

_SIDE: Final = {"type": "integer", "minimum": 16, "maximum": 4096}

CAMERA_SNAPSHOT: Final = ToolDefinition(
    name="camera_snapshot",
    title="Camera snapshot",
    description="Take a picture with a camera now; it comes with the result.",
    parameters={
        "type": "object",
        "properties": {
            "entity_id": {"type": "string", "description": "The camera."},
            "width": _SIDE
            | {"description": "Wanted width in pixels, with height; not all cameras scale."},
            "height": _SIDE | {"description": "Wanted height in pixels, with width."},
        },
        "required": ["entity_id"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
)


class CameraSnapshot:
    """Asks cameras for pictures."""

    def __init__(self, ports: ReadingPorts) -> None:
        """Take the ports."""
        self._ports = ports

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [
            ReadingTool(
                self._ports.hass,
                definition=CAMERA_SNAPSHOT,
                work=self.take,
                named="entity_id",
            )
        ]

    async def take(self, invocation: Invocation) -> object:
        """Take one picture."""
        arguments = invocation.arguments
        entity_id = str(arguments["entity_id"])
        looked = look_up(self._ports, invocation.caller, [entity_id], "entity_id")
        if looked.error is not None:
            return looked.error
        if split_entity_id(entity_id)[0] != "camera":
            return _no_camera(entity_id)
        (state,) = looked.states
        if state.state == "unavailable":
            return _unavailable(entity_id, "it is unavailable")
        if "camera" not in self._ports.hass.config.components:
            return not_loaded("camera")
        from homeassistant.components.camera import async_get_image

        width, height = arguments.get("width"), arguments.get("height")
        try:
            image = await async_get_image(
                self._ports.hass,
                entity_id,
                timeout=WAIT,
                width=width if isinstance(width, int) else None,
                height=height if isinstance(height, int) else None,
            )
        except HomeAssistantError as error:
            return _unavailable(entity_id, str(error))
        if len(image.content) > LARGEST_PICTURE:
            return _too_large(entity_id, len(image.content))
        return ToolOutput(
            value={
                "entity_id": entity_id,
                "mime_type": image.content_type,
                "bytes": len(image.content),
            },
            attachments=(
                Attachment(
                    mime_type=image.content_type, data=image.content, title=state.name
                ),
            ),
        )
