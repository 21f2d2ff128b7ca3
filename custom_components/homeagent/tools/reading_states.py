"""`get_state`: what entities are now.

Above `entity_lookup`; reached through the door like every tool.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from homeassistant.core import State

from ..kernel.contract import Caller, Invocation, Tool, ToolDefinition, ToolOutput
from ..kernel.json_text import encode_json
from ..kernel.names import nearest
from ..kernel.rendering import to_json_value
from .entity_ids import is_entity_id
from .entity_lookup import area_of, look_up
from .reading import ReadingTool
from .reading_ports import ReadingPorts
from .reading_times import local_time
from .targets import ids_in

MOST_ATTRIBUTES: Final = 4000
"""Characters of JSON that the attributes of one entity have unless they are named."""

LONGEST_ATTRIBUTE: Final = 1000
"""Characters of JSON that one of them has."""

_SAID_ELSEWHERE: Final = frozenset({"friendly_name"})
_SECRET: Final = frozenset({"access_token", "entity_picture"})
"""Attributes that let whoever reads them see more than the state."""

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
        "time of the last change. Access tokens are left out."
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
        told = [self._told(caller, state, wanted) for state in looked.states]
        return ToolOutput(
            value=told[0] if isinstance(given, str) else {"states": told},
            warnings=(*looked.warnings, *_unknown_attributes(looked.states, wanted)),
        )

    def _told(
        self, caller: Caller, state: State, wanted: list[str] | None
    ) -> dict[str, object]:
        area = area_of(self._ports.hass, state.entity_id)
        shown = {
            name: visible
            for name, value in self._attributes(state, wanted).items()
            if (visible := self._visible(caller, value)) is not _HIDDEN
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

    def _attributes(
        self, state: State, wanted: list[str] | None
    ) -> Mapping[str, object]:
        return {
            name: to_json_value(value)
            for name, value in state.attributes.items()
            if name not in _SECRET
            and (name in wanted if wanted is not None else name not in _SAID_ELSEWHERE)
        }

    def _visible(self, caller: Caller, value: object) -> object:
        """Take out the entities that the caller may not know, as members of a group."""
        if isinstance(value, str) and not self._is_visible(caller, value):
            return _HIDDEN
        if isinstance(value, list):
            return [
                one
                for one in value
                if not isinstance(one, str) or self._is_visible(caller, one)
            ]
        return value

    def _is_visible(self, caller: Caller, text: str) -> bool:
        if not is_entity_id(text) or self._ports.hass.states.get(text) is None:
            return True
        return self._ports.may_read(caller, text)


_HIDDEN: Final = object()


def _shorten(attributes: dict[str, object]) -> list[str]:
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
    states: Iterable[State], wanted: list[str] | None
) -> Iterable[str]:
    known = {name for state in states for name in state.attributes} - _SECRET
    for name in wanted or ():
        if name in _SECRET:
            yield f"{name} is not told: it gives access to more than the state."
        elif name not in known:
            near = nearest(name, known)
            meant = f" Did you mean {' or '.join(near)}?" if near else ""
            yield f"No entity has an attribute {encode_json(name)}.{meant}"
