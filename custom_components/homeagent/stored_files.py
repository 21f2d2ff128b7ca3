"""Files in Home Assistant's storage folder that go with the integration.

Below what keeps them; never imports the runtime.
"""

from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.storage import Store


class UnreadableFileError(Exception):
    """A file is there, and is none that this version can read; it is left as it is."""


async def async_read_file(store: Store[Any]) -> object:
    """Return what a file holds, None without one.

    Raises:
        UnreadableFileError: it is of another version, cannot be read at all, or is no
            file of such a store, which Home Assistant does not expect.
    """
    try:
        return await store.async_load()
    except HomeAssistantError as err:
        raise UnreadableFileError(str(err)) from err
    except (
        AttributeError,
        KeyError,
        NotImplementedError,
        TypeError,
        ValueError,
    ) as err:
        raise UnreadableFileError(f"it has not the form of a store: {err!r}") from err


async def async_remove_file(hass: HomeAssistant, store: Store[Any]) -> None:
    """Delete a file, and those set aside as Home Assistant could not read them."""
    await store.async_remove()
    await hass.async_add_executor_job(_remove_damaged, Path(store.path))


def _remove_damaged(path: Path) -> None:
    for aside in path.parent.glob(f"{path.name}.corrupt.*"):
        aside.unlink(missing_ok=True)
