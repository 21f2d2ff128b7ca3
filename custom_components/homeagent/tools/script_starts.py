"""Actions that start scripts and automations: what they start, and what came of it.

Between `script_runs`, which sees how one run goes, and `action_tool`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from homeassistant.core import Context, HomeAssistant

from ..kernel.contract import ToolOutput
from ..kernel.errors import ToolError, combine
from . import script_troubles as troubles_of
from .ordering import script_run_by
from .outcomes import OK
from .script_runs import RunWatch, is_full, is_there
from .targets import Resolved

_STARTING = {
    "script.turn_on": "script.",
    "script.toggle": "script.",
    "homeassistant.turn_on": "script.",
    "homeassistant.toggle": "script.",
    "automation.trigger": "automation.",
}
"""What the entities begin with that these actions start."""

_HANGING = frozenset({"script.turn_on", "homeassistant.turn_on"})
"""Actions that Home Assistant ends, where a busy script drops the start, only when the
script's earlier run goes on: perhaps in an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptStarts:
    """One action that starts scripts or automations."""

    hass: HomeAssistant
    name: str

    @classmethod
    def of(cls, hass: HomeAssistant, name: str) -> Self | None:
        """Return how an action starts scripts, None for all that start none."""
        starts = name in _STARTING or script_run_by(hass, name) is not None
        return cls(hass=hass, name=name) if starts else None

    def started_by(self, resolved: Resolved) -> frozenset[str]:
        """Return the scripts and automations that a call starts."""
        if self.name in _STARTING:
            beginning = _STARTING[self.name]
            named = (one for one in resolved.acted_on if one.startswith(beginning))
            return frozenset(one for one in named if is_there(self.hass, one))
        script = script_run_by(self.hass, self.name)
        return frozenset() if script is None else frozenset({script})

    def held(self, resolved: Resolved) -> dict[str, ToolError]:
        """Return the scripts that are busy, where the call would hang for them."""
        if self.name not in _HANGING:
            return {}
        return {
            one: troubles_of.busy(one, state)
            for one in sorted(self.started_by(resolved))
            if is_full(state := self.hass.states.get(one))
        }

    def without(self, held: Mapping[str, object], resolved: Resolved) -> list[str]:
        """Return the entities that the call still acts on."""
        return sorted(resolved.acted_on - held.keys())

    def watch(self, resolved: Resolved, context: Context) -> RunWatch:
        """Return what sees how the runs go, to be entered before the call."""
        return RunWatch(
            self.hass, self.started_by(resolved), context, waits=self._waits
        )

    @property
    def _waits(self) -> bool:
        """Whether the action ends only when what it started has ended."""
        return self.name not in _STARTING or self.name == "automation.trigger"

    def told(
        self,
        output: object,
        resolved: Resolved,
        watch: RunWatch,
        held: Mapping[str, ToolError],
    ) -> object:
        """Return a call's output with what became of the runs it asked for.

        An error if nothing else was done, warnings beside what was.
        """
        if isinstance(output, ToolError):
            return output
        troubles = {**held, **watch.troubles()}
        running = [f"still running: {one}" for one in watch.still_running()]
        if not troubles and not running:
            return output
        whole = output if isinstance(output, ToolOutput) else ToolOutput(value=output)
        if whole.error is None and troubles and not self._others(resolved, troubles):
            return _with(whole, combine(list(troubles.values())), ())
        told = tuple(error.detail for error in troubles.values())
        return _with(whole, whole.error, (*told, *running))

    def _others(self, resolved: Resolved, troubles: Mapping[str, ToolError]) -> bool:
        """Whether the call did something beside the runs that came to nothing."""
        if self.name not in _STARTING:
            return False
        others = resolved.acted_on - troubles.keys()
        return any(is_there(self.hass, one) for one in others)


def _with(
    output: ToolOutput, error: ToolError | None, warnings: tuple[str, ...]
) -> ToolOutput:
    return ToolOutput(
        value=output.value,
        text=None
        if error
        else output.text or OK.text
        if output.value is None
        else None,
        error=error,
        warnings=(*output.warnings, *warnings),
        attachments=output.attachments,
        nested=output.nested,
    )
