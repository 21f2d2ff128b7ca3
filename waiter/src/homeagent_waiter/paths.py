"""Where the waiter's own files are. Imports nothing of its own, reads no content."""

from __future__ import annotations

import os
from pathlib import Path

SYSTEM_STATE = Path("/var/lib/homeagent-waiter")
SYSTEM_CONFIG = Path("/etc/homeagent/waiter.yaml")


def user_config() -> Path:
    """Return where the configuration of this user is."""
    return Path("~/.config/homeagent/waiter.yaml").expanduser()


def user_state() -> Path:
    """Return where this user's key and audit log are."""
    return Path("~/.local/state/homeagent-waiter").expanduser()


def state_folder() -> Path:
    """Return where key and audit log are.

    That is the folder that systemd names; else the system's one for root and for a
    user who may write there; else one of this user.
    """
    given = os.environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if given:
        return Path(given)
    if os.access(SYSTEM_STATE, os.W_OK):
        return SYSTEM_STATE
    if os.geteuid() == 0 and not SYSTEM_STATE.exists():
        return SYSTEM_STATE
    return user_state()
