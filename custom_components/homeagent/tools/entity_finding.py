"""`find_entities`: which entities there are, by words and by place.

Above `word_ranking`; reached through the door like every tool. Lists only what the caller
may read; what may not be read is told nothing of, also not by an error.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from homeassistant.core import State

from ..kernel.contract import Arguments, Caller, Invocation, Tool, ToolDefinition
from ..kernel.errors import Reason, ToolError
from ..kernel.json_text import encode_json
from ..kernel.json_values import well_formed
from ..kernel.names import nearest
from .found_entity import PLACES, FoundEntity, Place
from .home_names import find_named
from .reading import ReadingTool
from .reading_ports import ReadingPorts
from .word_ranking import rank

MOST_FOUND: Final = 100
"""Entities in one answer."""

DEFAULT_FOUND: Final = 20

FIND_ENTITIES: Final = ToolDefinition(
    name="find_entities",
    title="Find entities",
    description=(
        "Find entities by words of their names, aliases, areas and devices, and by "
        "domain, area, floor, label or state. Without any of these: all of them, in "
        "pages. The best come first."
    ),
    parameters={
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "maxLength": 200,
                "description": "Words, such as: kitchen ceiling light.",
            },
            "domain": {"type": "string", "description": "Such as light or sensor."},
            "area": {"type": "string", "description": "Name or id of an area."},
            "floor": {"type": "string", "description": "Name or id of a floor."},
            "label": {"type": "string", "description": "Name or id of a label."},
            "state": {
                "type": ["string", "boolean"],
                "description": "The state that they are in now, such as on.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_FOUND,
                "description": f"How many to tell; default {DEFAULT_FOUND}.",
            },
            "offset": {
                "type": "integer",
                "minimum": 0,
                "description": "How many to skip: next_offset of the last answer.",
            },
        },
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
)


type _Test = Callable[[FoundEntity], bool]


class EntityFinding:
    """Searches the state machine and the registries."""

    def __init__(self, ports: ReadingPorts) -> None:
        """Take the ports."""
        self._ports = ports

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [ReadingTool(self._ports.hass, definition=FIND_ENTITIES, work=self.find)]

    async def find(self, invocation: Invocation) -> object:
        """Tell one page of what fits, and how many there are."""
        caller, arguments = invocation.caller, invocation.arguments
        tests = self._tests(caller, arguments)
        if isinstance(tests, ToolError):
            return tests
        entities = [
            entity
            for entity in map(
                partial(FoundEntity.of, self._ports.hass), self._states(arguments)
            )
            if all(test(entity) for test in tests)
            and self._ports.may_read(caller, entity.state.entity_id)
        ]
        if query := str(arguments.get("query", "")).strip():
            # Off the event loop: in a large home it takes a while.
            entities = await self._ports.hass.async_add_executor_job(
                _ranked, query, entities
            )
        else:
            entities.sort(key=lambda entity: entity.state.entity_id)
        return _page(entities, arguments)

    def _states(self, arguments: Arguments) -> Iterable[State]:
        domain = str(arguments.get("domain", "")).strip().casefold()
        return self._ports.hass.states.async_all(domain or None)

    def _tests(self, caller: Caller, arguments: Arguments) -> list[_Test] | ToolError:
        tests: list[_Test] = []
        for name, place in PLACES.items():
            if name not in arguments:
                continue
            found = self._place(caller, name, str(arguments[name]), place)
            if isinstance(found, ToolError):
                return found
            tests.append(found)
        if "state" in arguments:
            wanted = _state_text(arguments["state"])
            tests.append(lambda entity: entity.state.state.casefold() == wanted)
        return tests

    def _place(
        self, caller: Caller, name: str, text: str, place: Place
    ) -> _Test | ToolError:
        """Return the test for a place, if there is one that the caller may know of."""
        hass = self._ports.hass
        visible = self._ports.sees_everything(caller)
        match = find_named(hass, f"{name}_id", text)
        if match.id is not None and (
            visible or match.id in self._visible_places(caller, place)
        ):
            identifier = match.id
            return lambda entity: identifier in place.of_entity(hass, entity)
        names = place.names(hass)
        known = names.keys() if visible else self._visible_places(caller, place)
        near = nearest(text, [names[one] for one in known if one in names])
        meant = f"Did you mean {' or '.join(near)}? " if near else ""
        return ToolError(
            reason=Reason.VALUE,
            field=name,
            detail=f"there is no {name} {encode_json(well_formed(text))}",
            hint=f"{meant}Leave {name} out to search everywhere.",
        )

    def _visible_places(self, caller: Caller, place: Place) -> set[str]:
        """Return the places where there is something that the caller may read."""
        hass = self._ports.hass
        return {
            identifier
            for state in hass.states.async_all()
            if self._ports.may_read(caller, state.entity_id)
            for identifier in place.of_entity(hass, FoundEntity.of(hass, state))
        }


def _state_text(value: object) -> str:
    """Return the state that is meant; YAML's on and off arrive as true and false."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value).strip().casefold()


def _ranked(query: str, entities: list[FoundEntity]) -> list[FoundEntity]:
    """Return those that fit as many words of the query as any does, the best first."""
    by_id = {entity.state.entity_id: entity for entity in entities}
    found = rank(query, [entity.document() for entity in entities])
    most = max((one.words for one in found), default=0)
    return [by_id[one.key] for one in found if one.words == most]


def _page(entities: list[FoundEntity], arguments: Arguments) -> dict[str, object]:
    offset, limit = (
        _number(arguments, "offset", 0),
        _number(arguments, "limit", DEFAULT_FOUND),
    )
    shown = entities[offset : offset + limit]
    answer: dict[str, object] = {
        "total": len(entities),
        "entities": [entity.told() for entity in shown],
    }
    if offset + len(shown) < len(entities) and shown:
        answer["next_offset"] = offset + len(shown)
    return answer


def _number(arguments: Arguments, name: str, default: int) -> int:
    value = arguments.get(name, default)
    return value if isinstance(value, int) else default
