"""Home Assistant's WebSocket API: commands and events; imports errors and jsonish."""

import asyncio
from collections.abc import Mapping
from typing import Self

import aiohttp

from .errors import ApiError, HomeError
from .jsonish import JsonObject, as_object

_TIMEOUT = 60.0


class HomeSocket:
    """One connection, used by one task; events wait until they are asked for."""

    def __init__(self, connection: aiohttp.ClientWebSocketResponse) -> None:
        """Wrap a connection that has been logged in."""
        self._connection = connection
        self._last_id = 0
        self._events: dict[int, list[JsonObject]] = {}

    @classmethod
    async def log_in(
        cls, connection: aiohttp.ClientWebSocketResponse, token: str
    ) -> Self:
        """Answer Home Assistant's question for a token; ApiError if it refuses."""
        socket = cls(connection)
        await socket._receive()
        await connection.send_json({"type": "auth", "access_token": token})
        answer = await socket._receive()
        if answer.get("type") != "auth_ok":
            raise ApiError(f"Home Assistant refused the token: {answer}")
        return socket

    async def command(self, kind: str, **fields: object) -> object:
        """Send one command and return its result; ApiError with Home Assistant's words."""
        number = await self._send(kind, fields)
        answer = await self._answer(number)
        if answer.get("success") is not True:
            raise ApiError(f"The command {kind} failed: {answer.get('error')}")
        return answer.get("result")

    async def subscribe(self, event_type: str) -> int:
        """Collect events of that type from now on; return the subscription's number."""
        await self.command("subscribe_events", event_type=event_type)
        self._events[self._last_id] = []
        return self._last_id

    async def events(self, subscription: int) -> list[JsonObject]:
        """Return the events that happened since the last call, none left behind.

        A ping's answer comes after everything that was sent before it.
        """
        await self._answer(await self._send("ping", {}))
        found = self._events[subscription]
        self._events[subscription] = []
        return found

    async def _send(self, kind: str, fields: Mapping[str, object]) -> int:
        self._last_id += 1
        await self._connection.send_json({"id": self._last_id, "type": kind, **fields})
        return self._last_id

    async def _answer(self, number: int) -> JsonObject:
        while True:
            message = await self._receive()
            sender = message.get("id")
            if message.get("type") == "event":
                if isinstance(sender, int):
                    event = as_object(message.get("event"), "an event")
                    self._events.setdefault(sender, []).append(event)
            elif sender == number:
                return message

    async def _receive(self) -> JsonObject:
        try:
            async with asyncio.timeout(_TIMEOUT):
                message = await self._connection.receive()
        except TimeoutError as error:
            raise HomeError(
                f"Home Assistant's WebSocket was silent for {_TIMEOUT:.0f} s."
            ) from error
        if message.type is not aiohttp.WSMsgType.TEXT:
            raise HomeError(f"Home Assistant closed the WebSocket ({message.type!r}).")
        return as_object(message.json(), "a WebSocket message")
