"""A small home for tests: areas, lights, and HomeAgent set up in it."""

from collections.abc import Mapping
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component

from custom_components.homeagent.runtime import DATA_RUNTIME


async def async_set_up(hass: HomeAssistant) -> None:
    """Set up Home Assistant's base, four switches, and HomeAgent's domain."""
    assert await async_setup_component(hass, "homeassistant", {})
    switches: dict[str, object] = {
        name: {} for name in ("kitchen", "bedroom", "hall", "porch")
    }
    assert await async_setup_component(
        hass, "input_boolean", {"input_boolean": switches}
    )
    assert await async_setup_component(hass, "persistent_notification", {})
    assert await async_setup_component(hass, "homeagent", {})
    await hass.async_block_till_done()
    # Reading descriptions in the background would outlive the test.
    await hass.data[DATA_RUNTIME].actions.async_prepare()


async def async_act(
    hass: HomeAssistant,
    action: str,
    data: Mapping[str, object] | None = None,
    *,
    user: User | None = None,
    context: Context | None = None,
) -> dict[str, Any]:
    """Call one of HomeAgent's actions as a user and return its response."""
    if context is None:
        context = Context(user_id=None if user is None else user.id)
    response = await hass.services.async_call(
        "homeagent",
        action,
        dict(data or {}),
        blocking=True,
        context=context,
        return_response=True,
    )
    assert isinstance(response, dict)
    return response
