"""A Home Assistant with HomeAgent and an address that waiters can reach."""

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator  # type: ignore[import-untyped]

from ..home import async_set_up


@pytest.fixture
async def url(
    hass: HomeAssistant,
    socket_enabled: None,
    hass_admin_user: User,
    hass_read_only_user: User,
    hass_client_no_auth: ClientSessionGenerator,
) -> str:
    """Return the address of a Home Assistant in which HomeAgent is set up."""
    await async_set_up(hass)
    # No page can be added once a client has come.
    assert await async_setup_component(hass, "conversation", {})
    client = await hass_client_no_auth()
    return str(client.make_url("")).rstrip("/")
