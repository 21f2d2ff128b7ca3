"""Daemon: everything put together, from the start to the end of ``waiter run``.

The composition root of the link (design page 4 §4.1, §4.2). SIGHUP reads the
configuration anew and keeps the last good one; SIGTERM and SIGINT end.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
import logging
from pathlib import Path
import random
import signal

from . import __version__
from .audit import AuditLog
from .config import Config
from .config_file import ConfigError, load_config
from .daemon_notify import keep_watchdog_quiet, notify
from .gate import Policy
from .keys import HostKey, KeyFile
from .link import ClientSocket, DialError, Link, Ports
from .link_awake import asleep
from .link_facts import HostFacts
from .link_gate import Gate
from .link_reports import report
from .link_socket import Address, dial
from .link_work import Answer, Pace, Request, Work
from .paths import state_folder
from .protocol import Close

_LOGGER = logging.getLogger(__name__)


def key_file(config: Config) -> KeyFile:
    """Return where the key is."""
    return KeyFile(config.key_file or state_folder() / "key")


def address(config: Config) -> Address:
    """Return where Home Assistant is; DialError if the configuration does not say."""
    if config.url is None:
        raise DialError("the configuration names no url of Home Assistant")
    return Address(url=config.url, ca_file=config.tls.ca_file, pin=config.tls.pin)


class Daemon:
    """One waiter that runs; ``file`` is the configuration that was asked for."""

    def __init__(self, config: Config, file: Path | None) -> None:
        self._file = file
        self._gate = _gate(config)
        self._work = Work(self._answer, _pace(config))
        self._link = Link(
            ports=Ports(
                dial=self._dial,
                key=self._key,
                rekey=self._rekey,
                random=random.SystemRandom().random,
                asleep=asleep,
            ),
            work=self._work,
            facts=HostFacts(lambda: self._gate.config, lambda: self._gate.policy),
            version=__version__,
        )

    async def run(self) -> None:
        """Run until a signal ends it."""
        loop, ending = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, ending.set)
        loop.add_signal_handler(signal.SIGHUP, self.reload)
        _LOGGER.info("%s", summary(self._gate))
        tasks = [
            loop.create_task(work)
            for work in (self._link.run(), keep_watchdog_quiet(), ending.wait())
        ]
        notify("READY=1")
        try:
            # The watchdog's task ends at once where nobody watches.
            await asyncio.wait(
                (tasks[0], tasks[2]), return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            notify("STOPPING=1")
            for task in tasks:
                task.cancel()
            await self._work.close()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result
        _LOGGER.info("the waiter has ended")

    def reload(self) -> None:
        """Read the configuration anew; what is wrong with it changes nothing."""
        try:
            config = load_config(self._file)
        except ConfigError as error:
            _LOGGER.error(
                "The configuration is not taken, the last one stays: %s", error
            )
            return
        moved = (
            config.url != self._gate.config.url or config.tls != self._gate.config.tls
        )
        self._gate = _gate(config)
        self._work.pace = _pace(config)
        logging.getLogger(__package__).setLevel(config.log.level.upper())
        _LOGGER.info("%s", summary(self._gate))
        if moved and self._link.session is not None:
            self._link.session.end(Close.NORMAL)
        self._link.hurry()

    async def _answer(self, request: Request) -> Answer:
        gate = self._gate
        if request.report is not None:
            return await report(request, gate.answer)
        return await gate.answer(request)

    def _dial(self) -> AbstractAsyncContextManager[ClientSocket]:
        return dial(address(self._gate.config))

    def _key(self) -> HostKey:
        return key_file(self._gate.config).load()

    def _rekey(self, key: bytes) -> None:
        file = key_file(self._gate.config)
        file.store(HostKey(file.load().id, key))


def _gate(config: Config) -> Gate:
    log = AuditLog(
        state_folder(), size=config.log.audit_size, files=config.log.audit_files
    )
    return Gate(config=config, policy=Policy.from_config(config), log=log)


def _pace(config: Config) -> Pace:
    return Pace(at_once=config.limits.at_once, per_minute=config.limits.per_minute)


def summary(gate: Gate) -> str:
    """Say in one line what was read and what it allows."""
    config, policy = gate.config, gate.policy
    source = config.source or "no configuration file"
    which = "the built-in list" if policy.built_in else "a list of its own"
    unchecked = f", {len(policy.unchecked)} unchecked" if policy.unchecked else ""
    remote = "on" if config.device_authorized else "off"
    return (
        f"{source}: {len(policy.allowed)} commands allowed ({which}){unchecked};"
        f" remote control is {remote}"
    )
