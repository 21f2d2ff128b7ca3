"""The command ``waiter``. Knows only which sub-commands there are."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import importlib
import pkgutil
import sys

from . import __version__, commands
from .cli_parts import MISUSED, add_config


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="waiter",
        description="Shows this computer to HomeAgent and runs gated commands for it.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"waiter {__version__}")
    add_config(top, default=None)
    subparsers = top.add_subparsers(metavar="COMMAND")
    for found in pkgutil.iter_modules(commands.__path__):
        module = importlib.import_module(f"{commands.__name__}.{found.name}")
        module.add_parser(subparsers)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    top = parser()
    args = top.parse_args(argv)
    if not hasattr(args, "run"):
        top.print_usage(sys.stderr)
        return MISUSED
    return int(args.run(args))
