"""Tells when a sequence that others call was disabled or deleted by a person.

Home Assistant lets people do that without asking. The repair issue names both sides, and
goes away when the sequence is back or nobody calls it any more. Of what somebody deleted
before Home Assistant was restarted `sequence_watch` tells.
"""

from collections.abc import Mapping
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.start import async_at_started

from ..const import CONF_KIND, CONF_SEQUENCE, DOMAIN, KIND_SEQUENCE
from ..sequence.library import Library
from .mending import issue_data
from .sequence_news import SEQUENCE_CHANGED

DISABLED: Final = "called_sequence_disabled"
REMOVED: Final = "called_sequence_removed"


class SequenceLosses:
    """Keeps the repair issues of sequences that are missed."""

    def __init__(self, hass: HomeAssistant, library: Library) -> None:
        """Take the sequences that are there, which may call others."""
        self._hass = hass
        self._library = library
        self._removed: dict[str, str] = {}
        self._told: set[str] = set()

    @callback
    def async_start(self) -> None:
        """Look once Home Assistant has started, and then at every change."""
        async_at_started(self._hass, self._async_started)

    @callback
    def _async_started(self, hass: HomeAssistant) -> None:
        async_dispatcher_connect(hass, SEQUENCE_CHANGED, self._async_changed)
        self._look()

    @callback
    def _async_changed(self, key: str) -> None:
        self._look()

    @callback
    def async_removed(self, entry: ConfigEntry) -> None:
        """Remember a sequence that was deleted, as long as others call it."""
        if (name := _name_of(entry)) is not None:
            self._removed[entry.entry_id] = name
            self._look()

    def _look(self) -> None:
        missed: dict[str, tuple[str, str, str]] = {}
        for kind, lost in ((DISABLED, self._disabled()), (REMOVED, self._removed)):
            for key, name in lost.items():
                if called_by := self._callers(name):
                    missed[f"{kind}_{key}"] = (kind, name, ", ".join(called_by))
        for issue_id in self._told - set(missed):
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
        for issue_id, (kind, name, callers) in missed.items():
            key = issue_id.removeprefix(f"{kind}_")
            self._tell(issue_id, kind, key, {"name": name, "callers": callers})
        self._told = set(missed)
        self._removed = {
            key: name
            for key, name in self._removed.items()
            if f"{REMOVED}_{key}" in missed
        }

    def _callers(self, name: str) -> list[str]:
        """Return who calls a sequence that is not there under that name."""
        there = self._library.find(name) is not None
        return [] if there else self._library.callers_of(name)

    def _disabled(self) -> dict[str, str]:
        return {
            entry.entry_id: name
            for entry in self._hass.config_entries.async_entries(DOMAIN)
            if entry.disabled_by is not None and (name := _name_of(entry)) is not None
        }

    def _tell(
        self, issue_id: str, kind: str, key: str, placeholders: dict[str, str]
    ) -> None:
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            issue_id,
            data={"name": placeholders["name"], **issue_data(key)},
            is_fixable=True,
            severity=ir.IssueSeverity.WARNING,
            translation_key=kind,
            translation_placeholders=placeholders,
        )


def _name_of(entry: ConfigEntry) -> str | None:
    """Return the name by which others call the sequence of an entry; None for a draft."""
    if entry.data.get(CONF_KIND) != KIND_SEQUENCE:
        return None
    stored = entry.options.get(CONF_SEQUENCE)
    inner = stored.get("sequence") if isinstance(stored, Mapping) else None
    name = inner.get("name") if isinstance(inner, Mapping) else None
    return name if isinstance(name, str) else None
