"""Whether an entity's state shows what an action asked for.

Pure: state and arguments in; true, false, or None where the state cannot tell. Only what
the table says counts; nothing is guessed from names of attributes alone.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from homeassistant.core import State

from .selectors_schema import TARGET_KEYS

type Arguments = Mapping[str, object]

_ON = frozenset({"on"})
_OFF = frozenset({"off"})

_STATES: Mapping[tuple[str, str], frozenset[str]] = MappingProxyType(
    {
        **{
            (domain, "turn_on"): _ON
            for domain in (
                "alert automation fan humidifier input_boolean light remote siren switch"
            ).split()
        },
        **{
            (domain, "turn_off"): _OFF
            for domain in (
                "automation climate fan humidifier input_boolean light media_player remote"
                " siren switch water_heater"
            ).split()
        },
        ("lock", "lock"): frozenset({"locked", "locking"}),
        ("lock", "unlock"): frozenset({"unlocked", "unlocking", "open", "opening"}),
        ("lock", "open"): frozenset({"open", "opening", "unlocked"}),
        ("cover", "open_cover"): frozenset({"open", "opening"}),
        ("cover", "close_cover"): frozenset({"closed", "closing"}),
        ("valve", "open_valve"): frozenset({"open", "opening"}),
        ("valve", "close_valve"): frozenset({"closed", "closing"}),
        ("vacuum", "start"): frozenset({"cleaning"}),
        ("vacuum", "pause"): frozenset({"paused"}),
        ("vacuum", "return_to_base"): frozenset({"returning", "docked"}),
        ("lawn_mower", "start_mowing"): frozenset({"mowing"}),
        ("lawn_mower", "pause"): frozenset({"paused"}),
        ("lawn_mower", "dock"): frozenset({"returning", "docked"}),
        ("media_player", "media_play"): frozenset({"playing", "buffering"}),
        ("media_player", "media_pause"): frozenset({"paused"}),
        ("media_player", "media_stop"): frozenset({"idle", "off", "standby"}),
        ("timer", "start"): frozenset({"active"}),
        ("timer", "pause"): frozenset({"paused"}),
        ("timer", "cancel"): frozenset({"idle"}),
        ("timer", "finish"): frozenset({"idle"}),
        ("alarm_control_panel", "alarm_disarm"): frozenset({"disarmed"}),
        ("alarm_control_panel", "alarm_trigger"): frozenset({"triggered"}),
        **{
            ("alarm_control_panel", f"alarm_arm_{mode}"): frozenset(
                {f"armed_{mode}", "arming"}
            )
            for mode in "home away night vacation custom_bypass".split()
        },
    }
)
"""The states that show that an action was done, by domain and action."""

_STATE_IS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("select", "select_option"): "option",
        ("input_select", "select_option"): "option",
        ("number", "set_value"): "value",
        ("input_number", "set_value"): "value",
        ("counter", "set_value"): "value",
        ("text", "set_value"): "value",
        ("input_text", "set_value"): "value",
        ("climate", "set_hvac_mode"): "hvac_mode",
        ("water_heater", "set_operation_mode"): "operation_mode",
    }
)
"""The argument that the state itself takes on."""

_ATTRIBUTES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "light": frozenset(
            "brightness color_temp_kelvin hs_color rgb_color rgbw_color rgbww_color"
            " xy_color effect".split()
        ),
        "climate": frozenset(
            "temperature target_temp_high target_temp_low preset_mode fan_mode"
            " swing_mode swing_horizontal_mode".split()
        ),
        "fan": frozenset("percentage preset_mode oscillating direction".split()),
        "media_player": frozenset(
            "volume_level is_volume_muted source sound_mode shuffle repeat".split()
        ),
        "vacuum": frozenset({"fan_speed"}),
        "water_heater": frozenset({"temperature"}),
    }
)
"""Attributes that take on the argument of the same name."""

_SETS_ATTRIBUTES = frozenset(
    {
        ("climate", "set_temperature"),
        ("climate", "set_preset_mode"),
        ("climate", "set_fan_mode"),
        ("climate", "set_swing_mode"),
        ("climate", "set_swing_horizontal_mode"),
        ("fan", "set_percentage"),
        ("fan", "set_preset_mode"),
        ("fan", "oscillate"),
        ("fan", "set_direction"),
        ("media_player", "volume_set"),
        ("media_player", "volume_mute"),
        ("media_player", "select_source"),
        ("media_player", "select_sound_mode"),
        ("media_player", "shuffle_set"),
        ("media_player", "repeat_set"),
        ("vacuum", "set_fan_speed"),
        ("water_heater", "set_temperature"),
    }
)
"""Actions that set attributes and leave the state as it is."""

_SILENT = frozenset({*TARGET_KEYS, "transition", "code"})
"""Arguments that say how, and leave no trace in the state."""


def _percent_to_brightness(value: object) -> object:
    return round(value * 255 / 100) if isinstance(value, int | float) else value


_SAME_AS: Mapping[tuple[str, str], tuple[str, Callable[[object], object]]] = (
    MappingProxyType(
        {("light", "brightness_pct"): ("brightness", _percent_to_brightness)}
    )
)
"""Arguments that an attribute shows under another name or in another unit."""


def shows(state: State, action: str, arguments: Arguments) -> bool | None:
    """Return whether a state shows what the action asked; None if it cannot tell."""
    told = {
        key: value
        for key, value in arguments.items()
        if key not in _SILENT and value is not None
    }
    key = (state.domain, action)
    if (argument := _STATE_IS.get(key)) is not None:
        return _same(state.state, told.pop(argument, None)) and _all(state, told)
    if key in _SETS_ATTRIBUTES:
        return _all(state, told) if told else None
    wanted = _STATES.get(key)
    if wanted is None:
        return None
    return _all(state, told) if state.state in wanted else False


def _all(state: State, told: Arguments) -> bool | None:
    """Whether every argument shows in its attribute; one that has none cannot tell."""
    result: bool | None = True
    for name, value in told.items():
        attribute, convert = _SAME_AS.get((state.domain, name), (name, None))
        if attribute not in _ATTRIBUTES.get(state.domain, ()):
            result = None
        elif not _same(
            state.attributes.get(attribute), convert(value) if convert else value
        ):
            return False
    return result


def _same(shown: object, asked: object) -> bool:
    """Compare as people do: 20 and 20.0 and "20" are one; lists by their elements."""
    if isinstance(shown, list | tuple) and isinstance(asked, list | tuple):
        return len(shown) == len(asked) and all(map(_same, shown, asked, strict=True))
    if isinstance(shown, bool) or isinstance(asked, bool):
        return shown is asked
    return shown == asked or _number(shown) == _number(asked) is not None


def _number(value: object) -> float | None:
    if not isinstance(value, str | int | float):
        return None
    try:
        return float(value)
    except ValueError:
        return None
