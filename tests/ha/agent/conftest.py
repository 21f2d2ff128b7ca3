"""A scripted model server, and a home whose agent uses it."""

from collections.abc import AsyncIterator

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
import pytest

from .agent_home import AgentHome, async_agent_home
from .scripted_server import ScriptedServer, open_server


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[ScriptedServer]:
    async with open_server() as server:
        yield server


@pytest.fixture
async def home(
    hass: HomeAssistant, server: ScriptedServer, hass_admin_user: User
) -> AgentHome:
    return await async_agent_home(hass, server, hass_admin_user.id)
