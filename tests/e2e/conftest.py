"""Fixtures of the end-to-end tests: real processes and sockets, on this machine only."""

from collections.abc import AsyncIterator
from pathlib import Path
import sys

import pytest
import pytest_asyncio
import pytest_socket

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from demohome.real_home import HomeOptions, RealHome  # noqa: E402
from demohome.waiter_process import WaiterProcess  # noqa: E402

from .waiters import SLOW, connected  # noqa: E402

# One loop for all, so that a home may outlive one test.
LOOP = pytest.mark.asyncio(loop_scope="session")
# Starting Home Assistant may take minutes on a busy machine.
PATIENCE = pytest.mark.timeout(900)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test of this folder the shared loop and the patience."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(PATIENCE)
            if pytest_asyncio.is_async_test(item):
                item.add_marker(LOOP, append=False)


@pytest.fixture(autouse=True)
def verify_cleanup() -> None:
    """Take the place of the plugin's check: a shared home's connections stay open."""


@pytest.fixture(autouse=True)
def real_sockets(socket_enabled: None) -> None:
    """Allow sockets, which Home Assistant's test plugin forbids."""


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def home() -> AsyncIterator[RealHome]:
    """Start a lean Home Assistant with HomeAgent added, for one module's tests."""
    # This comes before `real_sockets`, which is made anew for each test.
    pytest_socket.enable_socket()
    async with RealHome(HomeOptions()) as real:
        result = await real.api.run_flow("homeagent", {"next_step_id": "kernel"}, {})
        assert result["type"] == "create_entry", result
        yield real


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def nas(
    home: RealHome, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[WaiterProcess]:
    """Pair a waiter with the module's home and have it run; `sleep` is allowed."""
    pytest_socket.enable_socket()
    folder = tmp_path_factory.mktemp("nas")
    waiter = WaiterProcess(folder, name="Nas", url=home.url, options=SLOW)
    async with connected(home.api, waiter):
        yield waiter
