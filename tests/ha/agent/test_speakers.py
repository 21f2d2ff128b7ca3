"""Who speaks: made once for a turn, and what it may do is decided by that."""

from collections.abc import Callable
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr
import pytest

from custom_components.homeagent.kernel.contract import Caller, Entrance

from .agent_home import AgentHome
from .scripted_server import calls, words


def speaker(home: AgentHome, context: Context, device_id: str | None = None) -> Caller:
    said = ConversationInput(
        text="Hi",
        context=context,
        conversation_id=None,
        device_id=device_id,
        satellite_id=None,
        language="en",
        agent_id=home.entity_id,
    )
    return home.entity.caller_of(said)


@pytest.fixture
def satellite(home: AgentHome, hass: HomeAssistant) -> str:
    """Return a voice device in the kitchen."""
    kitchen = ar.async_get(hass).async_get_or_create("Kitchen")
    registry = dr.async_get(hass)
    device = registry.async_get_or_create(
        config_entry_id=home.entry.entry_id, identifiers={("test", "satellite")}
    )
    registry.async_update_device(device.id, area_id=kitchen.id)
    return device.id


def test_a_person(home: AgentHome) -> None:
    context = Context(user_id=home.user_id)
    caller = speaker(home, context)
    assert (caller.entrance, caller.user_id, caller.device_id) == (
        Entrance.CONVERSATION,
        home.user_id,
        None,
    )
    assert caller.context is context


def test_a_voice_device(home: AgentHome, satellite: str) -> None:
    caller = speaker(home, Context(), satellite)
    assert (caller.user_id, caller.device_id, caller.area_id) == (
        None,
        satellite,
        "kitchen",
    )


def test_a_device_that_does_not_exist(home: AgentHome) -> None:
    assert speaker(home, Context(), "made up").device_id is None


async def test_a_script_that_talks_to_the_agent(home: AgentHome) -> None:
    """The rights of whoever started it, and not more than a conversation has."""
    started = Caller(entrance=Entrance.DIRECT, user_id=home.user_id)
    caller = speaker(home, home.runtime.callers.new_context(started))
    assert (caller.entrance, caller.user_id) == (Entrance.CONVERSATION, home.user_id)


@pytest.mark.parametrize(
    ("who", "ran"), [(lambda home: home.user_id, ["a1"]), (lambda home: None, [])]
)
async def test_rights_are_those_of_the_speaker(
    home: AgentHome, who: Callable[[AgentHome], Any], ran: list[str]
) -> None:
    home.server.say(calls(("test__a", {"n": 1})), words("Ok."))
    await home.hear("Go", context=Context(user_id=who(home)))
    assert home.counted.ended == ran
