"""Whether the scripts and automations that a call starts really ran (page 1 §1.8).

Beside `outcomes`, below `action_tool`. Home Assistant answers alike whether a script ran,
was busy and did nothing, or was stopped half-way, and says so in its log only. What tells
them apart: `script_started` is fired before the script decides whether it runs; a start
writes the state with a new `last_triggered`; an automation that starts fires
`automation_triggered`; a run that comes to its end by itself writes the state with fewer
runs before anybody is told, one that is stopped does not; and the trace, where one is
kept, knows of errors and conditions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
import re
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from homeassistant.core import (
    CALLBACK_TYPE,
    Context,
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event

from ..kernel.errors import ToolError
from . import script_troubles as troubles_of
from .quoting import quoted

if TYPE_CHECKING:
    from homeassistant.components.trace.models import BaseTrace, TraceData

# Home Assistant's own names, written here: importing an integration sets nothing up, but
# takes its dependencies along.
_SCRIPT_STARTED = "script_started"
_AUTOMATION_TRIGGERED = "automation_triggered"
_TRACES = "trace"
_STEP: Final = re.compile(r"(?:sequence|action)/([0-9]+)")
"""Where a trace has a step of the run itself, and not of a part within it."""


def is_there(hass: HomeAssistant, entity_id: str) -> bool:
    """Whether the entity has a state and is available."""
    state = hass.states.get(entity_id)
    return state is not None and state.state != "unavailable"


def is_full(state: State | None) -> bool:
    """Whether a script or automation has as many runs as its mode allows."""
    if state is None:
        return False
    runs = _count(state, "current")
    match state.attributes.get("mode"):
        case "single":
            return runs > 0
        case "queued" | "parallel":
            return 0 < _count(state, "max") <= runs
        case _:
            return False


def _count(state: State, attribute: str) -> int:
    value = state.attributes.get(attribute)
    return value if isinstance(value, int) else 0


@dataclass(slots=True, kw_only=True)
class _Run:
    """What was seen of the run that the call asked for."""

    asked: State | None = None
    started: bool = False
    ended: bool = False
    stopped: bool = False
    trace: BaseTrace | None = None


class RunWatch:
    """Sees, while a call goes on, whether what it starts runs; asked after it."""

    def __init__(
        self,
        hass: HomeAssistant,
        entities: Iterable[str],
        context: Context,
        *,
        waits: bool,
    ) -> None:
        """Take what the call starts, with which context, and if it waits for the end."""
        self._hass = hass
        self._waits = waits
        self._context = context
        self._entities = frozenset(entities)
        self._runs: dict[str, _Run] = {}
        self._stops: list[CALLBACK_TYPE] = []

    def __enter__(self) -> Self:
        """Begin to watch."""
        hass = self._hass
        self._stops = [
            hass.bus.async_listen(_SCRIPT_STARTED, self._asked),
            hass.bus.async_listen(_AUTOMATION_TRIGGERED, self._triggered),
            async_track_state_change_event(hass, self._entities, self._wrote),
        ]
        for one in self._entities:
            # Automations tell only that they start, not that they were asked to.
            if one.startswith("automation."):
                self._runs[one] = _Run(asked=hass.states.get(one))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop watching."""
        for stop in self._stops:
            stop()

    @callback
    def _asked(self, event: Event[Mapping[str, object]]) -> None:
        entity_id = str(event.data.get("entity_id"))
        # Only the first time counts: a script may call itself, with the same context.
        if event.context.id == self._context.id and entity_id in self._entities:
            asked = _Run(asked=self._hass.states.get(entity_id))
            self._runs.setdefault(entity_id, asked)

    @callback
    def _triggered(self, event: Event[Mapping[str, object]]) -> None:
        run = self._runs.get(str(event.data.get("entity_id")))
        if run is not None and event.context.parent_id == self._context.id:
            self._begun(str(event.data["entity_id"]), run)

    @callback
    def _wrote(self, event: Event[EventStateChangedData]) -> None:
        entity_id = event.data["entity_id"]
        run = self._runs.get(entity_id)
        old, new = event.data["old_state"], event.data["new_state"]
        if run is None or old is None or new is None:
            return
        if run.started and _count(new, "current") < _count(old, "current"):
            run.ended = True
        elif event.context.id == self._context.id and _begins(old, new):
            self._begun(entity_id, run)

    def _begun(self, entity_id: str, run: _Run) -> None:
        if not run.started:
            # Held from now on: only a few traces are kept, and later ones push it out.
            run.started = True
            run.trace = _trace_of(self._hass, entity_id, self._context)

    def troubles(self) -> dict[str, ToolError]:
        """Return, by entity, why what was asked to run did not, or not to its end."""
        found = {one: self._trouble(one, run) for one, run in self._runs.items()}
        return {one: error for one, error in sorted(found.items()) if error}

    def interrupted(self) -> bool:
        """Take note that a run was stopped; false if it cannot be told which."""
        open_ends = [
            run
            for one, run in self._runs.items()
            if run.started and self._told(one, run).get("script_execution") is None
        ]
        if len(open_ends) != 1:
            return False
        open_ends[0].stopped = True
        return True

    def _trace(self, entity_id: str, run: _Run) -> BaseTrace | None:
        return run.trace or _trace_of(self._hass, entity_id, self._context)

    def _told(self, entity_id: str, run: _Run) -> Mapping[str, object]:
        """Return what the run's trace tells, nothing if there is none."""
        trace = self._trace(entity_id, run)
        return {} if trace is None else trace.as_short_dict()

    def _trouble(self, entity_id: str, run: _Run) -> ToolError | None:
        told = self._told(entity_id, run)
        ended = told.get("script_execution")
        if ended in {"failed_single", "failed_max_runs"}:
            return troubles_of.busy(entity_id, run.asked)
        if ended == "error" or "error" in told:
            return troubles_of.failed(entity_id)
        if ended == "cancelled" or run.stopped or self._was_stopped(entity_id, run):
            return troubles_of.stopped(entity_id)
        why = _last_error(self._trace(entity_id, run)) if ended == "aborted" else None
        if why is not None:
            return troubles_of.failed(entity_id, quoted(why))
        if run.started or ended in {"finished", "aborted"}:
            return None
        if ended is None and is_full(run.asked):
            return troubles_of.busy(entity_id, run.asked)
        # A restart may be told late, and without a trace nothing else tells of it.
        restarts = (
            run.asked is not None and run.asked.attributes.get("mode") == "restart"
        )
        if not told and restarts:
            return None
        return troubles_of.not_started(entity_id)

    def _was_stopped(self, entity_id: str, run: _Run) -> bool:
        """Whether the run is over and never said so; the trace takes that for an end."""
        over = self._waits and run.started and not run.ended
        return over and is_there(self._hass, entity_id)

    def still_running(self) -> list[str]:
        """Return the scripts that the call started and that run now."""
        return sorted(
            one
            for one, run in self._runs.items()
            if run.started and not self._waits and self._hass.states.is_state(one, "on")
        )


