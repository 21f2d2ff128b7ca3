"""`camera_snapshot`: a picture, or why there is none."""

from typing import Any, override

from homeassistant.components.camera import Camera
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
import pytest

from custom_components.homeagent.kernel.contract import Attachment
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools import camera_snapshot
from custom_components.homeagent.tools.camera_snapshot import CameraSnapshot

from .house import async_move_in, call
from .reading_home import ADMIN, Tools, ports


class Eye(Camera):
    """A camera that shows what the test says."""

    _attr_should_poll = False

    def __init__(
        self,
        name: str,
        picture: bytes | Exception | None,
        *,
        on: bool = True,
        away: bool = False,
    ) -> None:
        """`picture`: its bytes, nothing, or what it raises."""
        super().__init__()
        self.entity_id = f"camera.{name}"
        self._attr_name = name
        self._attr_unique_id = name
        self._attr_is_on = on
        self._attr_available = not away
        self.content_type = "image/png"
        self._picture = picture

    @override
    async def async_camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes | None:
        """Show it."""
        if isinstance(self._picture, Exception):
            raise self._picture
        return self._picture


@pytest.fixture
async def tools(hass: HomeAssistant) -> Tools:
    """Return the tool, in a home with cameras of all kinds."""
    eyes = [
        Eye("door", b"\x89PNG"),
        Eye("dark", b"x", on=False),
        Eye("gone", b"x", away=True),
        Eye("blind", None),
        Eye("broken", HomeAssistantError("lens fell off")),
        Eye("far", OSError("no route")),
        Eye("huge", b"x" * 11),
    ]
    await async_move_in(hass, eyes)
    hass.states.async_set("light.hall", "on")
    return Tools(CameraSnapshot(ports(hass)).tools())


async def take(tools: Tools, entity_id: object, **more: object) -> Any:
    arguments = {"entity_id": entity_id, **more}
    return await call(tools, "camera_snapshot", arguments, caller=ADMIN)


@pytest.mark.parametrize("named", ["camera.door", "door", ["camera.door"]])
async def test_picture(tools: Tools, named: object) -> None:
    result = await take(tools, named)
    assert result.attachments == (
        Attachment(mime_type="image/png", data=b"\x89PNG", title="door"),
    )
    assert result.value == {
        "entity_id": "camera.door",
        "mime_type": "image/png",
        "bytes": 4,
    }


@pytest.mark.parametrize(
    ("named", "reason", "says"),
    [
        ("camera.dark", Reason.UNAVAILABLE, "off"),
        ("camera.gone", Reason.UNAVAILABLE, "unavailable"),
        ("camera.blind", Reason.UNAVAILABLE, "Unable to get image"),
        ("camera.broken", Reason.UNAVAILABLE, "lens fell off"),
        ("camera.far", Reason.UNAVAILABLE, "no route"),
        ("light.hall", Reason.VALUE, "no camera"),
        ("camera.nope", Reason.VALUE, "no entity"),
        ("camera.door,camera.dark", Reason.VALUE, "not 2"),
    ],
)
async def test_no_picture(tools: Tools, named: str, reason: Reason, says: str) -> None:
    error = (await take(tools, named)).error
    assert (error.reason, error.field) == (reason, "entity_id")
    assert says in error.detail


async def test_too_large(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_snapshot, "LARGEST_PICTURE", 10)
    error = (await take(tools, "camera.huge")).error
    assert (error.reason, "width" in error.hint) == (Reason.FAILED, True)


@pytest.mark.parametrize("side", ["width", "height"])
async def test_one_side_only(tools: Tools, side: str) -> None:
    error = (await take(tools, "camera.door", **{side: 100})).error
    assert error.reason is Reason.REQUIRED
    assert error.field in {"width", "height"} - {side}
