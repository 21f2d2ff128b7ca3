"""How a sequence shows in Home Assistant: its button, its exposure, its sentences.

Asked by access control in the middle of a call and by the static checks, so nothing here
waits. Buttons report themselves as long as they are there.
"""

from collections.abc import Collection

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, callback

from .sequence_extras import sentences_of

ASSIST = "conversation"
"""The assistant whose exposure counts."""


class SequencePresence:
    """Answers for sequences by their keys, the ids of their entries."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start without any."""
        self._hass = hass
        self._buttons: dict[str, str] = {}

    @callback
    def button_added(self, key: str, entity_id: str) -> None:
        """Note the button of a sequence."""
        self._buttons[key] = entity_id

    @callback
    def button_removed(self, key: str) -> None:
        """Forget the button of a sequence: it is disabled, renamed or gone."""
        self._buttons.pop(key, None)

    def button(self, key: str) -> str | None:
        """Return the entity id of a sequence's button, if there is one now."""
        return self._buttons.get(key)

    def buttons(self) -> Collection[str]:
        """Return the entity ids of all buttons that run sequences."""
        return self._buttons.values()

    def exposed(self, key: str) -> bool:
        """Whether the person exposes a sequence to Assist, by its button."""
        button = self._buttons.get(key)
        return button is not None and async_should_expose(self._hass, ASSIST, button)

    def has_sentences(self, key: str) -> bool:
        """Whether a sequence can be started by a sentence."""
        entry = self._hass.config_entries.async_get_entry(key)
        return entry is not None and bool(sentences_of(entry))
