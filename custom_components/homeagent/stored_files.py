"""Files in Home Assistant's storage folder that go with the integration.

Below what keeps them; never imports the runtime.
"""

from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.storage import Store


async def async_remove_file(hass: HomeAssistant, store: Store[Any]) -> None:
    """Delete a file, and those set aside as Home Assistant could not read them."""
    await store.async_remove()
    await hass.async_add_executor_job(_remove_damaged, Path(store.path))


def _remove_damaged(path: Path) -> None:
    for aside in path.parent.glob(f"{path.name}.corrupt.*"):
        aside.unlink(missing_ok=True)
