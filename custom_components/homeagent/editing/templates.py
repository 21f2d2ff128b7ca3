"""Sequences to begin with: three that are useful in most homes as they are.

Pure; the names in them are words of the person who edits, temperatures are in the unit
of the home.
"""

from collections.abc import Callable, Mapping
from typing import Final

from .group_form import GroupDocument
from .wording import Wording

type Build = Callable[[Wording, str], list[GroupDocument]]

_NIGHT: Final = {"°C": 17, "°F": 63}
"""The temperature of a night, by the unit."""


def _good_night(word: Wording, unit: str) -> list[GroupDocument]:
    off = ("light.turn_off", "media_player.turn_off", "cover.close_cover")
    return [
        {
            "name": word("template_all_off"),
            "missing": "skip",
            "on_error": "continue",
            "tools": [
                {"tool": tool, "args": {"target": {"entity_id": "all"}}} for tool in off
            ],
        },
        {
            "name": word("template_heating"),
            "in": {
                "temperature": {
                    "type": "number",
                    "description": word("template_temperature"),
                    "default": _NIGHT[unit],
                }
            },
            "missing": "skip",
            "on_error": "continue",
            "tools": [
                {
                    "tool": "climate.set_temperature",
                    "args": {
                        "target": {"entity_id": "all"},
                        "temperature": "$args.temperature",
                    },
                }
            ],
        },
    ]


def _wake_up(word: Wording, _unit: str) -> list[GroupDocument]:
    def light(percent: int) -> dict[str, object]:
        args = {"target": {"entity_id": "$args.lights"}, "brightness_pct": percent}
        return {"tool": "light.turn_on", "args": args}

    def wait() -> dict[str, object]:
        return {"tool": "wait", "args": {"seconds": "$args.seconds"}}

    return [
        {
            "name": word("template_brighter"),
            "in": {
                "lights": {"type": "array", "description": word("template_lights")},
                "seconds": {
                    "type": "number",
                    "description": word("template_seconds"),
                    "default": 300,
                },
            },
            "parallel": False,
            "timeout": "30m",
            "tools": [light(5), wait(), light(30), wait(), light(100)],
        }
    ]


def _warn_if_open(word: Wording, _unit: str) -> list[GroupDocument]:
    tell = word("template_tell")
    sensor = {"type": "string", "description": word("template_sensor")}
    return [
        {
            "name": word("template_look"),
            "in": {"sensor": sensor},
            "out": {"state": "string"},
            "parallel": False,
            "tools": [
                {
                    "tool": "get_state",
                    "args": {"entity_id": "$args.sensor"},
                    "as": "state",
                    "select": "state",
                },
                {
                    "tool": "seq_when_call",
                    "args": {
                        "target": tell,
                        "args": {"sensor": "$args.sensor"},
                        "when": '$out.state == "on"',
                    },
                },
            ],
        },
        {
            "name": tell,
            "in": {"sensor": sensor},
            "call_only": True,
            "tools": [
                {
                    "tool": "persistent_notification.create",
                    "args": {"message": word("template_open")},
                }
            ],
        },
    ]


TEMPLATES: Final[Mapping[str, Build]] = {
    "good_night": _good_night,
    "wake_up": _wake_up,
    "warn_if_open": _warn_if_open,
}
"""What makes the groups of each template, by the key of its words.

It is given the words and the unit of temperatures, `°C` or `°F`.
"""
