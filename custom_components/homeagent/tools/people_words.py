"""The words that people read, out of Home Assistant's translations.

Above the editor's pure half. Whoever has a person's language asks for it and waits; what
is told to nobody in particular, such as a repair issue, is in the home's own language,
which Home Assistant has at hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import translation
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..editing.wording import Wording

ENGLISH: Final = "en"

_CATEGORIES: Final = ("selector", "exceptions")
_TEXTS: Final = f"component.{DOMAIN}.selector.editor.options."
_SAID: Final = f"component.{DOMAIN}.selector.said.options."
_FORMS: Final = f"component.{DOMAIN}.selector.form_problems.options."
_CORE: Final = f"component.{DOMAIN}.selector.core_words.options."
_PROBLEMS: Final = f"component.{DOMAIN}.exceptions.sequence_text_"


type Texts = dict[tuple[str, str], dict[str, str]]
"""All texts of a language and category, by both."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Words with the texts they were taken from, which are thousands."""

    found: Texts
    wording: Wording

    def is_of(self, found: Texts) -> bool:
        """Whether those are the same texts, and not merely equal ones."""
        return self.found.keys() == found.keys() and all(
            texts is found[key] for key, texts in self.found.items()
        )


_HOME: HassKey[_Kept] = HassKey(f"{DOMAIN}_home_wording")


async def async_wording(hass: HomeAssistant, language: str) -> Wording:
    """Return the words in a language, and the core's where it is not English."""
    found: Texts = {}
    for tag in {language, ENGLISH}:
        for category in _CATEGORIES:
            found[tag, category] = await translation.async_get_translations(
                hass, tag, category, {DOMAIN}
            )
    return _wording(language, found)


@callback
def home_wording(hass: HomeAssistant) -> Wording:
    """Return the words in the home's own language, as long as they are the same."""
    language = hass.config.language
    found = {
        (tag, category): translation.async_get_cached_translations(
            hass, tag, category, DOMAIN
        )
        for tag in {language, ENGLISH}
        for category in _CATEGORIES
    }
    kept = hass.data.get(_HOME)
    if kept is None or not kept.is_of(found):
        # A language that was chosen just now may not be there yet; English always is.
        known = language if found[language, "selector"] else ENGLISH
        kept = hass.data[_HOME] = _Kept(found, _wording(known, found))
    return kept.wording


def _wording(language: str, found: Texts) -> Wording:
    texts = found[language, "selector"]
    words, said = _below(_TEXTS, "", texts), _below(_SAID, "", texts)
    forms = _below(_FORMS, "", texts)
    if language == ENGLISH:
        return Wording(texts=words, said=said, forms=forms)
    english = _below(_CORE, "", found[ENGLISH, "selector"])
    translated = _below(_CORE, "", texts)
    return Wording(
        texts=words,
        said=said,
        forms=forms,
        problems=_below(_PROBLEMS, ".message", found[language, "exceptions"]),
        fragments={english[key]: text for key, text in translated.items()},
    )


def _below(prefix: str, end: str, texts: Mapping[str, str]) -> dict[str, str]:
    return {
        key.removeprefix(prefix).removesuffix(end): text
        for key, text in texts.items()
        if key.startswith(prefix)
    }
