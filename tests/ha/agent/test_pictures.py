"""Pictures: of a message's attachments and of cameras, for models that see and others."""

from base64 import b64encode
from pathlib import Path
from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.conversation import Attachment, UserContent
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.core import HomeAssistant
from homeassistant.helpers import chat_session
from homeassistant.setup import async_setup_component
import pytest

from .agent_home import AgentHome, async_agent_home
from .scripted_server import ScriptedServer, calls, refusal, words

pytestmark = pytest.mark.own_folder

PICTURE = b"\x89PNG not quite"
URL = f"data:image/png;base64,{b64encode(PICTURE).decode()}"


async def seeing_home(
    hass: HomeAssistant, server: ScriptedServer, user: User, *, vision: bool
) -> AgentHome:
    return await async_agent_home(
        hass, server, user.id, tools=["camera_snapshot"], vision=vision
    )


async def say_with(home: AgentHome, *files: tuple[str, bytes, str]) -> str:
    """Say something that has files with it, as an AI task does."""
    folder = Path(home.hass.config.config_dir)
    attachments = []
    for name, data, kind in files:
        path = folder / name
        if data:
            await home.hass.async_add_executor_job(path.write_bytes, data)
        attachments.append(Attachment(media_content_id=name, mime_type=kind, path=path))
    with (
        chat_session.async_get_chat_session(home.hass, "talk") as session,
        async_get_chat_log(home.hass, session) as log,
    ):
        log.async_add_user_content(UserContent("Look", attachments=attachments))
        return await home.hear("Look")


def parts(home: AgentHome) -> list[Any]:
    """Return the parts of the last message that has some."""
    found = [
        message["content"]
        for message in home.server.requests[-1]["messages"]
        if isinstance(message["content"], list)
    ]
    return list(found[-1]) if found else []


async def test_attachment_reaches_a_model_that_sees(
    hass: HomeAssistant, server: ScriptedServer, hass_admin_user: User
) -> None:
    home = await seeing_home(hass, server, hass_admin_user, vision=True)
    server.say(words("A cat."), words("Yes."))
    said = await say_with(
        home,
        ("cat.png", PICTURE, "image/png"),
        ("a.pdf", b"x", "application/pdf"),
        ("gone.png", b"", "image/png"),
    )
    assert said == "A cat."
    text, label, image = parts(home)
    assert text["text"].splitlines() == [
        "Look",
        "[a.pdf: a file of type application/pdf, which is not shown]",
        "[gone.png: cannot be read]",
    ]
    assert label["text"] == "[cat.png]"
    assert image["image_url"] == {"url": URL}
    await home.hear("Sure?")
    assert "shown in an earlier turn" in str(server.requests[-1]["messages"])
    assert parts(home) == []


async def test_attachment_for_a_model_that_does_not_see(
    hass: HomeAssistant, server: ScriptedServer, hass_admin_user: User
) -> None:
    home = await seeing_home(hass, server, hass_admin_user, vision=False)
    server.say(words("I cannot see."))
    await say_with(home, ("cat.png", PICTURE, "image/png"))
    message = server.requests[-1]["messages"][-1]
    assert message["content"] == (
        "Look\n[cat.png: a picture, which this model cannot see]"
    )


@pytest.mark.parametrize("vision", [True, False])
async def test_snapshot_of_a_camera(
    hass: HomeAssistant, server: ScriptedServer, hass_admin_user: User, vision: bool
) -> None:
    """After the answers of all calls, labelled; or a text in its place."""
    home = await seeing_home(hass, server, hass_admin_user, vision=vision)
    assert await async_setup_component(hass, "camera", {"camera": {"platform": "demo"}})
    await hass.async_block_till_done()
    server.say(
        calls(
            ("camera_snapshot", {"entity_id": "camera.demo_camera"}),
            ("test__a", {"n": 1}),
        ),
        words("A house."),
    )
    assert await home.hear("What is outside?") == "A house."
    roles = [each["role"] for each in server.requests[-1]["messages"]]
    seen = ["user"] if vision else []
    assert roles == ["system", "user", "assistant", "tool", "tool", *seen]
    if vision:
        label, image = parts(home)
        assert label["text"].startswith("[call_0: ")
        assert image["image_url"]["url"].startswith("data:image/jpeg;base64,")
    else:
        assert "a picture, which this model cannot see" in home.answers()[0]


async def test_server_that_refuses_pictures(
    hass: HomeAssistant, server: ScriptedServer, hass_admin_user: User
) -> None:
    """The model is told that there is one, and the turn goes on."""
    home = await seeing_home(hass, server, hass_admin_user, vision=True)
    server.say(refusal(400, "image input is not supported"), words("I see nothing."))
    assert await say_with(home, ("cat.png", PICTURE, "image/png")) == "I see nothing."
    assert "which this model cannot see" in str(server.requests[-1]["messages"])
