"""Repair issues of hosts: what a person should mend, told once (page 4 §4.1)."""

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN, KERNEL_UNIQUE_ID
from ..hosts.registry import Trouble
from .host_records import CONF_HOST_ID, host_subentries
from .mending import IssueData, issue_data

_SEVERITY = {
    Trouble.DUPLICATE: ir.IssueSeverity.WARNING,
    Trouble.WRONG_KEY: ir.IssueSeverity.WARNING,
    Trouble.WAITER_OUTDATED: ir.IssueSeverity.WARNING,
    Trouble.HOMEAGENT_OUTDATED: ir.IssueSeverity.WARNING,
}

_HAS_FLOW = frozenset({Trouble.DUPLICATE, Trouble.WRONG_KEY, Trouble.WAITER_OUTDATED})
"""What a new key mends, and what can be looked at again after an update."""


@callback
def async_report(
    hass: HomeAssistant, host_id: str, name: str, trouble: Trouble
) -> None:
    """Raise the issue; the same one a second time changes nothing."""
    data = _place_of(hass, host_id)
    ir.async_create_issue(
        hass,
        DOMAIN,
        _issue_id(host_id, trouble),
        data=data,
        is_fixable=trouble in _HAS_FLOW and data is not None,
        severity=_SEVERITY[trouble],
        translation_key=f"host_{trouble.value}",
        translation_placeholders={"host": name},
    )


@callback
def async_clear(hass: HomeAssistant, host_id: str, trouble: Trouble) -> None:
    """Take the issue back, if there is one."""
    ir.async_delete_issue(hass, DOMAIN, _issue_id(host_id, trouble))


def _place_of(hass: HomeAssistant, host_id: str) -> IssueData | None:
    """Return where a host is edited."""
    entry = hass.config_entries.async_entry_for_domain_unique_id(
        DOMAIN, KERNEL_UNIQUE_ID
    )
    if entry is None:
        return None
    for subentry in host_subentries(entry):
        if subentry.data.get(CONF_HOST_ID) == host_id:
            return issue_data(entry.entry_id, subentry.subentry_id)
    return None


def _issue_id(host_id: str, trouble: Trouble) -> str:
    return f"host_{trouble.value}_{host_id}"
