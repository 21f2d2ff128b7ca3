"""The actions of access: to answer a request, and to explain who may do what.

An entrance. Both are for people who act directly: a person's yes must be a person's
(page 1 §1.6), and only administrators may learn which rules there are (page 3 §3.3).
"""

import logging
from typing import Final, cast

from homeassistant.core import (
    Event,
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
)
from homeassistant.exceptions import Unauthorized
from homeassistant.helpers import config_validation as cv
from homeassistant.util.json import JsonObjectType
import probatio

from .access.model import ENTRANCES
from .const import DOMAIN
from .kernel.answering import Answer
from .kernel.contract import Caller, ToolResult
from .kernel.errors import ToolError
from .kernel.json_values import to_json_value
from .runtime import Runtime
from .tools.access_explaining import question_of
from .tools.request_buttons import pressed
from .tools.responses import action_error, answer, result_response

_LOGGER = logging.getLogger(__name__)

EVENT_BUTTON: Final = "mobile_app_notification_action"
"""Fired by the phone's app; its context carries the user of the phone."""

ANSWER_REQUEST: Final = "answer_request"
EXPLAIN_ACCESS: Final = "explain_access"

ANSWER_SCHEMA: Final = probatio.Schema(
    {
        probatio.Required("request_id"): cv.string,
        probatio.Required("agree"): cv.boolean,
    }
)

EXPLAIN_SCHEMA: Final = probatio.Schema(
    {
        probatio.Required("entrance"): probatio.In([str(one) for one in ENTRANCES]),
        probatio.Required("tool"): cv.string,
        probatio.Optional("user"): cv.string,
        probatio.Optional("voice_device"): cv.string,
        probatio.Optional("target"): dict,
        probatio.Optional("arguments"): dict,
    }
)


def async_register(hass: HomeAssistant, runtime: Runtime) -> None:
    """Register the actions, and listen to the buttons of notifications."""
    access = _Access(hass, runtime)
    hass.services.async_register(
        DOMAIN,
        ANSWER_REQUEST,
        access.async_answer,
        schema=ANSWER_SCHEMA,
        supports_response=SupportsResponse.OPTIONAL,
    )
    hass.services.async_register(
        DOMAIN,
        EXPLAIN_ACCESS,
        access.async_explain,
        schema=EXPLAIN_SCHEMA,
        supports_response=SupportsResponse.ONLY,
    )
    hass.bus.async_listen(EVENT_BUTTON, access.async_button)


class _Access:
    """Hands on what comes in, with whom it comes from."""

    def __init__(self, hass: HomeAssistant, runtime: Runtime) -> None:
        self._hass = hass
        self._runtime = runtime

    async def async_answer(self, action: ServiceCall) -> ServiceResponse:
        """Take a person's answer; with the response what came of the call."""
        by = self._runtime.callers.of(action.context)
        came = await self._runtime.answering.answer(
            action.data["request_id"], yes=action.data["agree"], by=by
        )
        if isinstance(came, ToolError):
            failed = _failed(ANSWER_REQUEST, came)
            return answer(self._hass, failed, wanted=action.return_response)
        if action.return_response:
            return self._answered(came, by)
        if came.result is not None and not came.result.success:
            raise action_error(self._hass, came.result)
        return None

    def _answered(self, came: Answer, by: Caller) -> JsonObjectType:
        """Tell what came of it: all of it only to those who may see it anyway."""
        told: JsonObjectType = {
            "end": came.end.value,
            "tool": came.request.call.tool,
        }
        if came.result is not None:
            told["success"] = came.result.success
            own = by.user_id == came.request.caller.user_id
            if own or self._runtime.policy.sees_everything(by):
                told["result"] = result_response(came.result)
        return told

    async def async_button(self, event: Event) -> None:
        """Take the answer that a person gave with a notification's button."""
        button = pressed(event.data.get("action"))
        if button is None:
            return
        request_id, yes = button
        by = self._runtime.callers.of(event.context)
        came = await self._runtime.answering.answer(request_id, yes=yes, by=by)
        if isinstance(came, ToolError):
            _LOGGER.info("An answer by notification does not count: %s", came.detail)

    async def async_explain(self, action: ServiceCall) -> ServiceResponse:
        """Tell an administrator what somebody may do, and which rule says so."""
        by = self._runtime.callers.of(action.context)
        if not self._runtime.policy.sees_everything(by):
            raise Unauthorized(context=action.context)
        told = await self._runtime.explainer.explain(
            question_of(action.data), self._hass.config.language
        )
        if isinstance(told, ToolError):
            return answer(self._hass, _failed(EXPLAIN_ACCESS, told), wanted=True)
        caller = told.caller
        response = told.explanation.as_dict() | {
            "text": "\n".join(told.lines),
            "caller": {
                "entrance": caller.entrance.value,
                "user_id": caller.user_id,
                "device_id": caller.device_id,
                "area_id": caller.area_id,
            },
        }
        return cast(JsonObjectType, to_json_value(response))


def _failed(action: str, error: ToolError) -> ToolResult:
    return ToolResult(call_id="", tool=action, error=error)
