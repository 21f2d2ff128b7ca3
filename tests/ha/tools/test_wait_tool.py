"""`wait`: as long as was asked, or until it is cancelled."""

import asyncio

from homeassistant.core import HomeAssistant
import pytest

from custom_components.homeagent.kernel.contract import ToolCall
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.tools.wait_tool import Waiting

from .house import call, run
from .reading_home import Tools


@pytest.mark.parametrize(
    ("seconds", "waited"), [(0, 0), (1.5, 1.5), ("20", 20), (3600, 3600)]
)
async def test_wait(hass: HomeAssistant, seconds: object, waited: float) -> None:
    slept: list[float] = []

    async def sleep(time: float) -> None:
        slept.append(time)

    tools = Tools(Waiting(hass, sleep).tools())
    result = await call(tools, "wait", {"seconds": seconds})
    assert (result.value, slept) == ({"waited": waited}, [waited])


@pytest.mark.parametrize("seconds", [-1, 3601, "a while", True])
async def test_wrong(hass: HomeAssistant, seconds: object) -> None:
    tools = Tools(Waiting(hass, asyncio.sleep).tools())
    result = await call(tools, "wait", {"seconds": seconds})
    assert result.error is not None
    assert result.error.field == "seconds"


async def test_only_the_caller_limits(hass: HomeAssistant) -> None:
    """There is no limit of its own, and waits run beside each other."""
    tools = Tools(Waiting(hass, lambda seconds: asyncio.Event().wait()).tools())  # type: ignore[arg-type,return-value]
    calls = [
        ToolCall(tool="wait", arguments={"seconds": 3600}, timeout=0.01)
        for _ in range(2)
    ]
    batch = await run(tools, *calls)
    assert batch.parallel
    assert [one.error and one.error.reason for one in batch.results] == [
        Reason.TIMEOUT,
        Reason.TIMEOUT,
    ]
    assert tools["wait"].definition.untimed
