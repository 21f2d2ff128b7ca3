"""The tools of hosts: run a command, report, list, tell about one (page 4 §4.4).

Reached through the kernel's door only; what a command may do is decided on the host.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
import re
from typing import Final

from ..hosts.host import Host, HostLostError, HostOfflineError
from ..hosts.protocol import Message, ProtocolError
from ..kernel.contract import (
    Arguments,
    Caller,
    CallFacts,
    Checked,
    Invocation,
    Tool,
    ToolDefinition,
)
from ..kernel.errors import Reason, ToolError
from ..kernel.validation import compile_schema
from .host_answers import host_answer, lost, not_text, offline, too_late
from .host_definitions import HOST_INFO, HOST_LIST, HOST_REPORT, HOST_RUN
from .host_link import HostLink

GRACE: Final = 15.0
"""Seconds that a host gets on top of a command's own time."""

USUAL_TIMEOUT: Final = 15.0
REPORT_TIMEOUT: Final = 60.0

_WORDS = re.compile(r"[^\s|]+")

type Work = Callable[[Invocation], Coroutine[object, object, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPorts:
    """What the tools stand on.

    `may_use`: may this caller use this device with any of the tools? `who` names a
    caller for the host's own audit log. `area` names the area of a device.
    """

    link: HostLink
    may_use: Callable[[Caller, str], bool]
    who: Callable[[Caller], str]
    area: Callable[[str], str | None]


class HostTool:
    """One of the tools; implements the kernel's `Tool`."""

    def __init__(
        self,
        definition: ToolDefinition,
        work: Work,
        is_safe: Callable[[Arguments], bool] = lambda arguments: True,
    ) -> None:
        """Take what does the call, and what may narrow the declaration."""
        self.definition = definition
        self._work = work
        self._is_safe = is_safe
        self._check = compile_schema(definition.parameters)

    def check(self, arguments: Arguments) -> Checked:
        """Coerce and check."""
        return self._check(arguments)

    def facts(self, arguments: Arguments, caller: Caller) -> CallFacts:
        """Two commands may run side by side, unless one is let through unchecked."""
        safe = self.definition.parallel_safe and self._is_safe(arguments)
        return CallFacts(parallel_safe=safe)

    async def call_tool(self, invocation: Invocation) -> object:
        """Do it."""
        return await self._work(invocation)


class HostTools:
    """Makes the tools, and does their work."""

    def __init__(self, ports: HostPorts) -> None:
        """Take the ports."""
        self._ports = ports
        self._link = ports.link

    def tools(self) -> list[Tool]:
        """Return the four tools."""
        return [
            HostTool(HOST_RUN, self.run, self.is_checked),
            HostTool(HOST_REPORT, self.report),
            HostTool(HOST_LIST, self.list),
            HostTool(HOST_INFO, self.info),
        ]

    def is_checked(self, arguments: Arguments) -> bool:
        """Whether no word of a command is a program that the host runs unchecked."""
        hosts = self._link.named(str(arguments.get("host")))
        words = set(_WORDS.findall(str(arguments.get("command"))))
        return not any(words.intersection(_unchecked(host)) for host in hosts)

    async def run(self, invocation: Invocation) -> object:
        """Run a command and wait for what comes of it."""
        arguments = invocation.arguments
        host = self._host(arguments)
        if isinstance(host, ToolError):
            return host
        timeout = arguments.get("timeout")
        own = _number(_object(host.about, "limits"), "timeout") or USUAL_TIMEOUT
        seconds = float(timeout) if isinstance(timeout, int | float) else own
        fields = {"command": arguments["command"], "timeout": timeout}
        return await self._ask(host, "command", fields, invocation.caller, seconds)

    async def report(self, invocation: Invocation) -> object:
        """Ask for a report, which the host makes with what it has."""
        host = self._host(invocation.arguments)
        if isinstance(host, ToolError):
            return host
        fields = {"report": invocation.arguments["kind"]}
        return await self._ask(
            host, "report", fields, invocation.caller, REPORT_TIMEOUT
        )

    async def list(self, invocation: Invocation) -> object:
        """List the hosts that the caller may use."""
        hosts = []
        for host in self._link.registry:
            device_id = self._link.device_id(host.record.id)
            if device_id is None or not self._ports.may_use(
                invocation.caller, device_id
            ):
                continue
            hosts.append(
                {
                    "name": host.record.name,
                    "device_id": device_id,
                    "area": self._ports.area(device_id),
                    "connected": host.connected,
                    "last_seen": _seen(host),
                }
            )
        return {"hosts": hosts}

    async def info(self, invocation: Invocation) -> object:
        """Tell about one host."""
        host = self._host(invocation.arguments)
        if isinstance(host, ToolError):
            return host
        if not host.connected:
            return offline(host.record.name, _seen(host))
        return {
            "name": host.record.name,
            "waiter": host.waiter_version,
            **host.about,
            "metrics": dict(host.metrics),
        }

    def _host(self, arguments: Arguments) -> Host | ToolError:
        name = str(arguments["host"])
        hosts = self._link.named(name)
        if len(hosts) == 1:
            return hosts[0]
        found = "several hosts have" if hosts else "no host has"
        return ToolError(
            reason=Reason.VALUE,
            field="host",
            detail=f"{found} the name or device id {name[:100]!r}",
            hint="host_list tells the names and device ids; give the id of one.",
        )

    async def _ask(
        self,
        host: Host,
        kind: str,
        fields: Mapping[str, object],
        caller: Caller,
        seconds: float,
    ) -> object:
        name = host.record.name
        known = {**fields, "who": self._ports.who(caller)}
        asked = asyncio.ensure_future(host.ask(kind, known))
        try:
            message = await _answer(host, asked, seconds + GRACE)
        except HostOfflineError:
            return offline(name, _seen(host))
        except HostLostError:
            return lost(name)
        except ProtocolError:
            return not_text()
        finally:
            asked.cancel()
        return too_late(name, seconds) if message is None else host_answer(message)


async def _answer(
    host: Host, asked: asyncio.Future[Message], limit: float
) -> Message | None:
    """Wait for the answer; None if the host is there all the time and gives none.

    While the host is away the question waits as long as its result may be kept.
    """
    while True:
        await asyncio.wait((asked,), timeout=limit)
        if asked.done():
            return await asked
        if host.connected:
            return None


def _unchecked(host: Host) -> frozenset[str]:
    names = host.about.get("unchecked")
    return frozenset(map(str, names)) if isinstance(names, list) else frozenset()


def _object(data: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = data.get(key)
    return value if isinstance(value, Mapping) else {}


def _number(data: Mapping[str, object], key: str) -> float | None:
    value = data.get(key)
    return float(value) if isinstance(value, int | float) else None


def _seen(host: Host) -> str | None:
    return None if host.last_seen is None else host.last_seen.isoformat("T", "seconds")
