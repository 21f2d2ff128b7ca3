"""The actions of HomeAgent: entrances to the kernel's door, and nothing more.

Every `homeagent.seq_*` and `homeagent.host_*` action is an alias of the kernel tool of that name;
`homeagent.call_tools` is a batch. Failures raise only where no response was asked for.
"""

from collections.abc import Callable, Coroutine, Mapping

from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
)
from homeassistant.exceptions import ServiceValidationError

from .const import DOMAIN
from .kernel.arguments import parse_arguments
from .kernel.contract import ToolCall
from .runtime import Runtime
from .tools.people_words import home_wording
from .tools.responses import action_error, batch_response, value_response

TOOL_ACTIONS = (
    "seq_create",
    "seq_list",
    "seq_delete",
    "seq_run",
    "seq_help",
    "host_run",
    "host_report",
    "host_list",
    "host_info",
)

_CALL_KEYS = frozenset({"tool", "arguments", "id"})

MOST_CALLS = 200
"""Calls of one `homeagent.call_tools`, as many as tools in a group."""

LONGEST_NAME = 200
"""Characters of a tool's name; no tool has one that long."""

type Handler = Callable[[ServiceCall], Coroutine[object, object, ServiceResponse]]


def async_register(hass: HomeAssistant, runtime: Runtime) -> None:
    """Register all actions; they answer also while no entry is loaded."""
    for tool in TOOL_ACTIONS:
        hass.services.async_register(
            DOMAIN,
            tool,
            _tool_action(runtime, tool),
            supports_response=SupportsResponse.OPTIONAL,
        )
    hass.services.async_register(
        DOMAIN,
        "call_tools",
        _call_tools(runtime),
        supports_response=SupportsResponse.OPTIONAL,
    )


def _tool_action(runtime: Runtime, tool: str) -> Handler:
    async def handle(action: ServiceCall) -> ServiceResponse:
        caller = runtime.callers.of(action.context)
        call = ToolCall(tool=tool, arguments=dict(action.data))
        batch = await runtime.call(caller, [call])
        (result,) = batch.results
        if action.return_response:
            return value_response(result, home_wording(action.hass))
        if not result.success:
            raise action_error(action.hass, result)
        return None

    return handle


def _call_tools(runtime: Runtime) -> Handler:
    async def handle(action: ServiceCall) -> ServiceResponse:
        calls = [_call(item, index) for index, item in enumerate(_calls(action.data))]
        batch = await runtime.call(runtime.callers.of(action.context), calls)
        if action.return_response:
            return batch_response(batch)
        for result in batch.results:
            if not result.success:
                raise action_error(action.hass, result)
        return None

    return handle


def _calls(data: Mapping[str, object]) -> list[object]:
    calls = data.get("calls")
    if not isinstance(calls, list) or not calls or len(data) > 1:
        raise ServiceValidationError(
            translation_domain=DOMAIN, translation_key="calls_missing"
        )
    if len(calls) > MOST_CALLS:
        raise ServiceValidationError(
            translation_domain=DOMAIN,
            translation_key="too_many_calls",
            translation_placeholders={
                "found": str(len(calls)),
                "most": str(MOST_CALLS),
            },
        )
    return calls


def _call(item: object, index: int) -> ToolCall:
    """Read one call: `{"tool": name, "arguments": {…}, "id": text}`."""
    if isinstance(item, dict) and _CALL_KEYS.issuperset(item):
        tool, own_id = item.get("tool"), item.get("id", "")
        if (
            isinstance(tool, str)
            and len(tool) <= LONGEST_NAME
            and isinstance(own_id, str)
        ):
            arguments = parse_arguments(item.get("arguments"))
            return ToolCall(tool=tool, arguments=arguments, id=own_id)
    raise ServiceValidationError(
        translation_domain=DOMAIN,
        translation_key="call_malformed",
        translation_placeholders={"index": str(index)},
    )
