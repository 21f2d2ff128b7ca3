"""A host for a test: paired as a person does it, connected, and killed in the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from demohome.api import HomeApi
from demohome.waiter_process import WaiterProcess, add_host, wait_for_hosts

SLOW = {"device_cmd_unchecked": ["sleep"]}
"""Options of a host whose commands may take as long as a test wants."""


@asynccontextmanager
async def connected(api: HomeApi, waiter: WaiterProcess) -> AsyncIterator[None]:
    """Add the waiter's host and start it; go on once the home says it is there."""
    await add_host(api, waiter)
    waiter.start()
    try:
        await wait_for_hosts(api, waiter.name)
        yield
    finally:
        waiter.kill()
