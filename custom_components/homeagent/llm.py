"""What HomeAgent adds to Home Assistant's Assist API: the exposed sequences.

An entrance to the kernel's door, for every agent that uses Assist. All other tools are
offered by HomeAgent's own API.
"""

from homeassistant.components.llm import LLMTools
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.llm import LLM_API_ASSIST, LLMContext

from .runtime import DATA_RUNTIME


@callback
def async_get_tools(
    hass: HomeAssistant, llm_context: LLMContext, api_id: str
) -> LLMTools | None:
    """Return a tool for each exposed sequence that the caller may run."""
    if api_id != LLM_API_ASSIST or (runtime := hass.data.get(DATA_RUNTIME)) is None:
        return None
    way = runtime.offering.way_of(llm_context)
    tools = way.adapt(runtime.offering.runs_for(way.caller))
    return LLMTools(tools=tools) if tools else None
