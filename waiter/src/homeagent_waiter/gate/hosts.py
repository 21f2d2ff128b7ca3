"""Gate, fourth stage: which hosts may be asked. Pure; looks up nothing.

A looked-up name can carry data out, so names must be allowed (design page 4, §4.3).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from ipaddress import ip_address
import re

from .plan import Code
from .refused import RefusedError, shown

# Reserved for examples (RFC 2606), and the same everywhere.
EXAMPLES = frozenset({"example.org", "example.com", "example.net"})
_NAME = re.compile(
    r"([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
    re.ASCII,
)
_LONGEST = 253


def check_host(text: str, allowed: AbstractSet[str]) -> None:
    """Refuse a host that is no address and no allowed name."""
    if is_address(text):
        return
    name = text.lower().removesuffix(".")
    known = name in allowed or any(
        name == example or name.endswith("." + example) for example in EXAMPLES
    )
    if not known or len(name) > _LONGEST or not _NAME.fullmatch(name):
        hint = "an address, or a name that device_dns_allow lists"
        raise RefusedError(Code.NETWORK, shown(text), hint)


def is_address(text: str) -> bool:
    """Return whether a text is an IPv4 address or an IPv6 one, maybe with a zone."""
    address, percent, zone = text.partition("%")
    if percent and not re.fullmatch(r"[A-Za-z0-9_.-]{1,15}", zone):
        return False
    try:
        ip_address(address)
    except ValueError:
        return False
    return True
