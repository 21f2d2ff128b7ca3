"""Who stands behind a model's calls."""

from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr, llm
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.homeagent.kernel.contract import Agreed, Caller, Entrance
from custom_components.homeagent.tools.callers import Callers
from custom_components.homeagent.tools.llm_callers import llm_caller

TALKING, MCP = Entrance.CONVERSATION, Entrance.MCP


@pytest.fixture(name="device")
def device_fixture(hass: HomeAssistant) -> str:
    """Return the id of a voice device in the kitchen."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    devices = dr.async_get(hass)
    device = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "voice")}
    )
    devices.async_update_device(device.id, area_id="kitchen")
    return device.id


def asked(context: Context | None, **more: Any) -> llm.LLMContext:
    """Return the context of a request."""
    return llm.LLMContext(
        **{
            "platform": "ollama",
            "context": context,
            "language": "en",
            "assistant": "conversation",
            "device_id": None,
            **more,
        }
    )


@pytest.mark.parametrize(
    ("user", "more", "entrance", "speaks"),
    [
        ("ann", {}, TALKING, False),
        ("ann", {"device_id": "real"}, TALKING, True),
        (None, {"device_id": "real"}, TALKING, True),
        (None, {"device_id": "forged"}, TALKING, False),
        (None, {}, TALKING, False),
        ("ann", {"platform": "mcp_server"}, MCP, False),
        ("ann", {"platform": "mcp_server", "device_id": "real"}, MCP, False),
        ("ann", {"assistant": "ai_task"}, TALKING, False),
    ],
)
async def test_fresh_request(
    hass: HomeAssistant,
    device: str,
    user: str | None,
    more: dict[str, str],
    entrance: Entrance,
    speaks: bool,
) -> None:
    """The user of the request, and the device that is there; by MCP none."""
    if more.get("device_id") == "real":
        more = {**more, "device_id": device}
    context = Context(user_id=user)
    caller = llm_caller(hass, Callers(hass), asked(context, **more))
    assert (caller.entrance, caller.user_id) == (entrance, user)
    assert caller.context is context
    place = (device, "kitchen") if speaks else (None, None)
    assert (caller.device_id, caller.area_id) == place


async def test_request_without_context(hass: HomeAssistant) -> None:
    """Nobody."""
    caller = llm_caller(hass, Callers(hass), asked(None))
    assert (caller.entrance, caller.user_id) == (TALKING, None)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (Entrance.DIRECT, TALKING),
        (Entrance.AUTOMATION, TALKING),
        (MCP, MCP),
        (Entrance.SENTENCE, Entrance.SENTENCE),
    ],
)
async def test_what_comes_in_again(
    hass: HomeAssistant, device: str, first: Entrance, then: Entrance
) -> None:
    """A script that asks a model: its starter's user, no more rights, no yes."""
    callers = Callers(hass)
    yes = frozenset({Agreed(tool="t", arguments=None)})
    starter = Caller(entrance=first, user_id="child", agreed=yes)
    context = callers.new_context(starter)
    caller = llm_caller(hass, callers, asked(context, device_id=device))
    assert (caller.entrance, caller.user_id) == (then, "child")
    assert (caller.device_id, caller.agreed) == (None, frozenset())


async def test_automation_that_asks_a_model(hass: HomeAssistant, device: str) -> None:
    """What a model makes of an automation's words is not what its author wrote."""
    callers = Callers(hass)
    context = Context()
    hass.bus.async_fire("automation_triggered", {}, context=context)
    await hass.async_block_till_done()
    caller = llm_caller(hass, callers, asked(context, device_id=device))
    assert (caller.entrance, caller.user_id) == (TALKING, None)
    assert caller.device_id is None
