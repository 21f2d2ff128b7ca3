"""``waiter once``: judges a line as the daemon does, and runs it here."""

from __future__ import annotations

import argparse
import asyncio
import sys

from ..audit import AuditLog, entry
from ..cli_parts import (
    FAILED,
    NOT_INSTALLED,
    REFUSED,
    TIMED_OUT,
    add_config,
    config_of,
    refusal_text,
)
from ..config import Config
from ..executor import Bounds, NotInstalledError, Outcome, execute
from ..gate import Plan, Policy, Refusal, decide
from ..paths import state_folder


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``once``."""
    parser = subparsers.add_parser(
        "once",
        help="run one command line here, if the gate lets it (exit code 3: refused)",
        allow_abbrev=False,
    )
    add_config(parser)
    parser.add_argument("line", metavar="LINE", help="such as 'df -h'")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge and run; the exit code is that of the last command."""
    config = config_of(args)
    decision = decide(args.line, Policy.from_config(config))
    if isinstance(decision, Refusal):
        _audit(config, args.line, decision, None, None)
        print(refusal_text(decision), file=sys.stderr)
        return REFUSED
    bounds = Bounds(timeout=config.limits.timeout, output=config.limits.output)
    try:
        outcome = asyncio.run(execute(decision, bounds))
    except NotInstalledError as err:
        _audit(config, args.line, decision, None, str(err))
        print(err, file=sys.stderr)
        return NOT_INSTALLED
    _audit(config, args.line, decision, outcome, None)
    sys.stdout.write(outcome.stdout)
    sys.stderr.write(outcome.stderr)
    return _code(outcome, bounds)


def _code(outcome: Outcome, bounds: Bounds) -> int:
    if outcome.timed_out:
        print(f"waiter: ended after {bounds.timeout:g} seconds", file=sys.stderr)
        return TIMED_OUT
    if outcome.exit_code is None:
        print("waiter: a process could not be killed", file=sys.stderr)
        return FAILED
    return outcome.exit_code if outcome.exit_code >= 0 else 128 - outcome.exit_code


def _audit(
    config: Config,
    line: str,
    decision: Plan | Refusal,
    outcome: Outcome | None,
    note: str | None,
) -> None:
    log = AuditLog(
        state_folder(), size=config.log.audit_size, files=config.log.audit_files
    )
    try:
        log.write(
            entry(line, decision, outcome, request="once", who="local", note=note)
        )
    except OSError as err:
        print(f"waiter: the audit log cannot be written: {err}", file=sys.stderr)
