"""Entities that a call names: what they are, or why they cannot be read.

For the reading tools, which know the caller: near names are suggested only from what the
caller may read (page 1 §1.1).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)

from ..kernel.contract import Caller
from ..kernel.errors import Reason, ToolError, combine
from ..kernel.json_text import encode_json
from ..kernel.json_values import well_formed
from ..kernel.names import nearest
from .reading_ports import ReadingPorts
from .said_words import say

_MOST_SUGGESTED_FOR = 3
"""Unknown names of one call for which near ones are looked for: it takes a while."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """The states of what was named, and a problem for each one that has none."""

    states: tuple[State, ...]
    problems: tuple[ToolError, ...] = ()

    @property
    def error(self) -> ToolError | None:
        """The error of a call that names nothing that can be read."""
        return None if self.states or not self.problems else combine(self.problems)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong with some, where others can be read."""
        return tuple(
            say("looked_up", detail=one.detail, hint=one.hint) for one in self.problems
        )


def look_up(
    ports: ReadingPorts, caller: Caller, entity_ids: Iterable[str], field: str
) -> Lookup:
    """Find the states of the entities that an argument names."""
    states = []
    missing = []
    for entity_id in entity_ids:
        state = ports.hass.states.get(entity_id)
        if state is None:
            missing.append(entity_id)
        else:
            states.append(state)
    return Lookup(
        states=tuple(states),
        problems=tuple(missing_entities(ports, caller, missing, field)),
    )


def missing_entities(
    ports: ReadingPorts, caller: Caller, entity_ids: Iterable[str], field: str
) -> Iterable[ToolError]:
    """Tell of entities without a state: `unavailable` for registered ones, or `value`."""
    suggested = 0
    for entity_id in entity_ids:
        entry = er.async_get(ports.hass).async_get(entity_id)
        if entry is not None:
            yield _without_state(entry, field)
            continue
        near: list[str] = []
        if suggested < _MOST_SUGGESTED_FOR:
            suggested += 1
            near = _near(ports, caller, entity_id)
        meant = f"Did you mean {' or '.join(near)}? " if near else ""
        yield ToolError(
            reason=Reason.VALUE,
            field=field,
            detail=say(
                "no_entity",
                entity=encode_json(well_formed(entity_id)),
                near=" / ".join(near),
            ),
            hint=f"{meant}Use find_entities to find the id.",
        )


def _near(ports: ReadingPorts, caller: Caller, text: str) -> list[str]:
    """Return up to three ids whose id or name looks like a text."""
    spellings: dict[str, list[str]] = {}
    for state in ports.hass.states.async_all():
        for spelling in (state.entity_id, state.name):
            spellings.setdefault(spelling, []).append(state.entity_id)
    ids = (
        entity_id
        for spelling in nearest(text, spellings, n=10)
        for entity_id in spellings[spelling]
    )
    readable = (one for one in dict.fromkeys(ids) if ports.may_read(caller, one))
    return [one for one, _ in zip(readable, range(3), strict=False)]


def _without_state(entry: er.RegistryEntry, field: str) -> ToolError:
    if entry.disabled:
        why = say("entity_disabled", entity=entry.entity_id)
        hint = "Enable it in Home Assistant's settings."
    else:
        why = say("entity_without_state", entity=entry.entity_id)
        hint = "Check whether the integration is loaded."
    return ToolError(reason=Reason.UNAVAILABLE, field=field, detail=why, hint=hint)


def area_of(hass: HomeAssistant, entity_id: str) -> ar.AreaEntry | None:
    """Return the area of an entity: its own, else its device's."""
    entry = er.async_get(hass).async_get(entity_id)
    if entry is None:
        return None
    area_id = entry.area_id
    if area_id is None and entry.device_id is not None:
        device = dr.async_get(hass).async_get(entry.device_id)
        if device is not None:
            area_id = dr.async_get_effective_area_id(hass, device)
    return None if area_id is None else ar.async_get(hass).async_get_area(area_id)
