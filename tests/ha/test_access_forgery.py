"""Whose yes counts, with Home Assistant's real parts: the phone's app, automations, scripts."""

from collections.abc import Mapping

from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Event, HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (  # type: ignore[import-untyped]
    MockConfigEntry,
    async_capture_events,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import Caller, Entrance, ToolCall
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools.access_rules import default_subentries

from .home import async_act, async_set_up

HALL = "input_boolean.hall"
TURN_ON = "input_boolean.turn_on"
BUTTON = "mobile_app_notification_action"
CALLS = {"calls": [{"tool": TURN_ON, "arguments": {"entity_id": HALL}}]}
PHONE = {
    "device_id": "phone",
    "app_id": "io.robbie.HomeAssistant",
    "app_name": "Home Assistant",
    "app_version": "1",
    "device_name": "Phone",
    "manufacturer": "m",
    "model": "m",
    "os_name": "o",
    "os_version": "1",
    "supports_encryption": False,
}


@pytest.fixture(name="requests")
async def requests_fixture(hass: HomeAssistant) -> list[Event]:
    """HomeAgent that asks before a switch is turned on; the requests it made."""
    entry = MockConfigEntry(
        domain="homeagent",
        unique_id="kernel",
        data={"kind": "kernel"},
        options={"ask_first": [TURN_ON]},
        minor_version=2,
        subentries_data=default_subentries("en"),
    )
    entry.add_to_hass(hass)
    await async_set_up(hass)
    events: list[Event] = async_capture_events(hass, "homeagent_request")
    return events


async def test_button_on_the_phone(
    hass: HomeAssistant,
    hass_admin_user: User,
    hass_client: ClientSessionGenerator,
    requests: list[Event],
) -> None:
    """The app's own event, through its webhook, with the phone's user."""
    assert await async_setup_component(hass, "mobile_app", {})
    client = await hass_client()
    made = await client.post("/api/mobile_app/registrations", json=PHONE)
    webhook = (await made.json())["webhook_id"]
    await async_act(hass, "call_tools", CALLS, user=hass_admin_user)
    pressed = {
        "event_type": BUTTON,
        "event_data": {"action": requests[0].data["yes_action"]},
    }
    sent = {"type": "fire_event", "data": pressed}
    assert (await client.post(f"/api/webhook/{webhook}", json=sent)).ok
    await hass.async_block_till_done()
    assert hass.states.is_state(HALL, "on")


YES: list[Mapping[str, object]] = [
    {"event": BUTTON, "event_data": {"action": "HOMEAGENT_YES_{{ wanted }}"}},
    {
        "action": "homeagent.answer_request",
        "data": {"request_id": "{{ wanted }}", "agree": True},
        "continue_on_error": True,
    },
]


async def test_automation_cannot_agree(
    hass: HomeAssistant, hass_admin_user: User, requests: list[Event]
) -> None:
    """It sees every request, and says yes to it in both ways, for nothing."""
    automation = {
        "alias": "Yes man",
        "triggers": {"trigger": "event", "event_type": "homeagent_request"},
        "variables": {"wanted": "{{ trigger.event.data.request_id }}"},
        "actions": YES,
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    ran = async_capture_events(hass, BUTTON)
    await async_act(hass, "call_tools", CALLS, user=hass_admin_user)
    await hass.async_block_till_done()
    assert len(ran) == 1, "the automation ran"
    assert hass.states.is_state(HALL, "off")
    assert hass.data[DATA_RUNTIME].requests.pending()


async def test_script_that_a_model_starts_cannot_agree(
    hass: HomeAssistant, hass_admin_user: User, requests: list[Event]
) -> None:
    """An exposed script with everything it needs, in an administrator's conversation."""
    script = {
        "yes": {"sequence": YES, "fields": {"wanted": {"selector": {"text": {}}}}}
    }
    assert await async_setup_component(hass, "script", {"script": script})
    async_expose_entity(hass, "conversation", "script.yes", True)
    async_expose_entity(hass, "conversation", HALL, True)
    runtime = hass.data[DATA_RUNTIME]
    await runtime.actions.async_prepare()
    talks = Caller(entrance=Entrance.CONVERSATION, user_id=hass_admin_user.id)
    turn_on = ToolCall(tool=TURN_ON, arguments={"entity_id": HALL})
    await runtime.call(talks, [turn_on])
    (request,) = runtime.requests.pending()
    ran = async_capture_events(hass, BUTTON)
    agree = ToolCall(tool="script.yes", arguments={"wanted": request.id})
    (started,) = (await runtime.call(talks, [agree])).results
    await hass.async_block_till_done()
    assert len(ran) == 1, started
    assert hass.states.is_state(HALL, "off")
    assert runtime.requests.pending() == (request,)
