"""Home Assistant's REST API as its owner uses it; imports errors, jsonish and websocket.

Every method raises ApiError, with Home Assistant's own words, when it answers with an
error, and HomeError when it does not answer.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

import aiohttp

from .errors import ApiError, HomeError
from .jsonish import JsonObject, as_object, as_objects
from .websocket import HomeSocket

_TIMEOUT = aiohttp.ClientTimeout(total=120)


class HomeApi:
    """A client of one Home Assistant; `token` is set once somebody has logged in."""

    def __init__(self, url: str) -> None:
        """Make a client of the address `http://host:port`."""
        self.url = url
        self.token: str | None = None
        self._session = aiohttp.ClientSession(timeout=_TIMEOUT, trust_env=False)

    async def __aenter__(self) -> Self:
        """Enter."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close all connections."""
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    async def request(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        form: Mapping[str, str] | None = None,
    ) -> object:
        """Send one request and return the JSON of its answer."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            async with self._session.request(
                method, self.url + path, headers=headers, json=json, data=form
            ) as answer:
                if answer.status >= 400:
                    text = (await answer.text())[:2000]
                    raise ApiError(
                        f"{method} {path} answered {answer.status}: {text}",
                        status=answer.status,
                    )
                result: object = await answer.json(content_type=None)
                return result
        except (aiohttp.ClientError, TimeoutError) as error:
            words = str(error) or type(error).__name__
            raise HomeError(f"{method} {path} got no answer: {words}") from error

    async def get(self, path: str) -> object:
        """Return what GET answers."""
        return await self.request("GET", path)

    async def post(self, path: str, body: Mapping[str, object]) -> object:
        """Return what POST of a JSON object answers."""
        return await self.request("POST", path, json=body)

    async def call_action(self, name: str, data: Mapping[str, object]) -> JsonObject:
        """Call the action `domain.action` and return its response."""
        answer = await self.post(_action_path(name, "?return_response"), data)
        response = as_object(answer, f"the answer of {name}")["service_response"]
        return as_object(response, f"the response of {name}")

    async def do_action(self, name: str, data: Mapping[str, object]) -> None:
        """Call the action `domain.action` and ask for no response."""
        await self.post(_action_path(name), data)

    async def state(self, entity_id: str) -> JsonObject:
        """Return an entity's state object."""
        path = f"/api/states/{entity_id}"
        return as_object(await self.get(path), f"the state of {entity_id}")

    async def states(self) -> list[JsonObject]:
        """Return the state objects of all entities."""
        return as_objects(await self.get("/api/states"), "the list of states")

    async def config(self) -> JsonObject:
        """Return the configuration, with `version` and `state`."""
        return as_object(await self.get("/api/config"), "the configuration")

    async def run_flow(self, handler: str, *steps: Mapping[str, object]) -> JsonObject:
        """Go through a config flow: start it, answer each step; return its last one."""
        path = "/api/config/config_entries/flow"
        result = await self._flow_step(path, {"handler": handler})
        for step in steps:
            result = await self._flow_step(f"{path}/{result['flow_id']}", step)
        return result

    @asynccontextmanager
    async def socket(self) -> AsyncIterator[HomeSocket]:
        """Open a WebSocket connection, logged in."""
        if self.token is None:
            raise HomeError("Nobody has logged in yet.")
        try:
            async with self._session.ws_connect(
                f"{self.url}/api/websocket", max_msg_size=0
            ) as connection:
                yield await HomeSocket.log_in(connection, self.token)
        except aiohttp.ClientError as error:
            raise HomeError(f"The WebSocket connection failed: {error}") from error

    async def _flow_step(self, path: str, body: Mapping[str, object]) -> JsonObject:
        return as_object(await self.post(path, body), "a step of a config flow")


def _action_path(name: str, query: str = "") -> str:
    domain, _, action = name.partition(".")
    return f"/api/services/{domain}/{action}{query}"
