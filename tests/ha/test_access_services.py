"""A person's answer to a request, and the explanation of who may do what."""

from collections.abc import Mapping
from typing import Any

from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import SOURCE_USER, ConfigEntry
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.helpers import area_registry as ar, device_registry as dr
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_capture_events  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import Caller, Entrance, ToolCall
from custom_components.homeagent.runtime import DATA_RUNTIME

from .home import async_act, async_set_up
from .test_metadata import ENGLISH

HALL = "input_boolean.hall"
TURN_ON = "input_boolean.turn_on"
CALLS = {"calls": [{"tool": TURN_ON, "arguments": {"entity_id": HALL}}]}
BUTTON = "mobile_app_notification_action"
PEOPLE = ("owner", "own", "other")


@pytest.fixture(name="users")
async def users_fixture(hass: HomeAssistant, hass_admin_user: User) -> dict[str, User]:
    """An administrator, the child who asks, and another one."""
    groups = [await hass.auth.async_get_group("system-users")]
    users = {"owner": hass_admin_user}
    for name in ("own", "other"):
        mock = MockUser(name=name, groups=groups)
        users[name] = mock.add_to_hass(hass)
    return users


@pytest.fixture(name="entry")
async def entry_fixture(hass: HomeAssistant, users: dict[str, User]) -> ConfigEntry:
    """HomeAgent with its default rules, and one action that is asked for."""
    await async_set_up(hass)
    flow = await hass.config_entries.flow.async_init(
        "homeagent", context={"source": SOURCE_USER}
    )
    for answer in ({"next_step_id": "kernel"}, {}):
        await hass.config_entries.flow.async_configure(flow["flow_id"], answer)
    (entry,) = hass.config_entries.async_entries("homeagent")
    options = {"ask_first": [TURN_ON]}
    hass.config_entries.async_update_entry(entry, options=options)
    await hass.async_block_till_done()
    return entry


async def _request(hass: HomeAssistant, user: User) -> dict[str, Any]:
    """Have a user make the call that waits; return the event's data."""
    events: list[Event] = async_capture_events(hass, "homeagent_request")
    done = await async_act(hass, "call_tools", CALLS, user=user)
    assert done["results"][0]["error"]["reason"] == "unconfirmed"
    await hass.async_block_till_done()
    return dict(events[-1].data)


def _by(hass: HomeAssistant, way: str, users: dict[str, User]) -> Context:
    """Return the context that comes in by a way, always with a login where it may."""
    if way in users:
        return Context(user_id=users[way].id)
    if way == "nobody":
        return Context()
    context = Context(user_id=users["owner"].id)
    if way == "automation":
        data = {"entity_id": "automation.a"}
        hass.bus.async_fire("automation_triggered", data, context=context)
        return context
    caller = Caller(entrance=Entrance(way), user_id=users["owner"].id)
    return hass.data[DATA_RUNTIME].callers.new_context(caller)


WAYS = [
    ("own", "released"),
    ("owner", "released"),
    ("other", "no such request"),
    ("nobody", "signed-in person"),
    ("automation", "signed-in person"),
    ("conversation", "signed-in person"),
    ("mcp", "signed-in person"),
    ("sentence", "signed-in person"),
]


@pytest.mark.parametrize(("way", "says"), WAYS)
async def test_whose_yes_counts(
    hass: HomeAssistant,
    users: dict[str, User],
    entry: ConfigEntry,
    way: str,
    says: str,
) -> None:
    """The action answers people who act directly; nobody else's yes releases anything."""
    waiting = await _request(hass, users["own"])
    context = _by(hass, way, users)
    data = {"request_id": waiting["request_id"], "agree": True}
    told = await async_act(hass, "answer_request", data, context=context)
    released = says == "released"
    assert says in str(told)
    assert hass.states.is_state(HALL, "on" if released else "off")
    assert bool(hass.data[DATA_RUNTIME].requests.pending()) != released


@pytest.mark.parametrize(("way", "says"), WAYS)
async def test_button_of_a_notification(
    hass: HomeAssistant,
    users: dict[str, User],
    entry: ConfigEntry,
    way: str,
    says: str,
) -> None:
    """It counts as the user of the phone, whose context the event has."""
    waiting = await _request(hass, users["own"])
    context = _by(hass, way, users)
    data = {"action": waiting["yes_action"]}
    hass.bus.async_fire(BUTTON, data, context=context)
    await hass.async_block_till_done()
    assert hass.states.is_state(HALL, "on" if says == "released" else "off")


