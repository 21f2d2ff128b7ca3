"""What came of a call, judged from what Home Assistant knows (page 1 §1.8).

"No exception" is no success: Home Assistant leaves out entities that are unavailable,
unknown, or none of the action's, and says so in its log only. Pure: looks and tells.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from homeassistant.core import Context, HomeAssistant

from ..kernel.contract import ToolOutput
from ..kernel.errors import Reason, ToolError
from .quoting import quoted
from .reach import Reach
from .said_words import say
from .targets import Resolved, entity_exists
from .wanted import shows

OK = ToolOutput(text="ok")
"""The output of an action with neither response nor changed states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Which of a call's entities can be acted on, and what is the matter with others."""

    ready: frozenset[str] = frozenset()
    unavailable: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def all_well(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.unavailable or self.absent or self.foreign or self.missing)

    def with_trouble_of(self, other: Standing) -> Standing:
        """Return this standing, with what is the matter with others told, too."""
        if other.all_well:
            return self
        return replace(
            self,
            unavailable=tuple(sorted({*self.unavailable, *other.unavailable})),
            absent=tuple(sorted({*self.absent, *other.absent})),
        )


def standing_of(
    hass: HomeAssistant, reach: Reach, resolved: Resolved, entities: frozenset[str]
) -> Standing:
    """Look at every entity as it is now."""
    if not resolved.missing and all(map(reach.is_ready, entities)):
        return Standing(ready=entities)
    ready: set[str] = set()
    unavailable: list[str] = []
    absent: list[str] = []
    foreign: list[str] = []
    for one in entities:
        if reach.covers(one):
            if reach.is_available(one):
                ready.add(one)
            elif reach.is_exact or entity_exists(hass, one):
                unavailable.append(one)
            else:
                absent.append(one)
        elif not entity_exists(hass, one):
            absent.append(one)
        elif _is_down(hass, one):
            unavailable.append(one)
        else:
            foreign.append(one)
    return Standing(
        ready=frozenset(ready),
        unavailable=tuple(sorted(unavailable)),
        absent=tuple(sorted(absent)),
        foreign=tuple(sorted(foreign)),
        missing=resolved.missing,
    )


def standing_by_state(hass: HomeAssistant, entities: Iterable[str]) -> Standing:
    """Look at entities of any domain, which the call names beside its target."""
    each = sorted(entities)
    absent = [one for one in each if not entity_exists(hass, one)]
    down = [one for one in each if one not in absent and _is_down(hass, one)]
    return Standing(
        ready=frozenset(each) - {*absent, *down},
        unavailable=tuple(down),
        absent=tuple(absent),
    )


def _is_down(hass: HomeAssistant, entity_id: str) -> bool:
    """Whether the entity is unavailable, disabled or not loaded."""
    state = hass.states.get(entity_id)
    return state is None or state.state == "unavailable"


def nothing_ready(name: str, standing: Standing) -> ToolError:
    """Return the error of a call that has nothing left to act on."""
    if standing.unavailable:
        return ToolError(
            reason=Reason.UNAVAILABLE,
            detail=_together(complaints(name, standing)),
            hint="Check the devices' power and connection, or name other entities.",
        )
    return ToolError(
        reason=Reason.VALUE,
        field="target",
        detail=_together(complaints(name, standing))
        or say("nothing_to_act_on", action=name),
        hint="Check the ids in the list of entities, or look them up by name "
        "(tool find_entities).",
    )


def complaints(name: str, standing: Standing) -> tuple[str, ...]:
    """Say what is the matter with whom, one sentence for each matter."""
    said = (
        ("entities_unavailable", standing.unavailable),
        ("entities_absent", standing.absent),
        ("entities_foreign", standing.foreign),
        ("targets_missing", standing.missing),
    )
    return tuple(
        say(code, entities=", ".join(map(quoted, who)), action=name)
        for code, who in said
        if who
    )


def _together(said: Iterable[str]) -> str:
    """Return complaints as one text; nothing for none."""
    each = list(said)
    return reduce(
        lambda done, one: say("complaints", first=done, following=one), each or [""]
    )


def done_and_open(
    hass: HomeAssistant,
    action: str,
    arguments: Mapping[str, object],
    entities: Iterable[str],
    context: Context,
) -> dict[str, object]:
    """Tell, after a failed call, which entities show the change and which do not.

    Home Assistant reports one error for the whole call and not whose it is.
    """
    done: list[str] = []
    unconfirmed: list[str] = []
    for one in sorted(entities):
        state = hass.states.get(one)
        shown = None if state is None else shows(state, action, arguments)
        wrote = state is not None and state.context.id == context.id
        confirmed = shown or (shown is None and wrote)
        (done if confirmed else unconfirmed).append(one)
    return {"done": done, "unconfirmed_entities": unconfirmed}
