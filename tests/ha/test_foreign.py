"""Tools that other integrations offer to models, through our door."""

from types import SimpleNamespace
from typing import Any, override

from homeassistant.auth.models import User
from homeassistant.components.llm import LLMTools
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import probatio
import pytest
from pytest_homeassistant_custom_component.common import (  # type: ignore[import-untyped]
    MockModule,
    mock_integration,
    mock_platform,
)

from custom_components.homeagent.runtime import DATA_RUNTIME

from .home import async_act, async_set_up


class Lookup(llm.Tool):
    """Reads only, and takes a number."""

    name = "other__lookup"
    description = "Looks something up"
    parameters = probatio.Schema({probatio.Required("n"): int})
    annotations = llm.ToolAnnotations(read_only=True)
    integration = "other"

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Answer, fail, or report a failure."""
        number = tool_input.tool_args["n"]
        if number == 13:
            raise HomeAssistantError("not that number")
        return llm.ToolResult(data={"n": number}, error=number < 0)


class Change(Lookup):
    """Declares nothing."""

    name = "other__change"
    annotations = llm.ToolAnnotations()


@pytest.fixture(name="offered")
async def offered_fixture(hass: HomeAssistant) -> list[llm.Tool]:
    """Return what the other integration offers; a test may change it."""
    offered: list[llm.Tool] = [Lookup(), Change()]

    def tools(
        hass: HomeAssistant, context: llm.LLMContext, api_id: str
    ) -> LLMTools | None:
        return LLMTools(tools=list(offered)) if api_id == "homeagent" else None

    mock_integration(hass, MockModule("other"))
    mock_platform(hass, "other.llm", SimpleNamespace(async_get_tools=tools))
    await async_set_up(hass)
    assert await async_setup_component(hass, "llm", {})
    assert await async_setup_component(hass, "other", {})
    await hass.async_block_till_done()
    await hass.data[DATA_RUNTIME].foreign.async_refresh()
    return offered


async def _call(hass: HomeAssistant, user: User, *calls: tuple[str, object]) -> Any:
    listed = [{"tool": tool, "arguments": arguments} for tool, arguments in calls]
    return await async_act(hass, "call_tools", {"calls": listed}, user=user)


@pytest.mark.parametrize(
    ("arguments", "reason", "value"),
    [
        ({"n": 3}, None, {"n": 3}),
        ({"n": "3"}, None, {"n": 3}),
        ({}, "required", None),
        ({"n": "three"}, "type", None),
        ({"n": 13}, "failed", None),
        ({"n": -1}, "failed", {"n": -1}),
    ],
)
async def test_call(
    hass: HomeAssistant,
    hass_admin_user: User,
    offered: list[llm.Tool],
    arguments: dict[str, object],
    reason: str | None,
    value: object,
) -> None:
    """Checked by our rules, called as its own, judged honestly."""
    done = await _call(hass, hass_admin_user, ("other__lookup", arguments))
    (result,) = done["results"]
    assert (result["error"] or {}).get("reason") == reason
    assert result["value"] == value


@pytest.mark.parametrize(
    ("tool", "parallel"), [("other__lookup", True), ("other__change", False)]
)
async def test_read_only_is_parallel_safe(
    hass: HomeAssistant,
    hass_admin_user: User,
    offered: list[llm.Tool],
    tool: str,
    parallel: bool,
) -> None:
    """A tool that declares nothing is the least safe case."""
    done = await _call(hass, hass_admin_user, (tool, {"n": 1}), (tool, {"n": 2}))
    assert (done["success"], done["parallel"]) == (True, parallel)


async def test_tools_come_and_go(
    hass: HomeAssistant, hass_admin_user: User, offered: list[llm.Tool]
) -> None:
    """One that is not offered any more is unavailable, then unknown."""
    offered.clear()
    call = ("other__lookup", {"n": 1})
    reasons = []
    for _ in range(2):
        done = await _call(hass, hass_admin_user, call)
        reasons.append(done["results"][0]["error"]["reason"])
        await hass.data[DATA_RUNTIME].foreign.async_refresh()
    assert reasons == ["unavailable", "not_found"]
