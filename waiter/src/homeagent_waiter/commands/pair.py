"""``waiter pair``: gets this host's key from Home Assistant, by a one-time code."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path
import sys

from pydantic import ValidationError

from ..cli_parts import FAILED, MISUSED, add_config, config_of
from ..config import Config
from ..daemon import address, key_file
from ..gate import Policy
from ..keys import KeyFileError
from ..link import DialError
from ..link_facts import about_host, host_name
from ..link_socket import dial
from ..pairing import PairingError, pair
from ..paths import SYSTEM_CONFIG, user_config
from ..protocol import code_key

TRIES = 3
"""How often a person may mistype the code."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``pair``."""
    parser = subparsers.add_parser(
        "pair",
        help="get this host's key from Home Assistant",
        description=(
            "Get this host's key from Home Assistant. The code that its dialog 'Add a"
            " NAS host' shows is asked for; it is never an argument."
        ),
        allow_abbrev=False,
    )
    add_config(parser)
    parser.add_argument(
        "url",
        metavar="URL",
        nargs="?",
        help="the address of Home Assistant, such as http://homeassistant.local:8123;"
        " needless if the configuration names it",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ask for the code and pair."""
    config = config_of(args)
    try:
        config = _with_url(config, args.url)
    except ValidationError as error:
        print(f"waiter: {_words(error)}", file=sys.stderr)
        return MISUSED
    if config.url is None:
        print(
            "waiter: name the address of Home Assistant: waiter pair URL",
            file=sys.stderr,
        )
        return MISUSED
    code = _ask_for_code()
    if code is None:
        print("waiter: that is no pairing code", file=sys.stderr)
        return MISUSED
    try:
        host_id = asyncio.run(_pair(config, code))
    except (PairingError, DialError, KeyFileError) as error:
        print(f"waiter: {error}", file=sys.stderr)
        return FAILED
    print(f"This host is paired, as {host_id}; its key is in {key_file(config).path}.")
    _write_config(config)
    if not config.device_authorized:
        print(
            "Home Assistant sees how it is, and may not run commands on it until"
            " waiter.yaml says device_authorized: true."
        )
    print("Start 'waiter run', or 'waiter install' to have it started by systemd.")
    return 0


async def _pair(config: Config, code: str) -> str:
    about = about_host(config, Policy.from_config(config))
    shown: dict[str, object] = {"system": about["system"]}
    async with dial(address(config)) as socket:
        return await pair(
            socket,
            code=code,
            name=host_name(config),
            about=shown,
            file=key_file(config),
        )


def _with_url(config: Config, url: str | None) -> Config:
    """Return the configuration with another address, checked like one in a file."""
    if url is None:
        return config
    checked = Config(url=url)
    return config.model_copy(update={"url": checked.url})


def _ask_for_code() -> str | None:
    """Ask for the code until it can be one; None if it never is."""
    asks = sys.stdin.isatty()
    for _ in range(TRIES if asks else 1):
        if asks:
            print("Pairing code: ", end="", flush=True)
        code = sys.stdin.readline(200)
        try:
            code_key(code)
        except ValueError as error:
            if asks:
                print(f"{error}.", file=sys.stderr)
            if not code:
                return None
            continue
        return code
    return None


def _write_config(config: Config) -> None:
    """Write the address where the daemon finds it, if there is no file yet."""
    if config.source is not None:
        return
    path = SYSTEM_CONFIG if os.geteuid() == 0 else user_config()
    try:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        _create(path, f"url: {config.url}\n")
    except OSError as error:
        print(f"Write url: {config.url} to {path}; it cannot be written: {error}")
        return
    print(f"The address of Home Assistant is in {path}.")


def _create(path: Path, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o644), "w") as stream:
        stream.write(text)


def _words(error: ValidationError) -> str:
    return "; ".join(one["msg"].removeprefix("Value error, ") for one in error.errors())
