"""The version of HomeAgent that runs, which after an update is not yet the new one.

Beside the other tools; reads what Home Assistant loaded, never a file.
"""

from homeassistant.core import HomeAssistant
from homeassistant.loader import async_get_loaded_integration

from ..const import DOMAIN


def running_version(hass: HomeAssistant) -> str:
    """Return the version of the code that Home Assistant loaded, such as `0.1.0`."""
    return str(async_get_loaded_integration(hass, DOMAIN).version)
