"""Who said a sentence (page 3 §3.1).

Beside `callers`. A voice device is the one that spoke; where a client with a user said
it, access control lets the device count for nothing.
"""

from dataclasses import replace
from typing import Final

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er

from ..kernel.contract import Caller, Entrance
from .callers import Callers

_WIDER: Final = frozenset({Entrance.DIRECT, Entrance.AUTOMATION, Entrance.UNKNOWN})
"""Entrances whose callers say a sentence like anybody else; others stay what they are."""


def sentence_caller(
    hass: HomeAssistant, callers: Callers, said: ConversationInput
) -> Caller:
    """Return the caller behind a sentence; its context is known as this caller's."""
    return callers.came_in(_caller(hass, callers, said))


def _caller(hass: HomeAssistant, callers: Callers, said: ConversationInput) -> Caller:
    known = callers.known(said.context)
    if known is not None:
        # An automation or a call of ours that talks to Assist: no rights are added.
        kept = Entrance.SENTENCE if known.entrance in _WIDER else known.entrance
        return replace(known, entrance=kept, agreed=frozenset())
    device = _device(hass, said)
    return Caller(
        entrance=Entrance.SENTENCE,
        user_id=said.context.user_id,
        device_id=None if device is None else device.id,
        area_id=(
            None if device is None else dr.async_get_effective_area_id(hass, device)
        ),
        context=said.context,
    )


def _device(hass: HomeAssistant, said: ConversationInput) -> dr.AnyDeviceEntry | None:
    device_id = said.device_id
    if said.satellite_id is not None:
        satellite = er.async_get(hass).async_get(said.satellite_id)
        device_id = device_id if satellite is None else satellite.device_id
    return None if device_id is None else dr.async_get(hass).async_get(device_id)
