"""The entry that a dialog is about, which somebody may delete while it is open.

Between Home Assistant and the flows. Knows nothing of what the entry holds.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import AbortFlow


def entry_or_end(hass: HomeAssistant, entry_id: str) -> ConfigEntry:
    """Return the entry of a flow; without it the flow ends, and says why."""
    entry = hass.config_entries.async_get_entry(entry_id)
    if entry is None:
        raise AbortFlow("entry_gone")
    return entry
