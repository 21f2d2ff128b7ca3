"""The tools that a model is offered at once, and what the user changed of that.

Data and pure functions; imports the kernel only. Several hundred actions are too many
for a model (page 1 §1.8): everything else is found by `tool_search` and called through
`tool_call`. The parameters named here are those that are shown; all others are taken,
too, and `tool_search` tells them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

type Shown = Mapping[str, str | None]
"""The parameters that are shown; a text stands in the place of a long description."""

_IDS: Final[Shown] = {"entity_id": None}
_PLACES: Final[Shown] = {"entity_id": None, "area_id": None}
_NO_TEXT: Final = ""

DEFAULT_SET: Final[Mapping[str, Shown | None]] = MappingProxyType(
    {
        "get_state": None,
        "find_entities": {
            "query": None,
            "domain": None,
            "area": None,
            "state": None,
            "limit": None,
            "offset": None,
        },
        "homeassistant.turn_on": _PLACES,
        "homeassistant.turn_off": _PLACES,
        "homeassistant.toggle": _PLACES,
        "light.turn_on": {
            **_PLACES,
            "brightness_pct": _NO_TEXT,
            "brightness_step_pct": _NO_TEXT,
            "color_name": "An English name, such as red.",
            "rgb_color": _NO_TEXT,
            "color_temp_kelvin": _NO_TEXT,
            "transition": "Seconds.",
        },
        "light.turn_off": _PLACES,
        "climate.set_temperature": {
            **_IDS,
            "temperature": _NO_TEXT,
            "target_temp_high": _NO_TEXT,
            "target_temp_low": _NO_TEXT,
            "hvac_mode": "Such as heat, cool or off.",
        },
        "climate.set_hvac_mode": {**_IDS, "hvac_mode": "Such as heat, cool or off."},
        "cover.open_cover": _PLACES,
        "cover.close_cover": _PLACES,
        "cover.stop_cover": _IDS,
        "cover.set_cover_position": {
            **_IDS,
            "position": "0 is closed, 100 is open.",
        },
        "media_player.media_play": _IDS,
        "media_player.media_pause": _IDS,
        "media_player.media_next_track": _IDS,
        "media_player.volume_set": {**_IDS, "volume_level": _NO_TEXT},
        "tool_search": {"query": None},
        "tool_call": None,
        "seq_list": None,
        "seq_run": None,
        "seq_call": None,
        "seq_when_call": None,
        "seq_create": {
            "name": _NO_TEXT,
            "description": None,
            "groups": "The groups in their order, as seq_help tells.",
            "replace": None,
            "append": None,
        },
        "seq_delete": None,
        "seq_help": None,
        "host_list": None,
        "host_info": None,
        "host_run": None,
        "host_report": None,
    }
)
"""Name: the parameters that are shown, None for all of them as they are."""

FIRST_LEFT_OUT: Final = (
    "seq_create",
    "seq_help",
    "seq_delete",
    "seq_when_call",
    "seq_call",
    "host_run",
    "host_report",
    "host_info",
    "host_list",
    "homeassistant.toggle",
    "media_player.media_next_track",
    "cover.stop_cover",
    "climate.set_hvac_mode",
    "seq_list",
    "media_player.volume_set",
    "cover.set_cover_position",
    "media_player.media_pause",
    "media_player.media_play",
    "climate.set_temperature",
    "cover.close_cover",
    "cover.open_cover",
)
"""What is left out first where a model can read little: what is asked for least."""

SIMPLE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"climate.set_temperature": ("temperature",)}
)
"""What a simple form shows besides an entity and what is required."""

ONLY_WITH: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "seq_list": ("seq_run", "seq_create"),
        "seq_help": ("seq_create",),
        "host_list": ("host_info", "host_run", "host_report"),
    }
)
"""Tools that are of use only to those who may use one of the others, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolChoice:
    """The user's changes: tools of the default set that are off, and others that are on."""

    off: frozenset[str] = frozenset()
    added: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Return the names that are switched on, each once, in a steady order."""
        default = [name for name in DEFAULT_SET if name not in self.off]
        return tuple(dict.fromkeys([*default, *self.added]))


def choice_of(chosen: Collection[str]) -> ToolChoice:
    """Return the changes that make the default set into what was chosen."""
    return ToolChoice(
        off=frozenset(DEFAULT_SET).difference(chosen),
        added=tuple(name for name in chosen if name not in DEFAULT_SET),
    )


def useful(names: Collection[str]) -> list[str]:
    """Return the names without those that are of no use for want of another tool."""
    return [
        name
        for name in names
        if name not in ONLY_WITH or any(other in names for other in ONLY_WITH[name])
    ]
