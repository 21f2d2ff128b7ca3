"""`camera_snapshot`: what a camera sees now, as a picture that belongs to the result.

Reached through the door like every tool; the camera integration need not be loaded.
"""

from typing import Final

from aiohttp import ClientError
from homeassistant.core import split_entity_id
from homeassistant.exceptions import HomeAssistantError

from ..kernel.contract import Attachment, Invocation, Tool, ToolDefinition, ToolOutput
from ..kernel.errors import Reason, ToolError
from .entity_lookup import look_up
from .reading import ReadingTool
from .reading_ports import ReadingPorts
from .recorder_access import not_loaded
from .targets import ids_in

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
            | {
                "description": "Wanted width in pixels, with height; not all cameras scale."
            },
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
        entity_ids = ids_in(arguments["entity_id"]) or []
        if len(entity_ids) != 1:
            return _not_one(len(entity_ids))
        (entity_id,) = entity_ids
        if ("width" in arguments) != ("height" in arguments):
            return _one_side("height" if "width" in arguments else "width")
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
        except (HomeAssistantError, ClientError, OSError) as error:
            return _unavailable(entity_id, str(error) or type(error).__name__)
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


def _not_one(count: int) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="entity_id",
        detail=f"takes exactly one camera, not {count}",
        hint="Make one call for each; they run at the same time.",
    )


def _one_side(missing: str) -> ToolError:
    return ToolError(
        reason=Reason.REQUIRED,
        field=missing,
        detail="only one of width and height is given",
        hint="Give both, or neither.",
    )


def _no_camera(entity_id: str) -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="entity_id",
        detail=f"{entity_id} is no camera",
        hint="Use find_entities with domain camera to find one.",
    )


def _unavailable(entity_id: str, why: str) -> ToolError:
    return ToolError(
        reason=Reason.UNAVAILABLE,
        field="entity_id",
        detail=f"{entity_id} gives no picture: {why}",
        hint="Check whether the camera is on and connected.",
    )


def _too_large(entity_id: str, size: int) -> ToolError:
    return ToolError(
        reason=Reason.FAILED,
        detail=f"the picture of {entity_id} has {size} bytes, "
        f"{LARGEST_PICTURE} are allowed",
        hint="Give width and height to have it scaled.",
    )
