"""What the sub-commands share: options, exit codes, and how a refusal is told."""

from __future__ import annotations

import argparse
from pathlib import Path
import sys

from .config import Config
from .config_file import ConfigError, load_config
from .gate import Policy, Refusal

FAILED = 1
MISUSED = 2
REFUSED = 3
TIMED_OUT = 124
NOT_INSTALLED = 127


def add_config(
    target: argparse.ArgumentParser, default: object = argparse.SUPPRESS
) -> None:
    """Add ``--config FILE``, which may stand before and after the sub-command."""
    target.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        default=default,
        help="the configuration instead of the usual waiter.yaml",
    )


def config_of(args: argparse.Namespace) -> Config:
    """Return the configuration, or end the command with what is wrong with it."""
    try:
        return load_config(args.config)
    except ConfigError as err:
        print(err, file=sys.stderr)
        raise SystemExit(MISUSED) from err


def policy_of(args: argparse.Namespace) -> Policy:
    """Return the policy of the configuration, or end the command."""
    return Policy.from_config(config_of(args))


def refusal_text(refusal: Refusal) -> str:
    """Say a refusal on one line."""
    where = f" at {refusal.token!r}" if refusal.token else ""
    return f"refused ({refusal.stage}, {refusal.code}){where}: {refusal.hint}"
