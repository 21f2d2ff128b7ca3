"""Actions of a Home Assistant under test, as tools."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.homeagent.tools.actions import ActionRegistry


@pytest.fixture
def registry(hass: HomeAssistant) -> ActionRegistry:
    """Return the actions; `async_prepare` it when the house is set up."""
    return ActionRegistry(hass, report_wait=0.05)
