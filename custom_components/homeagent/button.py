"""The button that runs a sequence with its defaults; an entrance to the kernel's door."""

from typing import override

from homeassistant.components.button import ButtonEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import SequenceEntity, async_add_when_there
from .kernel.contract import ToolCall
from .runtime import Runtime
from .sequence.signature import missing_inputs
from .tools.responses import answer

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, add: AddConfigEntryEntitiesCallback
) -> None:
    """Add the button of a sequence."""
    async_add_when_there(hass, entry, add, lambda *args: [RunButton(*args)])


class RunButton(SequenceEntity, ButtonEntity):
    """Runs a sequence; unavailable while it needs an input that has no default."""

    def __init__(self, runtime: Runtime, entry: ConfigEntry) -> None:
        """Make the button."""
        super().__init__(runtime, entry, "run")

    @property
    @override
    def available(self) -> bool:
        """Whether the sequence can be run as it is."""
        return self.sequence is not None and not missing_inputs(self.sequence)

    @override
    async def async_added_to_hass(self) -> None:
        """Report the button: no sequence may press it, and its exposure counts."""
        await super().async_added_to_hass()
        self._runtime.presence.button_added(self._key, self.entity_id)

    @override
    async def async_will_remove_from_hass(self) -> None:
        """Report that it is gone."""
        self._runtime.presence.button_removed(self._key)

    @override
    async def async_press(self) -> None:
        """Run the sequence; a run that fails raises."""
        if (sequence := self.sequence) is None:
            return
        caller = self._runtime.callers.of(self._context or Context())
        call = ToolCall(tool="seq_run", arguments={"name": sequence.name})
        (result,) = (await self._runtime.call(caller, [call])).results
        answer(self.hass, result, wanted=False)
