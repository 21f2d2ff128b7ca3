"""The event that asks a person says what the yes is for, also for a whole run."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import Event, HomeAssistant
from homeassistant.helpers.template import Template
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events  # type: ignore[import-untyped]
import yaml

from tests.core.docs.markdown import fences, read

from .guarded import Guarded, async_guarded, rule

STUDY_ON = '{"tool":"light.turn_on","args":{"area_id":"study"}} ;'
KITCHEN_ON = '{"tool":"light.turn_on","args":{"entity_id":"light.kitchen"}} ;'
UNLOCK = '{"tool":"lock.unlock","args":{"entity_id":"lock.front","code":"98765"}} ;'
READ = '{"tool":"get_state","args":{"entity_id":"light.kitchen"},"as":"s","select":"entity_id"} ;'
LOCK_FOUND = '{"tool":"lock.lock","args":{"entity_id":"$out.s"}} ;'
EVERYWHERE = {"through": ["direct"], "where": ["everywhere"]}


async def _home(hass: HomeAssistant, **asked: Any) -> Guarded:
    """Return a home where the study is asked for."""
    people = ["signed_in"]
    ask = rule("ask", who=people, how="ask", **(EVERYWHERE | asked))
    free = {"what": ["running_sequences"], "entities": ["light.kitchen"]}
    admin = rule("admin", who=["administrators"], what=["everything"], **EVERYWHERE)
    run = rule("run", who=people, **EVERYWHERE, **free)
    return await async_guarded(hass, ask, run, admin)


async def _asked(
    home: Guarded, tool: str, arguments: Mapping[str, object]
) -> dict[str, Any]:
    """Have the child make a call that is asked for; return the event's data."""
    events: list[Event] = async_capture_events(home.hass, "homeagent_request")
    result = await home.call(tool, arguments)
    assert result.error.reason == "unconfirmed", result.text
    return dict(events[-1].data)


async def _sequence(home: Guarded, *steps: str) -> None:
    group = {"name": "g", "tools": "\n".join(steps), "parallel": False}
    groups = [group | ({"out": {"s": "string"}} if READ in steps else {})]
    made = await home.call(
        "seq_create", {"name": "S", "groups": groups}, user=home.admin
    )
    assert made.success, made.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("seq_run", {"name": "s"}),
        ("seq_run", {"name": "#S/g", "wait": False}),
        ("seq_call", {"target": "#S"}),
        ("tool_call", {"tool": "seq_run", "arguments": {"name": "S"}}),
    ],
)
async def test_run_tells_its_sequence_and_what_is_asked_for(
    hass: HomeAssistant, tool: str, arguments: Mapping[str, object]
) -> None:
    """The entities of the steps that ask, and no other input of theirs."""
    home = await _home(hass, areas=["study"], where=[], what=["entity_actions"])
    await _sequence(home, KITCHEN_ON, STUDY_ON, UNLOCK)
    told = await _asked(home, tool, arguments)
    assert told["sequence"] == "S"
    assert told["asks_for"] == ["light.turn_on", "lock.unlock"]
    assert told["entities"] == ["light.study", "lock.front"]
    assert (told["entity_count"], told["open"]) == (2, [])
    assert "98765" not in str(told)


async def test_step_whose_inputs_the_run_finds_is_told_as_open(
    hass: HomeAssistant,
) -> None:
    """Nobody can tell yet which entities it will be."""
    home = await _home(hass, tools=["lock.lock"])
    await _sequence(home, READ, LOCK_FOUND)
    told = await _asked(home, "seq_run", {"name": "S"})
    assert (told["open"], told["entities"]) == (["lock.lock"], [])


async def test_call_of_its_own(hass: HomeAssistant) -> None:
    """It has no sequence, and nothing is open."""
    home = await _home(hass, areas=["study"], where=[], what=["entity_actions"])
    told = await _asked(home, "light.turn_on", {"entity_id": "light.study"})
    assert (told["sequence"], told["entities"]) == (None, ["light.study"])
    assert (told["asks_for"], told["open"]) == (["light.turn_on"], [])


async def test_sequence_that_is_deleted(hass: HomeAssistant) -> None:
    """What is written or deleted is named."""
    home = await _home(hass, what=["editing_sequences"])
    await _sequence(home, KITCHEN_ON)
    assert (await _asked(home, "seq_delete", {"name": "S"}))["sequence"] == "S"


@pytest.mark.parametrize(
    ("tool", "arguments", "reads"),
    [
        (
            "seq_run",
            {"name": "S"},
            "May light.turn_on, lock.unlock run (sequence S)? light.study, lock.front",
        ),
        (
            "light.turn_on",
            {"entity_id": "light.study"},
            "May light.turn_on run? light.study",
        ),
    ],
)
async def test_notification_of_the_documentation(
    hass: HomeAssistant, tool: str, arguments: Mapping[str, object], reads: str
) -> None:
    """The example in docs/access.md, as a phone shows it."""
    home = await _home(hass, areas=["study"], where=[], what=["entity_actions"])
    await _sequence(home, STUDY_ON, UNLOCK)
    told = await _asked(home, tool, arguments)
    (example,) = [
        one.text
        for one in fences(read("docs/access.md"))
        if "event_type: homeagent_request" in one.text
    ]
    message = yaml.safe_load(example)["actions"][0]["data"]["message"]
    trigger = {"event": {"data": told}}
    shown = Template(message, hass).async_render({"trigger": trigger})
    assert " ".join(str(shown).split()) == reads
