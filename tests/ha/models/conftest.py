"""The home that models talk to."""

from collections.abc import AsyncGenerator

from homeassistant.core import HomeAssistant
import pytest

from .talking_home import TalkingHome, async_talking_home


@pytest.fixture(name="home")
async def home_fixture(hass: HomeAssistant) -> AsyncGenerator[TalkingHome]:
    """Return the home; what hangs in the end is let go."""
    home = await async_talking_home(hass)
    yield home
    home.release.set()
    await hass.async_block_till_done()