def _begins(old: State, new: State) -> bool:
    """Whether a change of state is the start of a run."""
    triggered = new.attributes.get("last_triggered")
    return triggered != old.attributes.get("last_triggered") or _count(
        new, "current"
    ) > _count(old, "current")


def _last_error(trace: BaseTrace | None) -> str | None:
    """Return what the run's author says of its end; empty for an error without that.

    A run is aborted by a condition, which is no error and leaves none, and by a step
    that gives up: a stop with an error, or a wait that may not go on after its time.
    Only a stop's words are meant to be told. Other errors quote templates and values
    of the inside, which not everybody who may run it may see.
    """
    steps = {} if trace is None else trace.as_extended_dict().get("trace", {})
    ends = {
        int(found[1]): each[-1]
        for path, each in steps.items()
        if each and (found := _STEP.fullmatch(path))
    }
    error = ends[max(ends)].get("error") if ends else None
    if error is None:
        return None
    results = (one.get("result") or {} for each in steps.values() for one in each)
    said = {str(result.get("stop")) for result in results if result.get("error")}
    return error if error in said else ""


def _trace_of(
    hass: HomeAssistant, entity_id: str, context: Context
) -> BaseTrace | None:
    """Return the trace of the run that a context started, if it is kept.

    A script runs with the context itself, an automation with a child of it.
    """
    entry = er.async_get(hass).async_get(entity_id)
    kept: TraceData = hass.data.get(_TRACES, {})
    domain = entity_id.partition(".")[0]
    traces = None if entry is None else kept.get(f"{domain}.{entry.unique_id}")
    if traces is None:
        return None
    for trace in traces.runs.values():
        one = trace.context
        if context.id == (one.parent_id if domain == "automation" else one.id):
            return trace
    return None
