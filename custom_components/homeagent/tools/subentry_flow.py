"""What the flows of all subentries share: what they are about may be deleted meanwhile.

Below the flows of rules, agents and hosts; never imports an entrance.
"""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
    UnknownEntry,
    UnknownSubEntry,
)
from homeassistant.core import callback
from homeassistant.data_entry_flow import AbortFlow

GONE = "gone"
"""Reason to end a flow, with a text of its own below each kind of subentry."""


class SubentryFlow(ConfigSubentryFlow):
    """Ends in words where the entry, or the subentry to change, is there no more."""

    @callback
    @override
    def _get_entry(self) -> ConfigEntry:
        """Return the entry that the subentries are in."""
        try:
            return super()._get_entry()
        except UnknownEntry as err:
            raise AbortFlow(GONE) from err

    @callback
    @override
    def _get_reconfigure_subentry(self) -> ConfigSubentry:
        """Return the subentry that is changed."""
        try:
            return super()._get_reconfigure_subentry()
        except (UnknownEntry, UnknownSubEntry) as err:
            raise AbortFlow(GONE) from err

    def save(self, title: str, data: Mapping[str, Any]) -> SubentryFlowResult:
        """Add the subentry, or change the one that the flow is about."""
        if self.source != SOURCE_RECONFIGURE:
            return self.async_create_entry(title=title, data=data)
        return self.async_update_and_abort(
            self._get_entry(), self._get_reconfigure_subentry(), title=title, data=data
        )
