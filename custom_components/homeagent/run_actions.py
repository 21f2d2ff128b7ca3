"""The action `homeagent.run_<slug>` of each sequence: an entrance, an alias of `seq_run`.

Registered and described while Home Assistant runs, as scripts do it, so that the
automation editor shows a form with the inputs. Failures raise only where no response was
asked for.
"""

from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.service import async_set_service_schema

from .const import DOMAIN
from .kernel.contract import ToolCall
from .runtime import Runtime
from .sequence.model import Sequence
from .sequence.signature import run_inputs
from .tools.input_fields import action_fields
from .tools.responses import answer
from .tools.sequence_extras import async_slug
from .tools.sequence_news import SEQUENCE_CHANGED


@callback
def async_register(hass: HomeAssistant, runtime: Runtime) -> None:
    """Give each sequence its action, from now on."""
    actions = _RunActions(hass, runtime)
    async_dispatcher_connect(hass, SEQUENCE_CHANGED, actions.async_changed)


class _RunActions:
    """Keeps the actions in step with the sequences."""

    def __init__(self, hass: HomeAssistant, runtime: Runtime) -> None:
        self._hass = hass
        self._runtime = runtime
        self._names: dict[str, str] = {}

    @callback
    def async_changed(self, key: str) -> None:
        """Register, describe or remove the action of a sequence."""
        sequence = self._runtime.library.get(key)
        entry = self._hass.config_entries.async_get_entry(key)
        if sequence is None or entry is None:
            if (name := self._names.pop(key, None)) is not None:
                self._hass.services.async_remove(DOMAIN, name)
            return
        if key not in self._names:
            slug = async_slug(self._hass, entry, sequence.name)
            self._names[key] = f"run_{slug}"
            self._register(key)
        self._describe(self._names[key], sequence)

    def _register(self, key: str) -> None:
        async def handle(action: ServiceCall) -> ServiceResponse:
            return await self._run(key, action)

        self._hass.services.async_register(
            DOMAIN,
            self._names[key],
            handle,
            supports_response=SupportsResponse.OPTIONAL,
        )

    def _describe(self, name: str, sequence: Sequence) -> None:
        description = {
            "name": sequence.name,
            "description": sequence.description,
            "fields": action_fields(run_inputs(sequence)),
        }
        async_set_service_schema(self._hass, DOMAIN, name, description)

    async def _run(self, key: str, action: ServiceCall) -> ServiceResponse:
        sequence = self._runtime.library.get(key)
        name = action.service if sequence is None else sequence.name
        call = ToolCall(
            tool="seq_run", arguments={"name": name, "args": dict(action.data)}
        )
        caller = self._runtime.callers.of(action.context)
        (result,) = (await self._runtime.call(caller, [call])).results
        return answer(self._hass, result, wanted=action.return_response)
