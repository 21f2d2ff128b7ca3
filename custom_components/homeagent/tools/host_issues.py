"""Repair issues of hosts: what a person should mend, told once (page 4 §4.1)."""

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from ..hosts.registry import Trouble

_SEVERITY = {
    Trouble.DUPLICATE: ir.IssueSeverity.WARNING,
    Trouble.WRONG_KEY: ir.IssueSeverity.WARNING,
    Trouble.WAITER_OUTDATED: ir.IssueSeverity.WARNING,
    Trouble.HOMEAGENT_OUTDATED: ir.IssueSeverity.WARNING,
}


@callback
def async_report(
    hass: HomeAssistant, host_id: str, name: str, trouble: Trouble
) -> None:
    """Raise the issue; the same one a second time changes nothing."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        _issue_id(host_id, trouble),
        is_fixable=False,
        severity=_SEVERITY[trouble],
        translation_key=f"host_{trouble.value}",
        translation_placeholders={"host": name},
    )


@callback
def async_clear(hass: HomeAssistant, host_id: str, trouble: Trouble) -> None:
    """Take the issue back, if there is one."""
    ir.async_delete_issue(hass, DOMAIN, _issue_id(host_id, trouble))


def _issue_id(host_id: str, trouble: Trouble) -> str:
    return f"host_{trouble.value}_{host_id}"
