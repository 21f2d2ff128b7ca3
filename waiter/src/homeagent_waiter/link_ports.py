"""Link, beside ``protocol``: what the link needs of the world. Imports nothing.

Stands twice, byte for byte, as ``protocol`` does; Python 3.11. Time is the running event loop's own; tests give it a loop whose clock jumps.
"""

from typing import Protocol


class PeerGoneError(Exception):
    """The connection is gone; nothing more can be sent."""


class Socket(Protocol):
    """A WebSocket, as far as the link uses it: texts and binary frames."""

    async def receive(self) -> str | bytes | None:
        """Return the next frame; None once the other end has closed or is gone."""
        ...

    async def send(self, frame: str | bytes) -> None:
        """Send a frame; PeerGoneError once the connection is gone."""
        ...

    async def close(self, code: int) -> None:
        """Close with this code; takes a few seconds at most, never raises."""
        ...
