"""Gate, fourth stage: which hosts may be asked. Pure; looks up nothing.

A looked-up name can carry data out, so names must be allowed (design page 4, §4.3).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from ipaddress import IPv6Network, ip_address, ip_network
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
_LINK_LOCAL = IPv6Network("fe80::/10")


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


def is_network(text: str) -> bool:
    """Return whether a text is an address, or one with the length of its prefix."""
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return "%" not in text


def is_address(text: str) -> bool:
    """Return whether a text is an address; only a link-local one may have a zone.

    A zone is the name of an interface. With a dot in it, it could be a name to look up.
    """
    address, percent, zone = text.partition("%")
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if not percent:
        return True
    return found in _LINK_LOCAL and bool(re.fullmatch(r"[A-Za-z0-9_-]{1,15}", zone))
