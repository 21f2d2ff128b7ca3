"""The actions that the figures call: they count, answer, and do nothing else.

Above `home`. All take `number`, and answer with it. An action that only answers counts
as parallel safe by itself; one that may also be called without a response does not, as
nobody declared it.
"""

import asyncio

from homeassistant.core import ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_set_service_schema
import probatio

from .home import Home

DOMAIN = "bench"
INSTANT = f"{DOMAIN}.instant"
PAUSE = f"{DOMAIN}.pause"
PAUSE_IN_ORDER = f"{DOMAIN}.pause_in_order"

PAUSE_SECONDS = 0.1
"""How long the actions that take their time take."""

_SCHEMA = probatio.Schema({probatio.Required("number"): probatio.Coerce(int)})
_DESCRIPTION = {
    "name": "Answer",
    "description": "Answers with the number it got.",
    "fields": {
        "number": {
            "name": "Number",
            "description": "What to answer with.",
            "required": True,
            "selector": {"number": {"min": 0, "max": 1000, "mode": "box"}},
        }
    },
}


async def register_actions(home: Home) -> None:
    """Register the actions, and let HomeAgent read what they take."""

    async def instant(call: ServiceCall) -> ServiceResponse:
        home.tally.count()
        return {"number": call.data["number"]}

    async def pause(call: ServiceCall) -> ServiceResponse:
        await asyncio.sleep(PAUSE_SECONDS)
        home.tally.count()
        return {"number": call.data["number"]}

    for name, handler, responds in (
        (INSTANT, instant, SupportsResponse.ONLY),
        (PAUSE, pause, SupportsResponse.ONLY),
        (PAUSE_IN_ORDER, pause, SupportsResponse.OPTIONAL),
    ):
        action = cv.service(name).partition(".")[2]
        home.hass.services.async_register(
            DOMAIN, action, handler, _SCHEMA, supports_response=responds
        )
        async_set_service_schema(home.hass, DOMAIN, action, _DESCRIPTION)
    await home.runtime.actions.async_prepare()
