"""The sequence that the demo creates and runs, and one that is refused.

Data only; imports nothing of ours.
"""

from collections.abc import Mapping
import json

type Entry = Mapping[str, object]


def _tools(*entries: Entry) -> str:
    """Write tool entries as a sequence does: an object, a semicolon, the next one."""
    return " ".join(f"{json.dumps(entry, ensure_ascii=False)} ;" for entry in entries)


_LIGHTS: tuple[Entry, ...] = (
    {
        "tool": "light.turn_on",
        "args": {
            "entity_id": "light.sofa_lamp",
            "brightness_pct": "$args.brightness",
        },
    },
    {
        "tool": "light.turn_on",
        "args": {
            "entity_id": "light.reading_lamp",
            "brightness_pct": "$args.brightness",
        },
    },
    {"tool": "light.turn_on", "args": {"entity_id": "light.hallway"}},
    {"tool": "light.turn_off", "args": {"entity_id": "light.worktop"}},
    {"tool": "light.turn_off", "args": {"entity_id": "light.desk"}},
    {"tool": "cover.close_cover", "args": {"entity_id": "cover.living_room_blind"}},
)

_LOOK: tuple[Entry, ...] = (
    {
        "tool": "weather.get_forecasts",
        "args": {"entity_id": "weather.home", "type": "daily"},
        "select": '["weather.home"].forecast[0]',
        "as": "tomorrow",
    },
    {
        "tool": "todo.get_items",
        "args": {"entity_id": "todo.shopping_list", "status": ["needs_action"]},
        "select": '["todo.shopping_list"].items[0].summary',
        "as": "first_to_buy",
    },
)

_TELL: tuple[Entry, ...] = (
    {
        "tool": "seq_call",
        "args": {"target": "Look around"},
        "as": "found",
    },
    {
        "tool": "persistent_notification.create",
        "args": {
            "title": "Good night",
            "message": "Tomorrow: $out.found.tomorrow.condition, up to "
            "$out.found.tomorrow.temperature °C. Buy first: $out.found.first_to_buy.",
        },
    },
)

EVENING_CHECK: Mapping[str, object] = {
    "name": "Evening check",
    "description": "Settles the home for the night and tells what tomorrow brings.",
    "groups": [
        {
            "name": "Lights",
            "description": "Dims what is needed, switches off the rest, shuts the blind",
            "in": {"brightness": {"type": "integer", "default": 35}},
            "tools": _tools(*_LIGHTS),
        },
        {
            "name": "Look around",
            "description": "Reads tomorrow's weather and the shopping list",
            "out": {"tomorrow": "object", "first_to_buy": "string"},
            "call_only": True,
            "tools": _tools(*_LOOK),
        },
        {
            "name": "Tell",
            "description": "Leaves a note, made of what was found",
            "in": {"announce": {"type": "boolean", "default": True}},
            "out": {"found": "object"},
            "when": "$args.announce",
            "parallel": False,
            "tools": _tools(*_TELL),
        },
    ],
}

RUN_ARGUMENTS: Mapping[str, object] = {"brightness": 35, "announce": True}

ENTRIES: Mapping[str, tuple[Entry, ...]] = {
    "Lights": _LIGHTS,
    "Look around": _LOOK,
    "Tell": _TELL,
}
"""The tool entries of each group, in order, to label the report's lines with."""

# Three slips that people and models make: a slot that nobody declared, an input that
# nobody declared, and a call of a group that does not exist.
REFUSED: Mapping[str, object] = {
    "name": "Morning check",
    "description": "Has three slips in it",
    "groups": [
        {
            "name": "Wake up",
            "in": {"brightness": "integer"},
            "out": {"tomorrow": "object"},
            "parallel": False,
            "tools": _tools(
                {
                    "tool": "light.turn_on",
                    "args": {
                        "entity_id": "light.reading_lamp",
                        "brightness_pct": "$args.brightnes",
                    },
                },
                {
                    "tool": "weather.get_forecasts",
                    "args": {"entity_id": "weather.home", "type": "daily"},
                    "as": "tomorow",
                },
                {"tool": "seq_call", "args": {"target": "Say it"}},
            ),
        }
    ],
}


def target(entry: Entry) -> str | None:
    """Return the entity that an entry names, None where it names none."""
    arguments = entry.get("args")
    entity = arguments.get("entity_id") if isinstance(arguments, Mapping) else None
    return entity if isinstance(entity, str) else None
