"""The language of the person in front of a flow, and the words in it.

Home Assistant's backend does not know the language of a browser: a user's own choice is
kept by the frontend, and where there is none the browser's request tells.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from homeassistant.components.frontend import storage
from homeassistant.core import HomeAssistant
from homeassistant.helpers.http import current_request
from homeassistant.util import language as language_util

from .people_words import ENGLISH, async_wording

__all__ = ["LANGUAGES", "async_language", "async_wording", "current_user_id"]

LANGUAGES: Final = (ENGLISH, "zh-Hans")
"""The languages that there are translations of."""


async def async_language(hass: HomeAssistant, user_id: str | None) -> str:
    """Return the language of a user, out of those that there are translations of."""
    wanted = [*await _chosen(hass, user_id), *_accepted(), hass.config.language]
    for tag in wanted:
        if found := language_util.matches(tag, LANGUAGES):
            return found[0]
    return ENGLISH


async def _chosen(hass: HomeAssistant, user_id: str | None) -> list[str]:
    """Return what a user chose in the frontend."""
    if user_id is None or "frontend" not in hass.config.components:
        return []
    store = await storage.async_user_store(hass, user_id)
    kept = store.data.get("language")
    language = kept.get("language") if isinstance(kept, Mapping) else None
    return [language] if isinstance(language, str) else []


def _accepted() -> Iterator[str]:
    """Return what the browser asks for in the request that is answered now."""
    request = current_request.get()
    header = "" if request is None else request.headers.get("Accept-Language", "")
    tags = (part.partition(";")[0].strip() for part in header.split(","))
    return (tag for tag in tags if tag and tag != "*")


def current_user_id() -> str | None:
    """Return the user whose request is answered now."""
    request = current_request.get()
    user = None if request is None else request.get("hass_user")
    return None if user is None else str(user.id)
