"""A home with a demo lamp, a sequence, and an agent with a real model."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import custom_components.homeagent  # noqa: F401  # before any other of that name

from .model_server import open_model


@pytest.fixture(autouse=True)
def _enable_custom_integrations(enable_custom_integrations: None) -> None:
    """Let Home Assistant find HomeAgent."""


@pytest.fixture
async def model(socket_enabled: None, tmp_path: Path) -> AsyncIterator[str]:
    """Return the address of the model's server."""
    async with open_model(tmp_path / "server.log") as url:
        yield url
