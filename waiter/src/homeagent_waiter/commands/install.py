"""``waiter install``: has systemd start the waiter, as a user of its own.

Touches neither key nor configuration; done again after an update it writes the unit anew.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
import pwd
import shutil
import subprocess
import sys

from ..cli_parts import FAILED, MISUSED, add_config, config_of
from ..service import UNIT, USER, unit


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``install``."""
    parser = subparsers.add_parser(
        "install",
        help="have systemd start the waiter (as root; --print only shows the unit)",
        allow_abbrev=False,
    )
    add_config(parser)
    parser.add_argument(
        "--print",
        action="store_true",
        dest="only",
        help="print the unit, write nothing",
    )
    parser.add_argument("--user", default=USER, help=f"who runs it; {USER} is made")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the unit and start it, or only show it."""
    config_of(args)
    config = args.config.absolute() if args.config is not None else None
    try:
        text = unit(_program(), config, args.user)
    except ValueError as err:
        print(f"waiter: {err}", file=sys.stderr)
        return MISUSED
    if args.only:
        print(text, end="")
        return 0
    if os.geteuid() != 0 or not Path("/run/systemd/system").is_dir():
        why = "only root may do that" if os.geteuid() else "systemd does not run here"
        print(
            f"waiter: {why}; 'waiter install --print' shows the unit", file=sys.stderr
        )
        return FAILED
    try:
        _install(text, args.user)
    except (OSError, subprocess.CalledProcessError) as err:
        print(f"waiter: {err}", file=sys.stderr)
        return FAILED
    print(f"{UNIT.name} runs as {args.user}; 'systemctl status {UNIT.stem}' shows it.")
    return 0


def _program() -> Path:
    """Return where this command itself is."""
    found = shutil.which(sys.argv[0]) or sys.argv[0]
    return Path(found).absolute()


def _install(text: str, user: str) -> None:
    """Make the user, write the unit, and start it."""
    try:
        pwd.getpwnam(user)
    except KeyError:
        _call("useradd", "--system", "--user-group", "--no-create-home",
              "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", user)  # fmt: skip
    beside = UNIT.with_suffix(".new")
    beside.write_text(text)
    beside.chmod(0o644)
    beside.replace(UNIT)
    _call("systemctl", "daemon-reload")
    _call("systemctl", "enable", UNIT.name)
    _call("systemctl", "restart", UNIT.name)


def _call(*words: str) -> None:
    """Run a program of the system, without input."""
    program = shutil.which(words[0], path="/usr/sbin:/usr/bin:/sbin:/bin")
    if program is None:
        raise OSError(f"{words[0]} is missing here")
    subprocess.run(  # noqa: S603
        [program, *words[1:]], check=True, stdin=subprocess.DEVNULL
    )
