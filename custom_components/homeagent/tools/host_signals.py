"""What tells of hosts inside Home Assistant, and what a host's device is called.

Beside `host_link`; names only.
"""

from typing import Final

from ..const import DOMAIN

HOST_ADDED: Final = f"{DOMAIN}_host_added"
"""Signal with a host's id: its entities are to be added."""

HOST_CHANGED: Final = f"{DOMAIN}_host_changed_{{}}"
"""Signal of one host, without more: it came, went, or told something new."""

HOST_REFUSED: Final = f"{DOMAIN}_host_refused_{{}}"
"""Signal of one host, with the `RefusedCommand`."""


def host_identifier(host_id: str) -> tuple[str, str]:
    """Return the identifier of a host's device."""
    return (DOMAIN, f"host_{host_id}")
