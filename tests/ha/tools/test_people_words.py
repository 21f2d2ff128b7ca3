"""Words in the home's language: taken once, and anew when the language changes."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import translation

from custom_components.homeagent.tools.people_words import home_wording

from ..home import async_set_up


async def _speak_chinese(hass: HomeAssistant) -> None:
    """Choose the language, and load its texts as Home Assistant does then."""
    hass.config.language = "zh-Hans"
    await translation.async_load_integrations(hass, {"homeagent"})


async def test_words_are_taken_once(hass: HomeAssistant) -> None:
    """Thousands of texts are looked through for each language, not for each answer."""
    await async_set_up(hass)
    first = home_wording(hass)
    assert home_wording(hass) is first
    await _speak_chinese(hass)
    chinese = home_wording(hass)
    assert (first("back"), chinese("back")) == ("Back to the editor", "返回编辑器")
    assert home_wording(hass) is chinese
    hass.config.language = "en"
    assert home_wording(hass)("back") == first("back")


async def test_language_that_is_not_there_yet(hass: HomeAssistant) -> None:
    """English until it is."""
    await async_set_up(hass)
    hass.config.language = "eo"
    assert home_wording(hass)("back") == "Back to the editor"
