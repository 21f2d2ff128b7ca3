"""Files in the storage folder that somebody else has written: HomeAgent starts."""

import json
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError, UnsupportedStorageVersionError
from homeassistant.helpers.storage import Store
import pytest

from custom_components.homeagent import menu_lists, storage
from custom_components.homeagent.stored_files import (
    UnreadableFileError,
    async_read_file,
)

from .home import async_set_up


class _Written(Store[Any]):
    """Reads what is taken for the contents of a file, as Home Assistant's own does."""

    text = ""

    @override
    async def async_load(self) -> Any:
        data = json.loads(self.text)
        if data["version"] == 0:
            raise NotImplementedError  # It would have to be migrated.
        if data == {"version": -1}:
            raise HomeAssistantError("Is a directory")
        if data["version"] > self.version:
            raise UnsupportedStorageVersionError("x", 1, data["version"])
        return data["data"]


@pytest.mark.parametrize(
    "text",
    [
        *("[]", "5", "{}", '"x"', "null", "{"),
        *(f'{{"version": {version}}}' for version in ('"x"', 2, 0, -1)),
    ],
)
async def test_another_form_is_one_error(hass: HomeAssistant, text: str) -> None:
    """Whatever Home Assistant stumbles over."""
    store = _Written(hass, 1, "x")
    store.text = text
    with pytest.raises(UnreadableFileError):
        await async_read_file(store)


@pytest.mark.parametrize("key", [storage.KEY, menu_lists.KEY])
async def test_homeagent_starts(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    key: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is told in the log, and left as it is."""
    hass_storage[key] = []
    await async_set_up(hass)
    assert hass.services.has_service("homeagent", "seq_run")
    assert hass_storage[key] == []
    assert "has not the form of a store" in caplog.text
