"""A real small model, through the voice pipeline: it switches a lamp, runs a sequence.

The model is so small that it is often wrong. How often it is right with the default set
is printed, and no target.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
import re
from typing import Any

import aiohttp
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
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
HALL = "input_boolean.hall"
"""What the sequence switches on."""

SEQUENCE = "Movie night"
RUN = "homeagent__run_movie_night"
EXPOSED = (LAMP, HALL, "button.movie_night_run")
INSTRUCTIONS = "Call the function that does what the person says."
ROOM = 1000
"""Tokens that a prompt must leave for calls, their results and the answer."""

LONG = pytest.mark.timeout(3600)


class Talk:
    """A person at the voice pipeline, typing.

    Each talk has a connection of its own: the model may think longer than one stays open.
    """

    def __init__(
        self, hass: HomeAssistant, get_client: WebSocketGenerator, pipeline: str
    ) -> None:
        self.hass, self.get_client, self.pipeline = hass, get_client, pipeline
        self.count = 0

    async def __call__(self, text: str) -> str:
        self.count += 1
        client = await self.get_client(self.hass)
        await client.send_json_auto_id(
            {
                "type": "assist_pipeline/run",
                "timeout": 600,
                "start_stage": "intent",
                "end_stage": "intent",
                "input": {"text": text},
                "pipeline": self.pipeline,
                "conversation_id": f"talk {self.count}",
            }
        )
        output: Any = None
        while True:
            message = await client.receive_json()
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
    tools: Sequence[str] | None,
    where: str,
    **settings: object,
) -> Talk:
    """Set HA's demo up; `tools` are all that are offered, None is the default set."""
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
        subentries_data=[
            rule("direct", **{**EVERYTHING, "through": ["direct"]}),
            rule(
                "talk", **{**EVERYTHING, "through": ["conversation"], "where": [where]}
            ),
            agent(url, context=CONTEXT, **settings),
        ],
    )
    entry.add_to_hass(hass)
    await async_set_up(hass)
    assert await async_setup_component(hass, "demo", {})
    await async_make(hass, user, SEQUENCE, PLAIN)
    assert await async_setup_component(hass, "assist_pipeline", {})
    await hass.async_block_till_done()
    registry = er.async_get(hass)
    kitchen = ar.async_get(hass).async_get_or_create("Kitchen")
    lamp = registry.async_get(LAMP)
    assert lamp is not None
    assert lamp.device_id is not None
    dr.async_get(hass).async_update_device(lamp.device_id, area_id=kitchen.id)
    for state in hass.states.async_all():
        exposed = state.entity_id in EXPOSED
        async_expose_entity(hass, "conversation", state.entity_id, exposed)
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
    return Talk(hass, get_client, made["result"]["id"])


def first_prompt(log: Path, begun: int) -> int:
    """Return the tokens of the first prompt after a place in the log, by the server."""
    told = log.read_bytes()[begun:].decode(errors="replace")
    found = re.search(
        r"generate: (\d+) prefix-match hit, remaining (\d+) prompt tokens", told
    )
    assert found is not None, told
    return int(found[1]) + int(found[2])


async def async_until_free(url: str) -> None:
    """Wait until the server is done with what nobody waits for any more.

    It does one thing at a time, also this, and does not notice that its client has gone.
    """
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=1800)) as session,
        session.get(f"{url}/models") as answer,
    ):
        answer.raise_for_status()


async def async_darken(hass: HomeAssistant) -> None:
    """Switch off what the sentences switch on."""
    for entity_id in (LAMP, HALL):
        domain = entity_id.partition(".")[0]
        await hass.services.async_call(
            domain, "turn_off", {"entity_id": entity_id}, blocking=True
        )


@LONG
async def test_a_lamp_and_a_sequence(
    hass: HomeAssistant,
    hass_admin_user: User,
    hass_ws_client: WebSocketGenerator,
    model: str,
) -> None:
    """With the tools of both offered, each sentence does the one and not the other."""
    talk = await async_talk(
        hass,
        hass_admin_user,
        hass_ws_client,
        model,
        [RUN, "light.turn_on"],
        "exposed",
        simple_tools=True,
        prompt=INSTRUCTIONS,
    )
    seen: list[tuple[bool, bool]] = []
    for text in ("Turn on the kitchen lights.", "Run movie night."):
        await async_darken(hass)
        print(text, "|", await talk(text))
        seen.append(
            (hass.states.is_state(LAMP, "on"), hass.states.is_state(HALL, "on"))
        )
    assert seen == [(True, False), (False, True)]


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
        (text, lambda hass: hass.states.is_state(HALL, "on"))
        for text in (
            "Run the movie night.",
            "Start the sequence Movie night.",
            "Do the movie night now.",
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
    tmp_path: Path,
) -> None:
    """All fit the model's context and are answered; right and wrong are counted."""
    talk = await async_talk(
        hass,
        hass_admin_user,
        hass_ws_client,
        model,
        None,
        "everywhere",
        simple_tools=True,
    )
    log = tmp_path / "server.log"
    sizes: list[int] = []
    right = 0
    for text, is_right in SENTENCES:
        await async_until_free(model)
        await async_darken(hass)
        begun = log.stat().st_size
        said = await talk(text)
        assert said.strip()
        assert "too long for the model" not in said
        sizes.append(first_prompt(log, begun))
        good = is_right(hass)
        right += good
        print("right" if good else "wrong", "|", text, "|", said[:100])
    print(f"{right} of {len(SENTENCES)} right; prompts of at most {max(sizes)} tokens")
    assert len(SENTENCES) == 20
    assert max(sizes) < CONTEXT - ROOM
    assert "exceed context window" not in log.read_text(errors="replace")
