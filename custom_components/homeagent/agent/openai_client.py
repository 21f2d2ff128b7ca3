"""The `openai` package's client, made in the executor: its import takes 1.6 seconds.

Above Home Assistant's HTTP client. Nothing else imports the package at run time.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.httpx_client import get_async_client
import httpx

if TYPE_CHECKING:
    from openai import AsyncOpenAI

CONNECT = 10.0
"""Seconds to connect."""

WHOLE = 600.0
"""Seconds that the package itself waits; `server` has limits of its own below that."""

NO_KEY = "none"
"""Sent where the server wants no key: the package insists on one."""


def _make(url: str, key: str, http_client: object) -> AsyncOpenAI:
    from openai import AsyncOpenAI

    http: Any = http_client  # this kind of client is taken at run time only
    timeout: Any = httpx.Timeout(WHOLE, connect=CONNECT)
    client = AsyncOpenAI(
        base_url=url,
        api_key=key or NO_KEY,
        http_client=http,
        max_retries=0,
        timeout=timeout,
    )
    # Each loads modules and reads the system, which the event loop must not wait for.
    client.platform_headers()
    _ = (client.chat.completions.with_streaming_response, client.models)
    return client


def lazy_client(
    hass: HomeAssistant, url: str, key: str
) -> Callable[[], Awaitable[AsyncOpenAI]]:
    """Return what gives the client, made once, at first use."""
    made: asyncio.Future[AsyncOpenAI] | None = None

    async def get() -> AsyncOpenAI:
        nonlocal made
        if made is None or made.cancelled() or (made.done() and made.exception()):
            http_client = get_async_client(hass)
            made = hass.async_add_executor_job(_make, url, key, http_client)
        return await asyncio.shield(made)

    return get
