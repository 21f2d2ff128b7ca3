"""``waiter run``: connects to Home Assistant and stays connected."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys

from ..cli_parts import FAILED, MISUSED, add_config, config_of
from ..daemon import Daemon, key_file
from ..keys import KeyFileError


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``run``."""
    parser = subparsers.add_parser(
        "run",
        help="connect to Home Assistant and stay connected",
        description=(
            "Connect to Home Assistant and stay connected, until SIGTERM or Ctrl-C."
            " SIGHUP reads the configuration anew."
        ),
        allow_abbrev=False,
    )
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the daemon; what has to be mended first ends it at once."""
    config = config_of(args)
    if config.url is None:
        where = config.source or "waiter.yaml"
        print(
            f"waiter: {where} must name url, the address of Home Assistant"
            " ('waiter pair URL' writes it)",
            file=sys.stderr,
        )
        return MISUSED
    try:
        key_file(config).load()
    except KeyFileError as error:
        print(f"waiter: {error}", file=sys.stderr)
        return FAILED
    _log(config.log.level)
    asyncio.run(Daemon(config, args.config).run())
    return 0


def _log(level: str) -> None:
    # systemd adds the time by itself.
    plain = "JOURNAL_STREAM" in os.environ
    logging.basicConfig(
        stream=sys.stderr,
        format="%(message)s" if plain else "%(asctime)s %(levelname)s %(message)s",
    )
    logging.getLogger(__package__.partition(".")[0]).setLevel(level.upper())
