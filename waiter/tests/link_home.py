"""A small Home Assistant: the other end of the link, over a real socket.

It knows one host and one code, and does what the protocol says; whoever tests tells it
what to send.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import WSMsgType, web

from homeagent_waiter.protocol import (
    PATH,
    BadKeyError,
    Channel,
    Close,
    code_key,
    decode,
    hello_answer,
    new_code,
    prologue,
    read_hello,
    respond,
)

KEY = bytes(range(32))


class SmallHome:
    """Takes waiters in; ``heard`` has every message, ``say`` sends one."""

    def __init__(self) -> None:
        self.url = ""
        self.key = KEY
        self.code = new_code()
        self.heard: list[dict[str, Any]] = []
        self.connections = 0
        self.refuses: int | None = None
        self.confirms = True
        self._socket: web.WebSocketResponse | None = None
        self._channel: Channel | None = None

    @property
    def connected(self) -> bool:
        """Whether a waiter is bound now."""
        return self._channel is not None

    async def say(self, message: dict[str, object]) -> None:
        """Send a message to the waiter that is bound."""
        assert self._channel is not None
        assert self._socket is not None
        for frame in self._channel.seal(message):
            await self._socket.send_bytes(frame)

    async def hang_up(self, code: int) -> None:
        """Close the connection."""
        assert self._socket is not None
        await self._socket.close(code=code)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection."""
        self.connections += 1
        if self.refuses is not None:
            return web.Response(status=self.refuses)
        socket = web.WebSocketResponse(timeout=1)
        await socket.prepare(request)
        asked = await socket.receive_str()
        purpose = read_hello(decode(asked)).purpose
        answered = hello_answer(1)
        await socket.send_str(answered)
        key = self.key if purpose == "bind" else code_key(self.code)
        try:
            _, answer, channel = respond(
                [key], prologue(asked, answered), await socket.receive_bytes()
            )
        except BadKeyError:
            await socket.close(code=Close.BAD_KEY)
            return socket
        await socket.send_bytes(answer)
        self._socket = socket
        await self._talk(socket, channel)
        return socket

    async def _talk(self, socket: web.WebSocketResponse, channel: Channel) -> None:
        async for message in socket:
            if message.type is not WSMsgType.BINARY:
                continue
            heard = channel.open(message.data)
            if heard is None:
                continue
            self.heard.append(heard)
            if heard["type"] == "bind":
                self._channel = channel
                await self.say({"type": "bound", "name": "Nas"})
            elif heard["type"] == "pair":
                key = base64.b64encode(self.key).decode()
                await self._answer(channel, {"type": "key", "id": "nas", "key": key})
            elif heard["type"] == "stored" and self.confirms:
                await self._answer(channel, {"type": "paired"})
            elif heard["type"] == "stored":
                await socket.close(code=Close.BAD_KEY)
        self._channel = None

    async def _answer(self, channel: Channel, message: dict[str, object]) -> None:
        assert self._socket is not None
        for frame in channel.seal(message):
            await self._socket.send_bytes(frame)

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the messages of a type that were heard."""
        return [message for message in self.heard if message["type"] == kind]


@asynccontextmanager
async def small_home() -> AsyncIterator[SmallHome]:
    """Open a small home at a free port."""
    home = SmallHome()
    app = web.Application()
    app.router.add_get(PATH, home.serve)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        home.url = f"http://{host}:{port}"
        yield home
    finally:
        await runner.cleanup()


async def until(true: Callable[[], object]) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
