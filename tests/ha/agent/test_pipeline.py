"""Through Home Assistant's voice pipeline: text in, speech out, with its own demo TTS."""

import asyncio
import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.typing import (  # type: ignore[import-untyped]
    ClientSessionGenerator,
    WebSocketGenerator,
)

from .agent_home import AgentHome
from .scripted_server import DONE, Reply, calls, chunk, words


class Voice:
    """A person at the pipeline, through the websocket as the app does it."""

    def __init__(self, client: Any, pipeline: str) -> None:
        self.client = client
        self.pipeline = pipeline
        self.events: list[dict[str, Any]] = []

    async def begin(self, text: str, conversation_id: str = "talk") -> int:
        """Say something; return the subscription's id."""
        await self.client.send_json_auto_id(
            {
                "type": "assist_pipeline/run",
                "start_stage": "intent",
                "end_stage": "tts",
                "input": {"text": text},
                "pipeline": self.pipeline,
                "conversation_id": conversation_id,
            }
        )
        answer = await self.client.receive_json()
        assert answer["success"], answer
        return int(answer["id"])

    async def until(self, kind: str) -> Any:
        """Listen until an event of a kind; return its data."""
        async with asyncio.timeout(20):
            while True:
                message = await self.client.receive_json()
                event = message.get("event", {"type": "", "data": message})
                self.events.append(event)
                if event["type"] == kind:
                    return event["data"]
                assert event["type"] != "error", event

    def deltas(self) -> list[Any]:
        """Return what was streamed."""
        return [
            event["data"]["chat_log_delta"]
            for event in self.events
            if event["type"] == "intent-progress" and "chat_log_delta" in event["data"]
        ]


@pytest.fixture
async def voice(
    home: AgentHome, hass: HomeAssistant, hass_ws_client: WebSocketGenerator
) -> Voice:
    for name, config in (
        ("media_source", {}),
        ("tts", {"tts": {"platform": "demo"}}),
        ("assist_pipeline", {}),
    ):
        assert await async_setup_component(hass, name, config)
    await hass.async_block_till_done()
    client = await hass_ws_client(hass)
    await client.send_json_auto_id(
        {
            "type": "assist_pipeline/pipeline/create",
            "name": "Ours",
            "language": "en",
            "conversation_engine": home.entity_id,
            "conversation_language": "en",
            "stt_engine": None,
            "stt_language": None,
            "tts_engine": "demo",
            "tts_language": "en",
            "tts_voice": None,
            "wake_word_entity": None,
            "wake_word_id": None,
        }
    )
    made = await client.receive_json()
    assert made["success"], made
    return Voice(client, made["result"]["id"])


async def test_from_a_sentence_to_speech(
    home: AgentHome, voice: Voice, hass_client: ClientSessionGenerator
) -> None:
    """A call on the way; in the end there is something to hear."""
    home.server.say(calls(("test__a", {"n": 1})), words("The lamp ", "is on."))
    await voice.begin("Turn it on")
    done = await voice.until("intent-end")
    speech = done["intent_output"]["response"]["speech"]["plain"]["speech"]
    assert speech == "The lamp is on."
    assert home.counted.ended == ["a1"]
    output = (await voice.until("tts-end"))["tts_output"]
    await voice.until("run-end")
    client = await hass_client()
    heard = await client.get(output["url"])
    assert heard.status == 200
    assert len(await heard.read()) > 1000
    assert json.dumps(voice.deltas()).count('"tool_calls"') == 1
    results = [each for each in voice.deltas() if each.get("role") == "tool_result"]
    assert results[0]["result"]["data"] == {"text": '{"did":"a1"}'}


async def test_chunks_are_heard_as_they_come(home: AgentHome, voice: Voice) -> None:
    """By order: the server goes on only after the first words were heard."""
    go_on = asyncio.Event()
    home.server.say(
        Reply(
            steps=[
                chunk({"content": "One."}),
                go_on,
                chunk({"content": " Two."}, "stop"),
                DONE,
            ]
        )
    )
    await voice.begin("Count")
    while not any(each.get("content") == "One." for each in voice.deltas()):
        await voice.until("intent-progress")
    go_on.set()
    done = await voice.until("intent-end")
    speech = done["intent_output"]["response"]["speech"]["plain"]["speech"]
    assert speech == "One. Two."
    await voice.until("run-end")


async def test_whoever_hangs_up_ends_the_tools(
    home: AgentHome, voice: Voice, hass: HomeAssistant
) -> None:
    """As a new wake word does."""
    home.counted.hold("a1")
    home.server.say(calls(("test__a", {"n": 1})), words("Hm."))
    subscription = await voice.begin("Work")
    await home.counted.watch.until(lambda: home.counted.begun)
    await voice.client.send_json_auto_id(
        {"type": "unsubscribe_events", "subscription": subscription}
    )
    await hass.async_block_till_done()
    assert home.counted.ended == []
    assert len(home.server.requests) == 1
    home.server.script.clear()
    home.server.say(words("Yes."))
    assert await home.hear("Still there?", conversation_id="other") == "Yes."
