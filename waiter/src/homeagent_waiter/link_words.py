"""Link: what the log says when the connection ends. Imports ``protocol`` only."""

from __future__ import annotations

from .protocol import Close

_WORDS = {
    Close.BAD_FRAME: "Home Assistant speaks something else; is the address right?",
    Close.BAD_KEY: (
        "Home Assistant does not know this host's key; pair it again with 'waiter pair'"
    ),
    Close.REVOKED: "this host's key was revoked in Home Assistant",
    Close.SILENT: "Home Assistant does not answer",
    Close.DUPLICATE: "another waiter with this host's key is connected",
    Close.VERSION: "this waiter and Home Assistant have no version in common; update",
    Close.RESTARTING: "Home Assistant restarts",
}


def trouble_text(code: int, why: str = "") -> str:
    """Return the line for a connection that ended with a code, or never began."""
    if why:
        return f"not connected: {why}"
    words = next((text for known, text in _WORDS.items() if known == code), None)
    return f"not connected: {words or 'the connection was closed'}"
