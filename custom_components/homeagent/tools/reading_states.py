"""`get_state`: what entities are now.

Above `entity_lookup`; reached through the door like every tool.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from homeassistant.core import State

from ..kernel.contract import Caller, Invocation, Tool, ToolDefinition, ToolOutput
from ..kernel.json_text import encode_json
from ..kernel.json_values import Json, to_json_value
from ..kernel.names import nearest
from .entity_lookup import area_of, look_up
from .reading import ReadingTool
from .reading_ports import ReadingPorts
from .reading_times import local_time
from .targets import entity_exists, ids_in
from .visible_values import is_secret_value, without_hidden

MOST_ATTRIBUTES: Final = 4000
"""Characters of JSON that the attributes of one entity have unless they are named."""

LONGEST_ATTRIBUTE: Final = 1000
"""Characters of JSON that one of them has."""

_SAID_ELSEWHERE: Final = frozenset({"friendly_name"})

ENTITY_IDS: Final = {
    "type": ["string", "array"],
    "items": {"type": "string"},
    "description": "One entity id, or several: ids or exact names.",
}

GET_STATE: Final = ToolDefinition(
    name="get_state",
    title="Get state",
    description=(
        "Tell the state of one or several entities now, with attributes, area and the "
        "time of the last change. Access tokens and the like are left out."
    ),
    parameters={
        "type": "object",
        "properties": {
            "entity_id": ENTITY_IDS,
            "attributes": {
                "type": "array",
                "items": {"type": "string"},
                "description": (
                    "The attributes that are wanted, whole. Default: all that are short."
                ),
            },
        },
        "required": ["entity_id"],
        "additionalProperties": False,
    },
    parallel_safe=True,
    read_only=True,
)


class StateReading:
    """Reads the state machine."""

    def __init__(self, ports: ReadingPorts) -> None:
        """Take the ports."""
        self._ports = ports

    def tools(self) -> list[Tool]:
        """Return the tools."""
        return [
            ReadingTool(
                self._ports.hass, definition=GET_STATE, work=self.get, named="entity_id"
            )
        ]

    async def get(self, invocation: Invocation) -> object:
        """Tell one state, or `{"states": [...]}` where a list was given."""
        caller, arguments = invocation.caller, invocation.arguments
        given = arguments["entity_id"]
        looked = look_up(self._ports, caller, ids_in(given) or (), "entity_id")
        if looked.error is not None:
            return looked.error
        wanted = ids_in(arguments.get("attributes"))
        known = [self._attributes(caller, state) for state in looked.states]
        told = [
            self._told(state, shown, wanted)
            for state, shown in zip(looked.states, known, strict=True)
        ]
        wrong = _unknown_attributes(looked.states, known, wanted)
        return ToolOutput(
            value=told[0] if isinstance(given, str) else {"states": told},
            warnings=(*looked.warnings, *wrong),
        )

    def _told(
        self, state: State, known: Mapping[str, Json], wanted: list[str] | None
    ) -> dict[str, object]:
        area = area_of(self._ports.hass, state.entity_id)
        shown = {
            name: value
            for name, value in known.items()
            if (name in wanted if wanted is not None else name not in _SAID_ELSEWHERE)
        }
        left_out = [] if wanted is not None else _shorten(shown)
        told: dict[str, object] = {
            "entity_id": state.entity_id,
            "name": state.name,
            "state": state.state,
            "area": None if area is None else area.name,
            "last_changed": local_time(state.last_changed),
            "last_updated": local_time(state.last_updated),
            "attributes": shown,
        }
        if left_out:
            told["attributes_left_out"] = left_out
            told["hint"] = "Name the wanted ones in attributes to get them whole."
        return told

    def _attributes(self, caller: Caller, state: State) -> dict[str, Json]:
        """Return what the caller may know of a state's attributes."""
        hass, may_read = self._ports.hass, self._ports.may_read
        return without_hidden(
            {str(name): to_json_value(one) for name, one in state.attributes.items()},
            lambda one: not entity_exists(hass, one) or may_read(caller, one),
        )


def _shorten(attributes: dict[str, Json]) -> list[str]:
    """Take out what is too long, in place; return the names of what went."""
    left = MOST_ATTRIBUTES
    gone = []
    for name, value in list(attributes.items()):
        size = len(encode_json(value))
        if size > LONGEST_ATTRIBUTE or size > left:
            del attributes[name]
            gone.append(name)
        else:
            left -= size
    return gone


def _unknown_attributes(
    states: Iterable[State],
    told: Iterable[Mapping[str, Json]],
    wanted: list[str] | None,
) -> Iterable[str]:
    known = {name for attributes in told for name in attributes}
    for name in wanted or ():
        if name in known:
            continue
        if any(_is_secret(state, name) for state in states):
            yield f"{name} is not told: it gives access to more than the state."
            continue
        near = nearest(name, known)
        meant = f" Did you mean {' or '.join(near)}?" if near else ""
        yield f"No entity has an attribute {encode_json(name)}.{meant}"


def _is_secret(state: State, name: str) -> bool:
    value = state.attributes.get(name)
    return value is not None and is_secret_value(name, to_json_value(value))
