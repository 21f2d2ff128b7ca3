"""Link: what this host tells Home Assistant of itself (design page 4 §4.4).

Above the configuration, the gate and ``metrics``. Nothing secret: names of commands,
limits, figures.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
import logging
import platform
import socket

from . import metrics
from .config import Config
from .gate import Policy

_LOGGER = logging.getLogger(__name__)

MEASURE_LIMIT = 10.0
"""Seconds after which a measurement is given up; a dead disk can hold it for ever."""


class HostFacts:
    """Tells of this host, by the configuration as it is when somebody asks."""

    def __init__(
        self, config: Callable[[], Config], policy: Callable[[], Policy]
    ) -> None:
        self._config = config
        self._policy = policy
        self._measuring: asyncio.Future[dict[str, object]] | None = None

    async def about(self) -> dict[str, object]:
        """Return what rarely changes."""
        return await asyncio.to_thread(about_host, self._config(), self._policy())

    async def metrics(self) -> dict[str, object] | None:
        """Return what was measured; None if nothing is to be, or it takes too long."""
        if not self._config().metrics.enabled:
            return None
        if self._measuring is None or self._measuring.done():
            self._measuring = asyncio.ensure_future(asyncio.to_thread(metrics.measure))
        done, _ = await asyncio.wait((self._measuring,), timeout=MEASURE_LIMIT)
        if not done:
            _LOGGER.warning("This host cannot be measured: a disk does not answer")
            return None
        return self._measuring.result()

    def interval(self) -> float:
        """Return the seconds between two measurements."""
        return float(self._config().metrics.interval)


def about_host(config: Config, policy: Policy) -> dict[str, object]:
    """Return what Home Assistant shows of this host."""
    limits = config.limits
    return {
        "hostname": socket.gethostname(),
        "system": system_name(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "config_file": None if config.source is None else str(config.source),
        "authorized": config.device_authorized,
        "commands": sorted(policy.allowed),
        "commands_built_in": policy.built_in,
        "unchecked": sorted(policy.unchecked),
        "implementations": implementations(policy),
        "limits": {
            "timeout": limits.timeout,
            "output": limits.output,
            "at_once": limits.at_once,
            "per_minute": limits.per_minute,
        },
    }


def implementations(policy: Policy) -> dict[str, str | None]:
    """Return which implementation each allowed command has here; None: not installed."""
    found: dict[str, str | None] = {}
    for name in sorted(policy.allowed | policy.unchecked):
        program = policy.programs.find(name)
        family = getattr(program, "family", None)
        found[name] = None if program is None else str(family or "unsafe")
    return found


def system_name() -> str:
    """Return the name of the system, such as ``Debian GNU/Linux 12 (bookworm)``."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return platform.platform()
    return release.get("PRETTY_NAME") or release.get("NAME") or platform.system()


def host_name(config: Config) -> str:
    """Return what this host calls itself when it is paired."""
    return config.name or socket.gethostname().partition(".")[0] or "NAS"
