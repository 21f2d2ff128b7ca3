"""What diagnostics say of hosts: no keys, no names of files, no commands that ran."""

from .host_link import HostLink

_ABOUT = (
    "system",
    "kernel",
    "machine",
    "python",
    "authorized",
    "commands",
    "commands_built_in",
    "unchecked",
    "implementations",
    "limits",
)


def host_diagnostics(link: HostLink) -> list[dict[str, object]]:
    """Return what helps to find a fault with hosts, one object each, JSON only."""
    return [
        {
            "connected": host.connected,
            "last_seen": None
            if host.last_seen is None
            else host.last_seen.isoformat("T", "seconds"),
            "waiter": host.waiter_version,
            "keys": len(host.record.keys),
            "about": {key: host.about[key] for key in _ABOUT if key in host.about},
            "metrics": dict(host.metrics),
        }
        for host in link.registry
    ]
