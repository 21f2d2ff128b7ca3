"""The blueprints: each imported by its address, instantiated, and run."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
import json
from pathlib import Path
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Context, Event, EventStateChangedData, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.typing import (  # type: ignore[import-untyped]
    ClientSessionGenerator,
    WebSocketGenerator,
)

from .home import async_set_up
from .sequence_home import ROOMS, async_make

BLUEPRINTS = Path(__file__).resolve().parents[2] / "blueprints"
FILES = sorted(BLUEPRINTS.glob("*/homeagent/*.yaml"))
BUTTON = "button.rooms_run"
DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

type Bring = Callable[[str], Awaitable[dict[str, Any]]]
type Notes = Callable[[], Awaitable[list[tuple[str, str]]]]


pytestmark = pytest.mark.own_folder


@pytest.fixture(name="bring")
async def bring_fixture(
    hass: HomeAssistant,
    hass_admin_user: User,
    hass_ws_client: WebSocketGenerator,
    aioclient_mock: AiohttpClientMocker,
) -> AsyncGenerator[Bring]:
    """A home with a sequence, and the way a person imports a blueprint."""
    await async_set_up(hass)
    await async_make(hass, hass_admin_user, "Rooms", ROOMS)
    await async_setup_component(hass, "blueprint", {})
    for domain in ("automation", "script", "mobile_app", "notify"):
        assert await async_setup_component(hass, domain, {})
    client = await hass_ws_client(hass)

    async def bring(name: str) -> dict[str, Any]:
        (file,) = (each for each in FILES if each.stem == name)
        domain = file.parts[-3]
        below = f"blueprints/{domain}/homeagent/{file.name}"
        raw = f"https://raw.githubusercontent.com/homeagent/homeagent/main/{below}"
        text = await hass.async_add_executor_job(file.read_text, "utf-8")
        aioclient_mock.get(raw, text=text)
        url = f"https://github.com/homeagent/homeagent/blob/main/{below}"
        await client.send_json_auto_id({"type": "blueprint/import", "url": url})
        imported = (await client.receive_json())["result"]
        assert imported["validation_errors"] is None
        assert imported["suggested_filename"] == f"homeagent/{name}"
        await client.send_json_auto_id(
            {
                "type": "blueprint/save",
                "domain": domain,
                "path": imported["suggested_filename"],
                "yaml": imported["raw_data"],
                "source_url": url,
            }
        )
        assert (await client.receive_json())["success"]
        metadata: dict[str, Any] = imported["blueprint"]["metadata"]
        assert metadata["source_url"] == url
        return metadata

    yield bring
    # A time that an automation waits for would outlive the test.
    everything = {"entity_id": "all"}
    await hass.services.async_call("automation", "turn_off", everything, blocking=True)


async def _configure(hass: HomeAssistant, domain: str, config: object) -> None:
    path = Path(hass.config.path("configuration.yaml"))
    text = json.dumps({domain: config})
    await hass.async_add_executor_job(path.write_text, text, "utf-8")
    await hass.services.async_call(domain, "reload", blocking=True)
    await hass.async_block_till_done()


async def _automate(hass: HomeAssistant, name: str, **inputs: object) -> None:
    use = {
        "path": f"homeagent/{name}.yaml",
        "input": {"sequence": BUTTON, **inputs},
    }
    await _configure(hass, "automation", {"alias": "Made", "use_blueprint": use})
    assert hass.states.is_state("automation.made", "on")


async def _at_three(hass: HomeAssistant) -> None:
    now = dt_util.now()
    three = now.replace(hour=3, minute=0, second=0, microsecond=0) + timedelta(days=1)
    async_fire_time_changed(hass, three + timedelta(seconds=1))
    await hass.async_block_till_done()


@pytest.fixture(name="notes")
async def notes_fixture(
    hass: HomeAssistant, bring: Bring, hass_ws_client: WebSocketGenerator
) -> Notes:
    """What a person is told of in Home Assistant."""

    async def notes() -> list[tuple[str, str]]:
        client = await hass_ws_client(hass)
        await client.send_json_auto_id({"type": "persistent_notification/get"})
        told = (await client.receive_json())["result"]
        return [(note["title"], note["message"]) for note in told]

    return notes


SEND = [{"event": "sent", "event_data": {"text": "{{ title }} / {{ message }}"}}]


def _sent(hass: HomeAssistant) -> list[str]:
    sent: list[str] = []
    hass.bus.async_listen("sent", lambda event: sent.append(event.data["text"]))
    return sent


def test_all_are_tried() -> None:
    """No blueprint is without a test."""
    assert [each.stem for each in FILES] == [
        "nas_inspection",
        "run_on_event",
        "run_on_schedule",
        "ask_before_running",
    ]


@pytest.mark.parametrize(("room", "status"), [("kitchen", None), ("attic", "failed")])
async def test_schedule(
    hass: HomeAssistant, bring: Bring, notes: Notes, room: str, status: str | None
) -> None:
    """It runs at its time; only a failure is told."""
    await bring("run_on_schedule")
    sent = _sent(hass)
    inputs = {"at": "03:00:00", "args": {"room": room}, "on_failure": SEND}
    await _automate(hass, "run_on_schedule", **inputs)
    assert hass.states.is_state("input_boolean.kitchen", "off")
    await _at_three(hass)
    done = "on" if status is None else "off"
    assert hass.states.is_state("input_boolean.kitchen", done)
    told = await notes()
    assert [title for title, _ in told] == ([f"Rooms: {status}"] if status else [])
    assert [f"{title} / {message}" for title, message in told] == sent


async def test_schedule_on_other_days(
    hass: HomeAssistant, bring: Bring, notes: Notes
) -> None:
    """It does not run on a day that was not chosen."""
    await bring("run_on_schedule")
    # The condition reads the real clock; midnight may come in between.
    today = dt_util.now().weekday()
    days = [day for day in DAYS if day not in (DAYS[today], DAYS[(today + 1) % 7])]
    inputs = {"at": "03:00:00", "args": {"room": "kitchen"}, "days": days}
    await _automate(hass, "run_on_schedule", **inputs)
    await _at_three(hass)
    assert hass.states.is_state("input_boolean.kitchen", "off")


async def _begin(hass: HomeAssistant) -> None:
    hass.bus.async_fire("begin")
    await hass.async_block_till_done()


EVENT = [{"trigger": "event", "event_type": "begin"}]


async def test_event_with_success(
    hass: HomeAssistant, bring: Bring, notes: Notes
) -> None:
    """One attempt is enough, and nothing is told."""
    await bring("run_on_event")
    runs = _runs(hass)
    inputs = {"triggers": EVENT, "args": {"room": "kitchen"}}
    await _automate(hass, "run_on_event", **inputs)
    await _begin(hass)
    assert runs == ["ok"]
    assert await notes() == []


def _runs(hass: HomeAssistant) -> list[str]:
    """Follow how the runs of the sequence end."""
    runs: list[str] = []

    def ended(event: Event[EventStateChangedData]) -> None:
        state = event.data["new_state"]
        if state is not None and state.entity_id == "event.rooms_run_finished":
            runs.append(state.attributes.get("status", state.state))

    hass.bus.async_listen("state_changed", ended)
    return runs


async def test_event_with_failure(
    hass: HomeAssistant, bring: Bring, notes: Notes
) -> None:
    """It is tried as often as was said, and then told."""
    await bring("run_on_event")
    sent = _sent(hass)
    runs = _runs(hass)
    inputs = {
        "triggers": EVENT,
        "args": {"room": "attic"},
        "retries": 2,
        "pause": {"milliseconds": 1},
        "on_failure": SEND,
    }
    await _automate(hass, "run_on_event", **inputs)
    await _begin(hass)
    assert runs == ["failed"] * 3
    ((title, message),) = await notes()
    assert title == "Rooms: failed 3 times"
    assert sent == [f"{title} / {message}"]
    assert "attic" in message


LOOK = [
    {
        "name": "disks",
        "out": {"state": "string", "hall": "string"},
        "tools": [
            {
                "tool": "get_state",
                "args": {"entity_id": "input_boolean.kitchen"},
                "as": "state",
                "select": "state",
            },
            {
                "tool": "get_state",
                "args": {"entity_id": "input_boolean.hall"},
                "as": "hall",
                "select": "state",
            },
        ],
    }
]


async def test_inspection(
    hass: HomeAssistant, hass_admin_user: User, bring: Bring, notes: Notes
) -> None:
    """The report comes each night, with what was found out."""
    await bring("nas_inspection")
    sent = _sent(hass)
    await async_make(hass, hass_admin_user, "Rooms", LOOK, replace=True)
    await _automate(hass, "nas_inspection", send=SEND)
    await _at_three(hass)
    ((title, message),) = await notes()
    assert title == "Rooms: done"
    assert message.split() == "**disks** - state: off - hall: off".split()
    assert sent == [f"{title} / {message}"]


async def test_inspection_that_fails(
    hass: HomeAssistant, bring: Bring, notes: Notes
) -> None:
    """Then the report says what is amiss."""
    await bring("nas_inspection")
    await _automate(hass, "nas_inspection", args={"room": "attic"}, at="03:00:00")
    await _at_three(hass)
    ((title, message),) = await notes()
    assert title == "Rooms: failed"
    assert "attic" in message


@pytest.fixture(name="phone")
async def phone_fixture(
    hass: HomeAssistant, bring: Bring, hass_client: ClientSessionGenerator
) -> dict[str, Any]:
    """A phone with the app: its device, its webhook, and what it was sent."""
    client = await hass_client()
    answer = await client.post(
        "/api/mobile_app/registrations",
        json={
            "app_id": "app",
            "app_name": "App",
            "app_version": "1",
            "device_id": "phone",
            "device_name": "Phone",
            "manufacturer": "m",
            "model": "m",
            "os_name": "o",
            "os_version": "1",
            "supports_encryption": False,
            "app_data": {"push_websocket_channel": True},
        },
    )
    registration: dict[str, Any] = await answer.json()
    await hass.async_block_till_done()
    (entry,) = hass.config_entries.async_entries("mobile_app")
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    return {"device": device.id, "webhook": registration["webhook_id"]}


@pytest.mark.parametrize(
    ("answer", "status"), [(0, "ok"), (1, "declined"), (None, "unanswered")]
)
async def test_asking(
    hass: HomeAssistant,
    hass_admin_user: User,
    bring: Bring,
    phone: dict[str, Any],
    hass_ws_client: WebSocketGenerator,
    answer: int | None,
    status: str,
) -> None:
    """Only a yes on the phone runs the sequence."""
    await bring("ask_before_running")
    use = {
        "path": "homeagent/ask_before_running.yaml",
        "input": {
            "sequence": BUTTON,
            "phone": phone["device"],
            "args": {"room": "kitchen"},
            "patience": {"milliseconds": 50} if answer is None else {"minutes": 5},
        },
    }
    await _configure(hass, "script", {"ask": {"use_blueprint": use}})
    client = await hass_ws_client(hass)
    channel = {
        "type": "mobile_app/push_notification_channel",
        "webhook_id": phone["webhook"],
    }
    await client.send_json_auto_id(channel)
    assert (await client.receive_json())["success"]
    asked = hass.async_create_task(
        hass.services.async_call(
            "script",
            "ask",
            blocking=True,
            return_response=True,
            context=Context(user_id=hass_admin_user.id),
        )
    )
    question = (await client.receive_json())["event"]
    assert question["message"] == "May Rooms run?"
    assert hass.states.is_state("input_boolean.kitchen", "off")
    if answer is not None:
        action = question["data"]["actions"][answer]["action"]
        hass.bus.async_fire("mobile_app_notification_action", {"action": action})
    response = await asked
    assert response is not None
    assert response["status"] == status
    done = "on" if status == "ok" else "off"
    assert hass.states.is_state("input_boolean.kitchen", done)
