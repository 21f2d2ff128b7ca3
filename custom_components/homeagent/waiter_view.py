"""The address that waiters connect to; registered once (page 4 §4.1).

Thin: aiohttp's WebSocket in the form that `hosts` uses. It needs no token of Home
Assistant's, as nothing of Home Assistant's is reached through it but what the link does.
"""

import asyncio
import contextlib
from http import HTTPStatus

from aiohttp import ClientError, WSMsgType, web
from homeassistant.components.http.ban import process_wrong_login
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.http import KEY_HASS, HomeAssistantView

from .hosts.link_ports import PeerGoneError
from .hosts.protocol import MOST_FRAME, PATH, Close
from .runtime import DATA_RUNTIME

CLOSE_LIMIT = 2.0
"""Seconds that the other end gets to say goodbye too."""


def async_register(hass: HomeAssistant) -> None:
    """Open the address; a view cannot be taken away again."""
    hass.http.register_view(WaiterView())


class WaiterView(HomeAssistantView):
    """Takes waiters in."""

    url = PATH
    name = "api:homeagent:waiter"
    requires_auth = False

    async def get(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection to its end."""
        hass = request.app[KEY_HASS]
        reception = hass.data[DATA_RUNTIME].hosts.reception
        address = request.remote or ""
        if not reception.registry.ready or not reception.room.enter(address):
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        socket = web.WebSocketResponse(
            timeout=CLOSE_LIMIT, max_msg_size=MOST_FRAME, compress=False
        )
        try:
            await socket.prepare(request)
        except BaseException:
            reception.room.leave(address)
            raise

        @callback
        def wrong_login() -> None:
            # Home Assistant ends this handler when the other end hangs up.
            hass.async_create_task(process_wrong_login(request), eager_start=True)

        await reception.serve(ServerSocket(socket), address, wrong_login)
        return socket


class ServerSocket:
    """A WebSocket as the link uses it; implements its `Socket`."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        """Take a socket that is open."""
        self._socket = socket

    async def receive(self) -> str | bytes | None:
        """Return the next frame, None at the end."""
        message = await self._socket.receive()
        if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
            data: str | bytes = message.data
            return data
        return None

    async def send(self, frame: str | bytes) -> None:
        """Send a frame."""
        try:
            if isinstance(frame, str):
                await self._socket.send_str(frame)
            else:
                await self._socket.send_bytes(frame)
        except (ConnectionError, ClientError, RuntimeError) as error:
            raise PeerGoneError from error

    async def close(self, code: int) -> None:
        """Close, within a few seconds."""
        with contextlib.suppress(OSError, ClientError, RuntimeError):
            async with asyncio.timeout(CLOSE_LIMIT + 1):
                await self._socket.close(code=code or Close.NORMAL)
