"""The command ``waiter``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import sys

from . import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="waiter",
        description="Keeps an AI agent at work on this computer for HomeAgent.",
    )
    parser.add_argument("--version", action="version", version=f"waiter {__version__}")
    parser.parse_args(argv)
    parser.print_usage(sys.stderr)
    return 2
