"""What people are told of the entries of sequences, as repair issues.

Beside `sequence_entries`, which decides when.
"""

from collections.abc import Iterable
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryError
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from .mending import issue_data

DAMAGED: Final = "damaged_sequence"
RENAMED: Final = "sequence_renamed"
NOT_RENAMED: Final = "sequence_not_renamed"
PROPOSED: Final = "sequence_proposed"

ISSUES: Final = (DAMAGED, RENAMED, NOT_RENAMED, PROPOSED)


def tell_damaged(
    hass: HomeAssistant, entry: ConfigEntry, detail: str
) -> ConfigEntryError:
    """Tell that a stored sequence cannot be read; return the error to raise."""
    placeholders = {"name": entry.title, "detail": detail}
    _tell(hass, entry, DAMAGED, placeholders, ir.IssueSeverity.ERROR)
    return ConfigEntryError(
        translation_domain=DOMAIN,
        translation_key=DAMAGED,
        translation_placeholders=placeholders,
    )


def tell_not_renamed(hass: HomeAssistant, entry: ConfigEntry, name: str) -> None:
    """Tell that an entry's title is set back to the name of its sequence."""
    placeholders = {"name": name, "wanted": entry.title}
    _tell(hass, entry, NOT_RENAMED, placeholders)


def tell_renamed(
    hass: HomeAssistant, entry: ConfigEntry, old: str, new: str, callers: Iterable[str]
) -> None:
    """Tell that those who call a sequence were rewritten with its name."""
    placeholders = {"old": old, "new": new, "callers": ", ".join(callers)}
    _tell(hass, entry, RENAMED, placeholders)


def tell_proposed(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Tell that a sequence, or a change of one, waits for an administrator."""
    _tell(hass, entry, PROPOSED, {"name": entry.title})


def _tell(
    hass: HomeAssistant,
    entry: ConfigEntry,
    issue: str,
    placeholders: dict[str, str],
    severity: ir.IssueSeverity = ir.IssueSeverity.WARNING,
) -> None:
    ir.async_create_issue(
        hass,
        DOMAIN,
        f"{issue}_{entry.entry_id}",
        data=issue_data(entry.entry_id),
        is_fixable=True,
        severity=severity,
        translation_key=issue,
        translation_placeholders=placeholders,
    )


def forget(hass: HomeAssistant, entry: ConfigEntry, *issues: str) -> None:
    """Take back what was told of an entry; all of it where no issue is named."""
    for issue in issues or ISSUES:
        ir.async_delete_issue(hass, DOMAIN, f"{issue}_{entry.entry_id}")
