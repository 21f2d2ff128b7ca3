"""What stands in a sequence's entry beside its AST: its sentences and its slug.

Read here and nowhere else; above the core, never imports the runtime.
"""

from collections.abc import Collection

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.util import slugify

from ..const import CONF_KIND, CONF_SENTENCES, CONF_SLUG, DOMAIN, KIND_SEQUENCE

LONGEST_SLUG = 38
"""Characters: `homeagent__run_<slug>` is a name for models of at most 53."""

_NAMELESS = "sequence"


def sentences_of(entry: ConfigEntry) -> tuple[str, ...]:
    """Return the stored sentences of a sequence; what is no text is none."""
    stored = entry.options.get(CONF_SENTENCES)
    if not isinstance(stored, list | tuple):
        return ()
    return tuple(each for each in stored if isinstance(each, str) and each.strip())


def other_sentences(
    hass: HomeAssistant, entry_id: str | None
) -> dict[str, tuple[str, ...]]:
    """Return the sentences of all other sequences by their names, for the checks.

    Those of disabled entries count: they come back as they are.
    """
    return {
        entry.title: sentences
        for entry in _sequences(hass)
        if entry.entry_id != entry_id and (sentences := sentences_of(entry))
    }


@callback
def async_slug(hass: HomeAssistant, entry: ConfigEntry, name: str) -> str:
    """Return the slug of a sequence, which is chosen and stored the first time."""
    taken = {
        slug
        for other in _sequences(hass)
        if other.entry_id != entry.entry_id and (slug := other.data.get(CONF_SLUG))
    }
    slug = entry.data.get(CONF_SLUG)
    if isinstance(slug, str) and slug not in taken:
        return slug
    slug = new_slug(name, taken)
    data = {**entry.data, CONF_SLUG: slug}
    hass.config_entries.async_update_entry(entry, data=data)
    return slug


def new_slug(name: str, taken: Collection[str]) -> str:
    """Return a slug for a name that no other sequence has, such as `night_2`."""
    base = slugify(name, separator="_")[:LONGEST_SLUG].strip("_")
    base = _NAMELESS if base in ("", "unknown") else base
    slug, number = base, 1
    while slug in taken:
        number += 1
        end = f"_{number}"
        slug = base[: LONGEST_SLUG - len(end)].rstrip("_") + end
    return slug


def _sequences(hass: HomeAssistant) -> list[ConfigEntry]:
    entries = hass.config_entries.async_entries(DOMAIN)
    return [entry for entry in entries if entry.data.get(CONF_KIND) == KIND_SEQUENCE]
