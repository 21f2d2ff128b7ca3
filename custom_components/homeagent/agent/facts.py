"""What diagnostics tell of an agent: kinds and lengths, no key, prompt or address.

Beside `settings`, which it reads; pure.
"""

from collections.abc import Mapping
import ipaddress
from urllib.parse import urlsplit

from .settings import Settings

type Facts = dict[str, object]


def agent_facts(data: Mapping[str, object]) -> Facts:
    """Return what may be told of the data of an agent's subentry."""
    settings = Settings.of(data)
    return {
        "server": _server_kind(settings.url),
        "has_key": bool(settings.key),
        "prompt_length": len(settings.prompt),
        "tool_choice": settings.tool_choice,
        "context": settings.context,
        "vision": settings.vision,
        "simple_tools": settings.simple,
    }


def _server_kind(url: str) -> Facts:
    """Return the scheme and the port of an address, and whether it is a local one."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return {"readable": False}
    return {
        "readable": bool(host),
        "encrypted": parts.scheme == "https",
        "port": port,
        "local": _is_local(host),
    }


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or "." not in host or host.endswith(".local")
