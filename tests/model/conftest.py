"""A home with a demo lamp, a sequence, and an agent with a real model."""

from collections.abc import AsyncIterator
from pathlib import Path

from homeassistant.helpers import llm
import pytest

import custom_components.homeagent  # noqa: F401  # before any other of that name

from .model_server import open_model


@pytest.fixture(autouse=True)
def _enable_custom_integrations(enable_custom_integrations: None) -> None:
    """Let Home Assistant find HomeAgent."""


@pytest.fixture(autouse=True)
def _the_clock_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the same words get the same answer: the prompt tells the time to the second."""
    told = "Current time is 18:30:00. Today's date is 2026-10-15.\n"
    monkeypatch.setattr(llm, "DATE_TIME_PROMPT", told)


@pytest.fixture
async def model(socket_enabled: None, tmp_path: Path) -> AsyncIterator[str]:
    """Return the address of the model's server."""
    async with open_model(tmp_path / "server.log") as url:
        yield url
