"""Who stands behind a model's tool calls (page 3 §3.1).

Beside `callers`. What a model asks for came out of words that anybody may have put
there: an administrator, or an automation, behind a conversation has the rights of a
conversation. A device counts only where it is one that spoke; access control lets it
count for nobody who is signed in.
"""

from dataclasses import replace
from typing import Final

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.llm import LLMContext

from ..kernel.contract import Caller, Entrance
from .callers import Callers

MCP_PLATFORM: Final = "mcp_server"
"""The platform that Home Assistant's own MCP server names."""

_KEPT: Final = frozenset({Entrance.MCP, Entrance.SENTENCE, Entrance.SYSTEM})
"""Entrances of callers that come in again, whose rights are no greater for that."""


def llm_caller(hass: HomeAssistant, callers: Callers, asked: LLMContext) -> Caller:
    """Return the caller behind a request of a model, or of an MCP client.

    From now on its context is known as this caller's, by whatever way it comes back.
    """
    return callers.came_in(_caller(hass, callers, asked))


def _caller(hass: HomeAssistant, callers: Callers, asked: LLMContext) -> Caller:
    by_mcp = asked.platform == MCP_PLATFORM
    entrance = Entrance.MCP if by_mcp else Entrance.CONVERSATION
    context = asked.context or Context()
    known = callers.known(context)
    if known is not None:
        # A script, or an automation, that asks a model: nobody spoke to a device now.
        kept = known.entrance if known.entrance in _KEPT else entrance
        return replace(known, entrance=kept, agreed=frozenset())
    device_id = None if by_mcp else asked.device_id
    device = None if device_id is None else dr.async_get(hass).async_get(device_id)
    if device is None:
        return Caller(entrance=entrance, user_id=context.user_id, context=context)
    return Caller(
        entrance=entrance,
        user_id=context.user_id,
        device_id=device.id,
        area_id=dr.async_get_effective_area_id(hass, device),
        context=context,
    )
