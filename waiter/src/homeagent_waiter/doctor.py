"""What ``waiter doctor`` looks at, one check a function. Changes nothing.

Each finding says what was looked at, whether it is right, and what to do.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
import os
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from .config import Config
from .daemon import address, key_file
from .executor import Bounds, NotInstalledError, execute
from .gate import Policy, Refusal, decide
from .gate.grammars import GRAMMARS
from .keys import KeyFileError
from .link import DialError
from .link_socket import Address, dial
from .paths import state_folder

MOST_SKEW = 120
_PROXIES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy")


class State(StrEnum):
    """How a finding is meant."""

    GOOD = "ok"
    NOTE = "note"
    BAD = "FAIL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found."""

    about: str
    state: State
    text: str


def good(about: str, text: str) -> Finding:
    """Return that something is right."""
    return Finding(about=about, state=State.GOOD, text=text)


def note(about: str, text: str) -> Finding:
    """Return something to know."""
    return Finding(about=about, state=State.NOTE, text=text)


def bad(about: str, text: str) -> Finding:
    """Return something to mend."""
    return Finding(about=about, state=State.BAD, text=text)


async def findings(config: Config) -> AsyncIterator[Finding]:
    """Give the findings of all checks, as they come."""
    policy = Policy.from_config(config)
    local: tuple[Callable[[], Iterator[Finding]], ...] = (
        lambda: _configuration(config),
        lambda: _allowed(policy),
        lambda: _state(state_folder()),
        lambda: _key(config),
    )
    for check in local:
        for finding in check():
            yield finding
    yield await _command(config, policy)
    yield note("backstop", "no kernel sandbox is active; the gate stands alone")
    if config.url is not None:
        async for finding in _link(address(config)):
            yield finding


def _configuration(config: Config) -> Iterator[Finding]:
    if config.source is None:
        yield note("configuration", "there is no file; the built-in settings hold")
    else:
        yield good("configuration", f"{config.source} is valid")
    if config.url is None:
        yield bad("url", "it is missing; 'waiter pair URL' writes it")
    if not config.device_authorized:
        yield note(
            "remote control",
            "off: Home Assistant sees this host but runs nothing on it;"
            " device_authorized: true allows it",
        )


def _allowed(policy: Policy) -> Iterator[Finding]:
    which = "the built-in list" if policy.built_in else "device_cmd_allowlist"
    yield good("commands", f"{len(policy.allowed)} allowed, by {which}")
    without = sorted(policy.allowed - set(GRAMMARS) - policy.unchecked)
    if without:
        yield note("commands", f"refused for want of a grammar: {' '.join(without)}")
    if policy.unchecked:
        names = " ".join(sorted(policy.unchecked))
        yield note("commands", f"run with any words (device_cmd_unchecked): {names}")


def _state(folder: Path) -> Iterator[Finding]:
    try:
        facts = folder.stat()
    except FileNotFoundError:
        yield note("state", f"{folder} is not there yet; pairing makes it")
        return
    except OSError as err:
        yield bad("state", f"{folder}: {err.strerror}")
        return
    if facts.st_mode & 0o022:
        yield bad("state", f"others may write {folder}; chmod go-w {folder}")
    elif not os.access(folder, os.W_OK):
        yield bad("state", f"{folder} cannot be written by this user")
    else:
        yield good("state", f"{folder} is this user's")


def _key(config: Config) -> Iterator[Finding]:
    try:
        key = key_file(config).load()
    except KeyFileError as err:
        yield bad("key", str(err))
    else:
        yield good("key", f"{key_file(config).path}, for the host {key.id}")


async def _command(config: Config, policy: Policy) -> Finding:
    """Run one harmless command through gate and executor."""
    name = next(
        (each for each in ("uptime", "date", "pwd") if each in policy.allowed), ""
    )
    if not name:
        return note("one command", "none of uptime, date and pwd is allowed")
    plan = decide(name, policy)
    if isinstance(plan, Refusal):
        return bad("one command", f"{name} is refused: {plan.hint}")
    try:
        outcome = await execute(plan, Bounds(timeout=config.limits.timeout))
    except NotInstalledError as err:
        return bad("one command", str(err))
    if outcome.exit_code != 0:
        return bad("one command", f"{name} ended with {outcome.exit_code}")
    return good("one command", f"{name} ran in {outcome.duration * 1000:.0f} ms")


async def _link(where: Address) -> AsyncIterator[Finding]:
    """Look at the way to Home Assistant, from the name to the WebSocket."""
    parts = urlsplit(where.url)
    set_here = [name for name in _PROXIES if os.environ.get(name)]
    if set_here:
        yield note("proxy", f"{set_here[0]} is set; the waiter uses no proxy")
    loop, host = asyncio.get_running_loop(), parts.hostname or ""
    try:
        found = await loop.getaddrinfo(host, parts.port or 80)
    except OSError as err:
        yield bad("name", f"{host} has no address here: {err.strerror}")
        return
    yield good("name", f"{host} is {found[0][4][0]}")
    if parts.scheme == "http":
        yield note("TLS", "none; the waiter's own channel encrypts all the same")
    yield await _clock(where)
    try:
        async with dial(where):
            yield good("Home Assistant", f"{where.url} takes hosts")
    except DialError as err:
        yield bad("Home Assistant", str(err))


async def _clock(where: Address) -> Finding:
    """Compare the clocks, by the date that every answer bears."""
    timeout = aiohttp.ClientTimeout(total=15)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(where.url, ssl=where.ssl(), allow_redirects=False) as answer,
        ):
            theirs = parsedate_to_datetime(answer.headers.get("Date", ""))
    except (DialError, aiohttp.ClientError, OSError, TimeoutError, ValueError) as err:
        return note("clock", f"not compared: {str(err) or type(err).__name__}")
    skew = abs((datetime.now(UTC) - theirs).total_seconds())
    if skew > MOST_SKEW:
        return note(
            "clock", f"{skew:.0f} s away from Home Assistant's; certificates may fail"
        )
    return good("clock", "as Home Assistant's")
