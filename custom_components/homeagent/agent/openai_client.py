"""The `openai` package's client, made in the executor: its import takes 1.6 seconds.

Above Home Assistant's HTTP client. Nothing else imports the package at run time.
"""

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.httpx_client import get_async_client
import httpx

from .server import NO_KEY

if TYPE_CHECKING:
    from openai import AsyncOpenAI

CONNECT = 10.0
"""Seconds to connect."""

WHOLE = 600.0
"""Seconds that the package itself waits; `server` has limits of its own below that."""


def _make(url: str, key: str, http_client: object) -> AsyncOpenAI:
    from openai import AsyncOpenAI

    http: Any = http_client  # this kind of client is taken at run time only
    timeout: Any = httpx.Timeout(WHOLE, connect=CONNECT)
    plain_url, credentials = _without_credentials(url)
    client = AsyncOpenAI(
        base_url=plain_url,
        # A password in the address, or a name alone, is what is sent then, and to be
        # hidden as a key is.
        api_key=credentials[1] or credentials[0] or key or NO_KEY,
        default_headers=_basic(*credentials) if any(credentials) else None,
        http_client=http,
        max_retries=0,
        timeout=timeout,
    )
    # Each loads modules and reads the system, which the event loop must not wait for.
    client.platform_headers()
    _ = (client.chat.completions.with_streaming_response, client.models)
    return client


def _without_credentials(url: str) -> tuple[str, tuple[str, str]]:
    """Return an address as it may stand in logs, and the name and password in it."""
    whole = httpx.URL(url)
    plain = str(whole.copy_with(username=None, password=None))
    return plain, (whole.username, whole.password)


def _basic(name: str, password: str) -> dict[str, str]:
    told = b64encode(f"{name}:{password}".encode()).decode()
    return {"Authorization": f"Basic {told}"}


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