async def test_no_ends_it(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """A declined request can be agreed to by nobody any more."""
    waiting = await _request(hass, users["own"])
    context = Context(user_id=users["own"].id)
    for action in ("", "HOMEAGENT_YES_", 5, waiting["no_action"]):
        hass.bus.async_fire(BUTTON, {"action": action}, context=context)
    await hass.async_block_till_done()
    data = {"request_id": waiting["request_id"], "agree": True}
    told = await async_act(hass, "answer_request", data, context=context)
    assert "not waiting any more" in told["text"]
    assert hass.states.is_state(HALL, "off")


async def test_event_tells_no_arguments(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """What is asked, on what, by whom, and the buttons; nothing that could be secret."""
    calls: Any = {"calls": [{"tool": TURN_ON, "arguments": {"entity_id": HALL}}]}
    calls["calls"][0]["arguments"]["secret"] = "hunter2"
    events: list[Event] = async_capture_events(hass, "homeagent_request")
    await async_act(hass, "call_tools", calls, user=users["own"])
    waiting = await _request(hass, users["own"])
    assert (waiting["tool"], waiting["user_id"]) == (TURN_ON, users["own"].id)
    assert (waiting["entities"], waiting["entity_count"]) == ([HALL], 1)
    assert "hunter2" not in str([each.data for each in events])


async def test_asking_outlives_the_entry(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """Like the rules it counts while the entry is enabled, loaded or not."""
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert (await _request(hass, users["own"]))["tool"] == TURN_ON


@pytest.mark.parametrize("by", ["own", "owner"])
async def test_result_is_for_whom_it_concerns(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry, by: str
) -> None:
    """Whoever asked, and administrators, learn what came of it."""
    waiting = await _request(hass, users["own"])
    data = {"request_id": waiting["request_id"], "agree": True}
    told = await async_act(hass, "answer_request", data, user=users[by])
    assert told["success"] is True
    assert told["result"]["tool"] == TURN_ON


async def test_someone_else_for_a_voice_device_learns_no_values(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """A signed-in person may agree for a voice device, and sees whether it worked."""
    runtime = hass.data[DATA_RUNTIME]
    spoken = Caller(entrance=Entrance.CONVERSATION, device_id="satellite")
    async_expose_entity(hass, "conversation", HALL, True)
    await runtime.call(spoken, [ToolCall(tool=TURN_ON, arguments={"entity_id": HALL})])
    (request,) = runtime.requests.pending()
    data = {"request_id": request.id, "agree": True}
    told = await async_act(hass, "answer_request", data, user=users["other"])
    assert told == {"end": "released", "tool": TURN_ON, "success": True}
    assert hass.states.is_state(HALL, "on")


async def test_failure_raises_without_response(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """As with every action of HomeAgent."""
    data = {"request_id": "x", "agree": True}
    with pytest.raises(ServiceValidationError, match="not waiting any more"):
        await hass.services.async_call(
            "homeagent",
            "answer_request",
            data,
            blocking=True,
            context=Context(user_id=users["own"].id),
        )


EXPLAIN = {"entrance": "conversation", "tool": TURN_ON}


@pytest.mark.parametrize("way", [way for way, _ in WAYS if way != "owner"])
async def test_only_administrators_are_explained_to(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry, way: str
) -> None:
    """An administrator's name does not help where they do not act themselves."""
    context = _by(hass, way, users)
    with pytest.raises(Unauthorized):
        await async_act(hass, "explain_access", EXPLAIN, context=context)


@pytest.mark.parametrize(
    ("question", "verdict", "says"),
    [
        ({"entrance": "direct", "user": "OWN"}, "ask", "own may use"),
        ({"entrance": "direct", "user": "own", "tool": "input_boolean.turn_off",
          "target": {"entity_id": HALL}}, "allow", "Everyone who is signed in may"),
        ({"user": "own"}, "refuse", "own may not use"),
        ({"user": "own", "target": {"entity_id": HALL}}, "refuse", "no rule grants it"),
        ({"entrance": "automation"}, "allow", "Automations may do everything"),
        ({"entrance": "unknown"}, "refuse", "Whatever acts by itself may not use"),
        ({"entrance": "conversation", "user": "own", "tool": "seq_delete"},
         "refuse", "own may not use seq_delete"),
        ({"entrance": "mcp", "user": "Mock User", "tool": "homeagent.seq_create",
          "arguments": {"name": "N", "groups": []}}, "allow", "drafts of sequences"),
    ],
)  # fmt: skip
async def test_explanation(
    hass: HomeAssistant,
    users: dict[str, User],
    entry: ConfigEntry,
    question: dict[str, Any],
    verdict: str,
    says: str,
) -> None:
    """A sentence that says whether, the rule that says so, and the data."""
    asked = EXPLAIN | question
    told = await async_act(hass, "explain_access", asked, user=users["owner"])
    assert told.get("verdict") == verdict, told
    assert says in told["text"]


async def test_granting_rule_is_named(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """By its id in the data, by its sentence in the text, in Home Assistant's language."""
    hass.config.language = "zh-Hans"
    question = {
        "entrance": "direct",
        "user": users["own"].id,
        "tool": "input_boolean.turn_off",
        "target": {"entity_id": [HALL]},
    }
    told = await async_act(hass, "explain_access", question, user=users["owner"])
    (thing,) = told["things"]
    rule = entry.subentries[thing["rule"]]
    assert rule.data["key"] == "people_directly"
    assert (
        "own亲自操作时可以使用 input_boolean.turn_off（针对这些目标和输入）"
        in told["text"]
    )
    assert rule.title.rstrip(".") in told["text"]


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ({"user": "nobody"}, "user"),
        ({"voice_device": "nothing"}, "device"),
        ({"tool": "input_boolean.turn_onn"}, "tool"),
        ({"arguments": {"nonsense": 1}}, "nonsense"),
    ],
)
async def test_question_that_cannot_be_answered(
    hass: HomeAssistant,
    users: dict[str, User],
    entry: ConfigEntry,
    question: dict[str, Any],
    field: str,
) -> None:
    """It says what cannot be found, and what was perhaps meant."""
    asked = EXPLAIN | question
    told = await async_act(hass, "explain_access", asked, user=users["owner"])
    assert told["success"] is False
    assert told["error"]["field"] == field
    assert told["error"]["hint"]


async def _steps(
    hass: HomeAssistant, entry: ConfigEntry, *answers: dict[str, Any]
) -> Mapping[str, Any]:
    """Open the options of the HomeAgent entry and answer one after the other."""
    flows = hass.config_entries.options
    result: Mapping[str, Any] = await flows.async_init(entry.entry_id)
    for answer in ({"next_step_id": "kernel_explain"}, *answers):
        result = await flows.async_configure(result["flow_id"], answer)
    return result


async def test_explanation_in_the_ui(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """The answer is a menu from which to ask again, in plain text."""
    hass.states.async_set(HALL, "off", {"friendly_name": "<b>Hall</b>"})
    asked = {
        "user": users["own"].id,
        "entrance": "direct",
        "tool": "input_boolean.turn_off",
        "target": {"entity_id": [HALL]},
    }
    told = await _steps(hass, entry, asked)
    assert (told["step_id"], told["menu_options"]) == (
        "kernel_explained",
        ["kernel_explain", "kernel"],
    )
    answer = told["description_placeholders"]["answer"]
    assert answer.startswith("**own may use input\\_boolean\\.turn\\_off directly")
    assert "Everyone who is signed in may" in answer
    assert "<b>" not in answer
    again: Mapping[str, Any] = await hass.config_entries.options.async_configure(
        told["flow_id"], {"next_step_id": "kernel_explain"}
    )
    shown = {
        str(key): key.description["suggested_value"]
        for key in again["data_schema"].schema
        if key.description
    }
    assert shown == asked


@pytest.mark.parametrize(
    ("question", "place", "code"),
    [
        ({"tool": "input_boolean.turn_onn"}, "tool", "tool_similar"),
        ({"tool": "qqqqqqqqqq"}, "tool", "tool_unknown"),
        ({"voice_device": "nothing"}, "voice_device", "voice_device_gone"),
        ({"arguments": {"nonsense": 1}}, "base", "cannot_explain"),
        ({"arguments": {1: 2}}, "base", "cannot_explain"),
        ({"arguments": [1]}, "base", "cannot_explain"),
        ({"arguments": "text"}, "base", "cannot_explain"),
    ],
)
async def test_question_in_the_ui_that_cannot_be_answered(
    hass: HomeAssistant,
    users: dict[str, User],
    entry: ConfigEntry,
    question: dict[str, Any],
    place: str,
    code: str,
) -> None:
    """The form comes back with the reason at its field, in the person's language."""
    told = await _steps(hass, entry, EXPLAIN | question)
    assert told["step_id"] == "kernel_explain"
    assert told["errors"] == {place: code}
    text, about = ENGLISH[f"options.error.{code}"], told["description_placeholders"]
    assert text.format_map(about)
    assert all(about.values())


async def test_person_who_was_deleted_meanwhile(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """The form was open, and offers somebody who is gone."""
    form = await _steps(hass, entry)
    gone = users["other"]
    await hass.auth.async_remove_user(gone)
    told = await hass.config_entries.options.async_configure(
        form["flow_id"], {"user": gone.id, "entrance": "direct", "tool": TURN_ON}
    )
    assert told["errors"] == {"user": "person_gone"}


async def test_voice_device_is_explained(
    hass: HomeAssistant, users: dict[str, User], entry: ConfigEntry
) -> None:
    """What a tool stands for is explained, of somebody who speaks in a room."""
    devices = dr.async_get(hass)
    area = ar.async_get(hass).async_create("Kitchen")
    device = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}, name="Echo"
    )
    devices.async_update_device(device.id, area_id=area.id)
    asked = {
        "entrance": "sentence",
        "voice_device": device.id,
        "tool": "tool_call",
        "arguments": {"tool": TURN_ON, "arguments": {"entity_id": HALL}},
    }
    told = await _steps(hass, entry, asked)
    answer = told["description_placeholders"]["answer"]
    assert "Echo" in answer
    assert "input\\_boolean\\.turn\\_on" in answer
