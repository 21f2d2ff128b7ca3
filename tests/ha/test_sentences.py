"""Sentences of sequences, said to Home Assistant's built-in agent."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    issue_registry as ir,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.typing import WebSocketGenerator  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import Caller, Entrance
from custom_components.homeagent.runtime import DATA_RUNTIME
from custom_components.homeagent.tools import sentence_desk
from custom_components.homeagent.tools.sentence_callers import sentence_caller

from .home import async_set_up
from .sequence_home import PLAIN, ROOMS, async_make

WRONG = '{"tool":"wait","args":{"seconds":-1}} ;'
LEVEL = [{**PLAIN[0], "in": {"level": "number"}}]
WAIT = '{"tool":"wait","args":{"seconds":1}} ;'

pytestmark = pytest.mark.usefixtures("set_up")


@pytest.fixture(name="set_up")
async def set_up_fixture(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Set up a home with an agent, in which everything may be switched by voice."""
    await async_set_up(hass)
    await _add_hub(hass)
    assert await async_setup_component(hass, "conversation", {})
    for name in ("kitchen", "bedroom", "hall"):
        _expose(hass, f"input_boolean.{name}")


async def _add_hub(hass: HomeAssistant) -> None:
    flow = hass.config_entries.flow
    menu = await flow.async_init("homeagent", context={"source": "user"})
    form = await flow.async_configure(menu["flow_id"], {"next_step_id": "kernel"})
    await flow.async_configure(form["flow_id"], {})
    await hass.async_block_till_done()


def _expose(hass: HomeAssistant, entity_id: str) -> None:
    async_expose_entity(hass, "conversation", entity_id, True)


async def _teach(hass: HomeAssistant, entry: ConfigEntry, *sentences: str) -> None:
    options = {**entry.options, "sentences": list(sentences)}
    hass.config_entries.async_update_entry(entry, options=options)
    await hass.async_block_till_done()


async def _say(
    hass: HomeAssistant,
    text: str,
    *,
    user: User | None = None,
    language: str = "en",
    device_id: str | None = None,
) -> str:
    result = await conversation.async_converse(
        hass=hass,
        text=text,
        conversation_id=None,
        context=Context(user_id=None if user is None else user.id),
        language=language,
        device_id=device_id,
    )
    speech: Any = result.response.speech
    return str(speech["plain"]["speech"])


@pytest.mark.parametrize(
    ("sentence", "text", "language", "answer"),
    [
        ("good night", "Good night!", "en", "Night is done."),
        ("(good|nice) night [now]", "nice night", "en", "Night is done."),
        ("晚安", "晚安。", "zh-Hans", "Night已完成。"),
        ("晚安", "晚安", "zh-CN", "Night已完成。"),
        ("gute Nacht", "Gute Nacht", "de", "Night is done."),
    ],
)
async def test_sentence_runs(
    hass: HomeAssistant,
    hass_admin_user: User,
    sentence: str,
    text: str,
    language: str,
    answer: str,
) -> None:
    """What was said runs the sequence, and is answered in the speaker's language."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    await _teach(hass, entry, sentence)
    said = await _say(hass, text, user=hass_admin_user, language=language)
    assert said == answer
    assert hass.states.is_state("input_boolean.hall", "on")


@pytest.mark.parametrize("room", ["kitchen", "Kitchen", "KITCHÉN", "kitchen!"])
async def test_slot(hass: HomeAssistant, hass_admin_user: User, room: str) -> None:
    """A choice is found by case, accents and punctuation."""
    entry = await async_make(hass, hass_admin_user, "Light", ROOMS)
    await _teach(hass, entry, "make light in the {room}")
    said = await _say(hass, f"make light in the {room}", user=hass_admin_user)
    assert said == "Light is done."
    assert hass.states.is_state("input_boolean.kitchen", "on")


@pytest.mark.parametrize(
    ("language", "said", "number"),
    [
        ("en", "twenty-one", 21),
        ("en", "minus three percent", -3),
        ("en", "5 %", 5),
        ("zh-Hans", "三点五", 3.5),
        ("en", "half", None),
        ("en", "plenty", None),
    ],
)
async def test_number(
    hass: HomeAssistant,
    hass_admin_user: User,
    language: str,
    said: str,
    number: float | None,
) -> None:
    """A number may be words; what is none, or could be several, runs nothing."""
    entry = await async_make(hass, hass_admin_user, "Level", LEVEL)
    await _teach(hass, entry, "set the level to {level}")
    line = f"set the level to {said}"
    answer = await _say(hass, line, user=hass_admin_user, language=language)
    ran = [each["args"] for each in hass.data[DATA_RUNTIME].history.runs()]
    assert ran == ([] if number is None else [{"level": number}])
    if number is None:
        assert (
            answer == f"I did not understand {said} for level. It should be a number."
        )


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "I did not understand hall for room. You can say: kitchen, bedroom."),
        ("zh-Hans", "没有听懂room“hall”。可以说：kitchen、bedroom。"),
    ],
)
async def test_no_choice(
    hass: HomeAssistant, hass_admin_user: User, language: str, answer: str
) -> None:
    """What is no choice runs nothing, and is answered with the choices."""
    entry = await async_make(hass, hass_admin_user, "Light", ROOMS)
    await _teach(hass, entry, "make light in the {room}")
    text = "make light in the hall"
    assert await _say(hass, text, user=hass_admin_user, language=language) == answer
    assert hass.states.is_state("input_boolean.hall", "off")


async def test_failure_is_said(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Nobody is told success."""
    groups = [*PLAIN, {"name": "then", "tools": WRONG}]
    entry = await async_make(hass, hass_admin_user, "Night", groups)
    await _teach(hass, entry, "good night")
    said = await _say(hass, "good night", user=hass_admin_user)
    assert said == "Night has failed: wait: a value is not accepted."
    assert hass.states.is_state("input_boolean.hall", "on")


