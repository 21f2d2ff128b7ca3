"""Link: the WebSocket to Home Assistant, by aiohttp (design page 4 §4.1).

Thin; implements the ports of the link. No compression: a result could be told by its
size. No proxy: Home Assistant is in the same home.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
import contextlib
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
import ssl

import aiohttp

from .link import DialError
from .link_ports import PeerGoneError
from .protocol import MOST_FRAME, PATH, Close

CONNECT_LIMIT = 15.0
CLOSE_LIMIT = 2.0

_HTTP_WORDS = {
    401: "Home Assistant asks for a login; is this really its address?",
    403: (
        "Home Assistant refuses this address: it may be banned (ip_bans.yaml there), or"
        " a proxy does not let the waiter through"
    ),
    404: "there is no HomeAgent at this address; is it installed, and the address right?",
    503: "HomeAgent is not ready to take hosts; it comes back by itself",
}


@dataclass(frozen=True)
class Address:
    """Where Home Assistant is, and how its certificate is checked.

    ``pin`` is the SHA-256 of the certificate in hexadecimal digits; with it, no other
    check is made.
    """

    url: str
    ca_file: Path | None = None
    pin: str | None = None

    def ssl(self) -> ssl.SSLContext | aiohttp.Fingerprint | bool:
        """Return what aiohttp takes; DialError if the certificates cannot be read."""
        if self.pin is not None:
            return aiohttp.Fingerprint(bytes.fromhex(self.pin))
        if self.ca_file is None:
            return True
        try:
            return ssl.create_default_context(cafile=self.ca_file)
        except (OSError, ssl.SSLError) as error:
            raise DialError(f"{self.ca_file} holds no certificates: {error}") from error


class AiohttpSocket:
    """An open WebSocket; implements the link's ``ClientSocket``."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket

    @property
    def close_code(self) -> int | None:
        """The close code, None while it is open."""
        return self._socket.close_code

    async def receive(self) -> str | bytes | None:
        """Return the next frame, None at the end."""
        message = await self._socket.receive()
        if message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
            data: str | bytes = message.data
            return data
        return None

    async def send(self, frame: str | bytes) -> None:
        """Send a frame; PeerGoneError once the connection is gone."""
        try:
            if isinstance(frame, str):
                await self._socket.send_str(frame)
            else:
                await self._socket.send_bytes(frame)
        except (OSError, aiohttp.ClientError, RuntimeError) as error:
            raise PeerGoneError from error

    async def close(self, code: int) -> None:
        """Close, within a few seconds."""
        with contextlib.suppress(OSError, aiohttp.ClientError, RuntimeError):
            async with asyncio.timeout(CLOSE_LIMIT + 1):
                await self._socket.close(code=code or int(Close.NORMAL))


@asynccontextmanager
async def dial(address: Address) -> AsyncIterator[AiohttpSocket]:
    """Open a connection to Home Assistant; DialError says why it cannot be opened."""
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_LIMIT)
    async with aiohttp.ClientSession(timeout=timeout, trust_env=False) as session:
        try:
            async with asyncio.timeout(CONNECT_LIMIT * 2):
                socket = await session.ws_connect(
                    address.url + PATH,
                    ssl=address.ssl(),
                    compress=0,
                    max_msg_size=MOST_FRAME,
                    timeout=aiohttp.ClientWSTimeout(ws_close=CLOSE_LIMIT),
                )
        except aiohttp.WSServerHandshakeError as error:
            words = _HTTP_WORDS.get(error.status, "is the address right?")
            raise DialError(
                f"{address.url} answered {error.status}: {words}"
            ) from error
        except aiohttp.ServerFingerprintMismatch as error:
            raise DialError(
                f"the certificate of {address.url} is not the pinned one, but"
                f" {error.got.hex()}"
            ) from error
        except TimeoutError as error:
            raise DialError(f"{address.url} does not answer") from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            words = str(error) or type(error).__name__
            raise DialError(f"{address.url} cannot be reached: {words}") from error
        try:
            yield AiohttpSocket(socket)
        finally:
            with contextlib.suppress(OSError, aiohttp.ClientError):
                async with asyncio.timeout(CLOSE_LIMIT + 1):
                    await socket.close()
