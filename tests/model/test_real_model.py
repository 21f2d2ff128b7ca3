"""A real small model, through the voice pipeline: it runs a sequence.

The model is so small that it is often wrong: of several tools it tends to take the last
one. How often it is right with the default set is printed, and no target.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from homeassistant.auth.models import User
from homeassistant.components import demo
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.typing import WebSocketGenerator  # type: ignore[import-untyped]

from custom_components.homeagent.const import (
    CONF_KIND,
    CONF_TOOLS_ADDED,
    CONF_TOOLS_OFF,
    DOMAIN,
    KERNEL_UNIQUE_ID,
    KIND_KERNEL,
)
from custom_components.homeagent.tools.default_set import DEFAULT_SET
from tests.ha.agent.agent_home import EVERYTHING, agent, rule
from tests.ha.home import async_set_up
from tests.ha.sequence_home import PLAIN, async_make

from .model_server import CONTEXT

LAMP = "light.kitchen_lights"
SEQUENCE = "Evening check"
LAMP_TOOL = "script.turn_on_light"
SCRIPT: Mapping[str, object] = {
    "turn_on_light": {
        "description": "Turn on a light",
        "fields": {
            "entity_id": {
                "required": True,
                "selector": {"select": {"options": [LAMP]}},
            }
        },
        "sequence": [
            {"action": "light.turn_on", "target": {"entity_id": "{{ entity_id }}"}}
        ],
    }
}
LONG = pytest.mark.timeout(1800)


class Talk:
    """A person at the voice pipeline, typing."""

    def __init__(self, hass: HomeAssistant, client: Any, pipeline: str) -> None:
        self.hass, self.client, self.pipeline = hass, client, pipeline
        self.count = 0

    async def __call__(self, text: str) -> str:
        self.count += 1
        await self.client.send_json_auto_id(
            {
                "type": "assist_pipeline/run",
                "start_stage": "intent",
                "end_stage": "intent",
                "input": {"text": text},
                "pipeline": self.pipeline,
                "conversation_id": f"talk {self.count}",
            }
        )
        output: Any = None
        while True:
            message = await self.client.receive_json()
            event = message.get("event")
            if event is None:
                continue
            assert event["type"] != "error", event
            if event["type"] == "intent-end":
                output = event["data"]["intent_output"]
            if event["type"] == "run-end":
                await self.hass.async_block_till_done()
                return str(output["response"]["speech"]["plain"]["speech"])


async def async_talk(
    hass: HomeAssistant,
    user: User,
    get_client: WebSocketGenerator,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    tools: Sequence[str] | None,
) -> Talk:
    """Set the home up; `tools` are all that are offered, None is the default set."""
    entry = MockConfigEntry(
        domain=DOMAIN,
        unique_id=KERNEL_UNIQUE_ID,
        title="HomeAgent",
        minor_version=2,
        data={CONF_KIND: KIND_KERNEL},
        options={}
        if tools is None
        else {
            CONF_TOOLS_OFF: [name for name in DEFAULT_SET if name not in tools],
            CONF_TOOLS_ADDED: list(tools),
        },
        subentries_data=[rule("all", **EVERYTHING), agent(url, context=CONTEXT)],
    )
    entry.add_to_hass(hass)
    assert await async_setup_component(hass, "script", {"script": SCRIPT})
    await async_set_up(hass)
    monkeypatch.setattr(
        demo, "COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM", [Platform.LIGHT]
    )
    lamps = MockConfigEntry(domain="demo", title="Demo")
    lamps.add_to_hass(hass)
    assert await hass.config_entries.async_setup(lamps.entry_id)
    await async_make(hass, user, SEQUENCE, PLAIN)
    assert await async_setup_component(hass, "assist_pipeline", {})
    await hass.async_block_till_done()
    registry = er.async_get(hass)
    kitchen = ar.async_get(hass).async_get_or_create("Kitchen")
    lamp = registry.async_get(LAMP)
    assert lamp is not None
    assert lamp.device_id is not None
    dr.async_get(hass).async_update_device(lamp.device_id, area_id=kitchen.id)
    for entity_id in (LAMP, "button.evening_check_run"):
        async_expose_entity(hass, "conversation", entity_id, True)
    (subentry,) = entry.get_subentries_of_type("conversation")
    client = await get_client(hass)
    await client.send_json_auto_id(
        {
            "type": "assist_pipeline/pipeline/create",
            "name": "Small",
            "language": "en",
            "conversation_engine": registry.async_get_entity_id(
                "conversation", DOMAIN, subentry.subentry_id
            ),
            "conversation_language": "en",
            "stt_engine": None,
            "stt_language": None,
            "tts_engine": None,
            "tts_language": None,
            "tts_voice": None,
            "wake_word_entity": None,
            "wake_word_id": None,
        }
    )
    made = await client.receive_json()
    assert made["success"], made
    return Talk(hass, client, made["result"]["id"])


@LONG
async def test_a_sentence_runs_a_sequence(
    hass: HomeAssistant,
    hass_admin_user: User,
    hass_ws_client: WebSocketGenerator,
    model: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the sequence's tool and a lamp's tool offered: through pipeline and door."""
    tools = ["homeagent__run_evening_check", LAMP_TOOL]
    talk = await async_talk(
        hass, hass_admin_user, hass_ws_client, model, monkeypatch, tools
    )
    print("said:", await talk("Run the evening check."))
    assert hass.states.is_state("input_boolean.hall", "on")


SENTENCES: Sequence[tuple[str, Callable[[HomeAssistant], bool]]] = [
    *(
        (text, lambda hass: hass.states.is_state(LAMP, "on"))
        for text in (
            "Turn on the kitchen lights.",
            "Switch the kitchen lights on, please.",
            "Kitchen lights on",
            "I need light in the kitchen.",
            "Light up the kitchen.",
            "Please turn light.kitchen_lights on.",
            "It is too dark in the kitchen.",
            "Turn on the kitchen lights at 50 percent.",
            "Make the kitchen lights blue.",
            "打开厨房的灯。",
        )
    ),
    *(
        (text, lambda hass: hass.states.is_state("input_boolean.hall", "on"))
        for text in (
            "Run the evening check.",
            "Start the sequence Evening check.",
            "Do the evening check now.",
            "Turn on the hall.",
            "Switch input_boolean.hall on.",
        )
    ),
    *(
        (text, lambda hass: not hass.states.is_state(LAMP, "on"))
        for text in (
            "What can you do?",
            "Hello!",
            "Is the kitchen light on?",
            "Thank you.",
            "Tell me a joke.",
        )
    ),
]


@LONG
async def test_twenty_sentences_with_the_default_set(
    hass: HomeAssistant,
    hass_admin_user: User,
    hass_ws_client: WebSocketGenerator,
    model: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All fit the model's context and are answered; right and wrong are counted."""
    talk = await async_talk(
        hass, hass_admin_user, hass_ws_client, model, monkeypatch, None
    )
    right = 0
    for text, is_right in SENTENCES:
        for domain, entity_id in (
            ("light", LAMP),
            ("input_boolean", "input_boolean.hall"),
        ):
            await hass.services.async_call(
                domain, "turn_off", {"entity_id": entity_id}, blocking=True
            )
        said = await talk(text)
        assert said.strip()
        assert "too long for the model" not in said
        good = is_right(hass)
        right += good
        print("right" if good else "wrong", "|", text, "|", said[:100])
    print(f"{right} of {len(SENTENCES)} right")
    assert len(SENTENCES) == 20