async def test_unexposed_steps_are_refused(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Each step needs the rights of who spoke, an administrator's conversation too."""
    porch = [{"name": "g", "tools": PLAIN[0]["tools"].replace("hall", "porch")}]
    entry = await async_make(hass, hass_admin_user, "Porch", porch)
    await _teach(hass, entry, "light the porch")
    said = await _say(hass, "light the porch", user=hass_admin_user)
    assert said.startswith("I could not run Porch: I may not do a part of it for you.")
    assert said.endswith("under Settings, Devices & services, HomeAgent, access rules.")
    assert hass.states.is_state("input_boolean.porch", "off")


async def test_voice_device(hass: HomeAssistant, hass_admin_user: User) -> None:
    """A device that spoke may run what has sentences; nobody at all may not."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    await _teach(hass, entry, "good night")
    said = await _say(hass, "good night")
    assert said.startswith("I may not run Night for you. An administrator can change")
    assert hass.states.is_state("input_boolean.hall", "off")
    area = ar.async_get(hass).async_create("Hall")
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("homeagent", "satellite")}
    )
    dr.async_get(hass).async_update_device(device.id, area_id=area.id)
    assert await _say(hass, "good night", device_id=device.id) == "Night is done."
    assert hass.states.is_state("input_boolean.hall", "on")


async def test_automation_adds_no_rights(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """Who lets an automation talk to Assist gets what Assist may do, and no more."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    await _teach(hass, entry, "good night")
    said: list[str] = []
    hass.bus.async_listen("said", lambda event: said.append(event.data["text"]))
    automation = {
        "alias": "Talker",
        "triggers": [{"trigger": "event", "event_type": "go"}],
        "actions": [
            {
                "action": "conversation.process",
                "data": {"text": "good night"},
                "response_variable": "talk",
            },
            {
                "event": "said",
                "event_data": {"text": "{{ talk.response.speech.plain.speech }}"},
            },
        ],
    }
    assert await async_setup_component(hass, "automation", {"automation": automation})
    hass.bus.async_fire("go")
    await hass.async_block_till_done()
    assert [text[:28] for text in said] == ["I may not run Night for you."]
    assert hass.states.is_state("input_boolean.hall", "off")


@pytest.mark.parametrize(
    ("known", "entrance"),
    [
        (Entrance.DIRECT, Entrance.SENTENCE),
        (Entrance.AUTOMATION, Entrance.SENTENCE),
        (Entrance.UNKNOWN, Entrance.SENTENCE),
        (Entrance.CONVERSATION, Entrance.CONVERSATION),
        (Entrance.MCP, Entrance.MCP),
        (Entrance.SENTENCE, Entrance.SENTENCE),
    ],
)
def test_who_comes_in_again(
    hass: HomeAssistant, known: Entrance, entrance: Entrance
) -> None:
    """A call of ours that says a sentence keeps its caller, with no wider rights."""
    callers = hass.data[DATA_RUNTIME].callers
    context = callers.new_context(Caller(entrance=known, user_id="u", device_id="d"))
    caller = sentence_caller(hass, callers, _input(context, device_id="other"))
    assert (caller.entrance, caller.user_id, caller.device_id) == (entrance, "u", "d")


def _input(context: Context, device_id: str | None) -> conversation.ConversationInput:
    return conversation.ConversationInput(
        text="good night",
        context=context,
        conversation_id=None,
        device_id=device_id,
        satellite_id=None,
        language="en",
        agent_id="conversation.home_assistant",
    )


async def test_more_words_win(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Where two sequences match, the one with more words of its own runs, alone."""
    wide = await async_make(hass, hass_admin_user, "Wide", ROOMS)
    narrow = await async_make(hass, hass_admin_user, "Narrow", PLAIN)
    await _teach(hass, wide, "run {room}")
    await _teach(hass, narrow, "run kitchen")
    said = await _say(hass, "run kitchen", user=hass_admin_user)
    assert said == "Narrow is done."
    assert hass.states.is_state("input_boolean.kitchen", "off")


async def test_nobody_could_tell(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Two that match alike are both named, and none runs."""
    for name in ("One", "Two"):
        entry = await async_make(hass, hass_admin_user, name, PLAIN)
        await _teach(hass, entry, "good night")
    said = await _say(hass, "good night", user=hass_admin_user)
    assert said == "That could mean One, Two. Please say it in another way."
    assert hass.states.is_state("input_boolean.hall", "off")


async def test_long_run(
    hass: HomeAssistant, hass_admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while the answer is that it has started; it goes on to its end."""
    monkeypatch.setattr(sentence_desk, "PATIENCE", 0.01)
    slow = [{"name": "first", "tools": WAIT}, *PLAIN]
    entry = await async_make(hass, hass_admin_user, "Slow", slow)
    await _teach(hass, entry, "be slow")
    said = await _say(hass, "be slow", user=hass_admin_user)
    assert said == "Slow has started and takes a while."
    assert hass.states.is_state("input_boolean.hall", "off")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert hass.states.is_state("input_boolean.hall", "on")


async def test_values_are_said(hass: HomeAssistant, hass_admin_user: User) -> None:
    """What a run found out is part of the answer."""
    look = '{"tool":"get_state","args":{"entity_id":"input_boolean.hall"},"as":"hall","select":"state"} ;'
    groups = [{"name": "g", "out": {"hall": "string"}, "tools": look}]
    entry = await async_make(hass, hass_admin_user, "Look", groups)
    await _teach(hass, entry, "look around")
    said = await _say(hass, "look around", user=hass_admin_user)
    assert said == "Look is done: hall: off."


async def test_bug_is_caught(
    hass: HomeAssistant, hass_admin_user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception does not end the turn."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    await _teach(hass, entry, "good night")
    monkeypatch.delattr(sentence_desk, "read_slots")
    said = await _say(hass, "good night", user=hass_admin_user)
    assert said.startswith("Something went wrong inside HomeAgent")


async def test_through_a_pipeline(
    hass: HomeAssistant, hass_admin_user: User, hass_ws_client: WebSocketGenerator
) -> None:
    """Text said to a voice assistant finds it before any model does."""
    assert await async_setup_component(hass, "assist_pipeline", {})
    entry = await async_make(hass, hass_admin_user, "Light", ROOMS)
    await _teach(hass, entry, "make light in the {room}")
    client = await hass_ws_client(hass)
    await client.send_json_auto_id(
        {
            "type": "assist_pipeline/run",
            "start_stage": "intent",
            "end_stage": "intent",
            "input": {"text": "Make light in the bedroom."},
        }
    )
    answer = None
    while answer is None:
        message = await client.receive_json()
        event = message.get("event", {})
        if event.get("type") == "intent-end":
            answer = event["data"]["intent_output"]["response"]["speech"]
    assert answer["plain"]["speech"] == "Light is done."
    assert hass.states.is_state("input_boolean.bedroom", "on")


async def test_sentence_that_does_not_fit_any_more(
    hass: HomeAssistant, hass_admin_user: User
) -> None:
    """It is not listened to, and an issue names it until it is mended."""
    entry = await async_make(hass, hass_admin_user, "Light", ROOMS)
    await _teach(hass, entry, "make light in the {room}")
    await async_make(hass, hass_admin_user, "Light", PLAIN, replace=True)
    issue = ir.async_get(hass).async_get_issue(
        "homeagent", f"broken_sentences_{entry.entry_id}"
    )
    assert issue is not None
    assert issue.translation_placeholders is not None
    assert "room" in issue.translation_placeholders["problems"]
    text = "make light in the kitchen"
    assert "done" not in await _say(hass, text, user=hass_admin_user)
    await _teach(hass, entry, "make light")
    assert await _say(hass, "make light", user=hass_admin_user) == "Light is done."
    assert not [each for each in ir.async_get(hass).issues if "broken" in each[1]]


async def test_removed(hass: HomeAssistant, hass_admin_user: User) -> None:
    """Nobody listens for a sequence that is gone, or for sentences taken out."""
    entry = await async_make(hass, hass_admin_user, "Night", PLAIN)
    await _teach(hass, entry, "good night")
    await _teach(hass, entry)
    assert "done" not in await _say(hass, "good night", user=hass_admin_user)
    await _teach(hass, entry, "good night")
    await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    assert "done" not in await _say(hass, "good night", user=hass_admin_user)
