"""What Home Assistant's logbook says of runs."""

from datetime import timedelta
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.components.recorder.common import (  # type: ignore[import-untyped]
    async_wait_recording_done,
)
from pytest_homeassistant_custom_component.typing import WebSocketGenerator  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import Entrance

from .home import async_act, async_set_up
from .sequence_home import PLAIN, async_make, async_press


@pytest.fixture(name="home", autouse=True)
async def home_fixture(
    recorder_mock: object, hass: HomeAssistant, hass_admin_user: User
) -> None:
    """A home with a sequence, a recorder and a logbook."""
    await async_set_up(hass)
    assert await async_setup_component(hass, "logbook", {})
    await async_make(hass, hass_admin_user, "Night", PLAIN)


async def _entries(
    hass: HomeAssistant, ws_client: WebSocketGenerator, **filters: object
) -> list[dict[str, Any]]:
    await async_wait_recording_done(hass)
    client = await ws_client(hass)
    start = dt_util.utcnow() - timedelta(hours=1)
    asked = {"type": "logbook/get_events", "start_time": start.isoformat(), **filters}
    await client.send_json_auto_id(asked)
    entries: list[dict[str, Any]] = (await client.receive_json())["result"]
    return entries


async def test_a_person(
    hass: HomeAssistant, hass_admin_user: User, hass_ws_client: WebSocketGenerator
) -> None:
    """The entry names the person; it stands with the button, too."""
    await async_press(hass, "button.night_run", hass_admin_user)
    entries = await _entries(
        hass, hass_ws_client, entity_ids=["button.night_run", "input_boolean.hall"]
    )
    (told,) = (each for each in entries if each.get("domain") == "homeagent")
    assert told["name"] == "Night"
    assert told["message"] == f"was started by {hass_admin_user.name}"
    assert told["entity_id"] == "button.night_run"
    (hall,) = (each for each in entries if each["entity_id"] == "input_boolean.hall")
    assert hall["context_user_id"] == hass_admin_user.id


async def test_an_automation(
    hass: HomeAssistant, hass_ws_client: WebSocketGenerator
) -> None:
    """It is told of as such, and the automation's own entry names it."""
    automation = {
        "alias": "Runner",
        "triggers": [{"trigger": "event", "event_type": "go"}],
        "actions": [{"action": "homeagent.run_night"}],
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    hass.bus.async_fire("go")
    await hass.async_block_till_done()
    entries = await _entries(hass, hass_ws_client)
    (told,) = (each for each in entries if each.get("domain") == "homeagent")
    assert told["message"] == "was started by an automation"
    assert told["context_name"] == "Runner"


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
async def test_every_way(
    hass: HomeAssistant, hass_ws_client: WebSocketGenerator, language: str
) -> None:
    """There are words for each way, also for one that nobody knows, in both languages."""
    hass.config.language = language
    for entrance in (*Entrance, "teleport", None):
        data = {"sequence": "Night", "entrance": entrance, "device_id": "gone"}
        hass.bus.async_fire("homeagent_run_started", data)
    entries = await _entries(hass, hass_ws_client)
    messages = [each["message"] for each in entries if "message" in each]
    assert len(messages) == len(Entrance) + 2
    for message in messages:
        chinese = any("\u4e00" <= char <= "\u9fff" for char in message)
        assert chinese is (language == "zh-Hans")
        assert "{" not in message


async def test_event_tells_no_arguments(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """It says who, not with what."""
    events: list[dict[str, Any]] = []
    hass.bus.async_listen(
        "homeagent_run_started",
        callback(lambda event: events.append(dict(event.data))),
    )
    context = Context(user_id=hass_admin_user.id)
    data = {"name": "Night", "args": {"secret": "hunter2"}}
    await async_act(hass, "seq_run", data, context=context)
    (event,) = events
    assert event["user_id"] == hass_admin_user.id
    assert "hunter2" not in str(event)
