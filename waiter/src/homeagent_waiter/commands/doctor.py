"""``waiter doctor``: looks whether everything is right here, and says what to mend."""

from __future__ import annotations

import argparse
import asyncio

from ..cli_parts import FAILED, add_config, config_of
from ..config import Config
from ..doctor import State, findings


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``doctor``."""
    parser = subparsers.add_parser(
        "doctor",
        help="look whether everything is right here (exit code 1: something is not)",
        allow_abbrev=False,
    )
    add_config(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one finding a line."""
    return asyncio.run(_run(config_of(args)))


async def _run(config: Config) -> int:
    code = 0
    async for finding in findings(config):
        print(f"{finding.state:<4}  {finding.about}: {finding.text}", flush=True)
        if finding.state is State.BAD:
            code = FAILED
    return code
