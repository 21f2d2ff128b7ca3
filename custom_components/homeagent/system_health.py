"""System health: the version that runs, and how much there is of everything.

A thin entrance; what is counted stands in `tools.diagnosis`.
"""

from typing import Any

from homeassistant.components.system_health import SystemHealthRegistration
from homeassistant.core import HomeAssistant, callback

from .agent.settings import SUBENTRY_TYPE
from .const import DOMAIN, KERNEL_UNIQUE_ID
from .runtime import DATA_RUNTIME
from .tools.access_rules import rule_subentries
from .tools.diagnosis import sequence_counts
from .tools.running_version import running_version


@callback
def async_register(hass: HomeAssistant, register: SystemHealthRegistration) -> None:
    """Offer the figures, with a link to the integration's page."""
    register.async_register_info(
        async_system_health_info, f"/config/integrations/integration/{DOMAIN}"
    )


async def async_system_health_info(hass: HomeAssistant) -> dict[str, Any]:
    """Return the figures, each under a key of `system_health.info`."""
    runtime = hass.data[DATA_RUNTIME]
    entry = hass.config_entries.async_entry_for_domain_unique_id(
        DOMAIN, KERNEL_UNIQUE_ID
    )
    counts, kept = sequence_counts(hass), runtime.history.figures()
    hosts = list(runtime.hosts.registry)
    agents = () if entry is None else entry.get_subentries_of_type(SUBENTRY_TYPE)
    return {
        "version": running_version(hass),
        "sequences_loaded": counts.loaded,
        "sequences_damaged": counts.damaged,
        "sequences_draft": counts.drafts,
        "hosts": len(hosts),
        "hosts_connected": sum(host.connected for host in hosts),
        "agents": len(list(agents)),
        "access_rules": 0 if entry is None else len(list(rule_subentries(entry))),
        "runs_kept": kept["runs"],
        "batches_kept": kept["batches"],
        "history_size": f"{kept['bytes'] / 1024:.0f} KiB",
    }
