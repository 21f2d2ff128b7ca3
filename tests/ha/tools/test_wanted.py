"""Whether a state shows what was asked: yes, no, or it cannot tell."""

from homeassistant.core import State
import pytest

from custom_components.homeagent.tools.wanted import shows

LIT = State("light.a", "on", {"brightness": 128, "rgb_color": (255, 0, 0)})
FAN = State("fan.a", "on", {"percentage": 50, "oscillating": True})


@pytest.mark.parametrize(
    ("state", "action", "arguments", "shown"),
    [
        (LIT, "turn_on", {}, True),
        (LIT, "turn_on", {"entity_id": ["light.a"], "transition": 3}, True),
        (LIT, "turn_on", {"brightness": 128}, True),
        (LIT, "turn_on", {"brightness": 20}, False),
        (LIT, "turn_on", {"brightness_pct": 50}, True),
        (LIT, "turn_on", {"brightness_pct": 51}, False),
        (LIT, "turn_on", {"rgb_color": [255, 0, 0]}, True),
        (LIT, "turn_on", {"rgb_color": [255, 0, 1]}, False),
        (LIT, "turn_on", {"color_name": "red"}, None),
        (LIT, "turn_on", {"brightness": 20, "color_name": "red"}, False),
        (LIT, "turn_off", {}, False),
        (LIT, "toggle", {}, None),
        (State("light.a", "off"), "turn_on", {"color_name": "red"}, False),
        (State("light.a", "unavailable"), "turn_off", {}, False),
        (FAN, "set_percentage", {"percentage": 50}, True),
        (FAN, "set_percentage", {"percentage": "50"}, True),
        (FAN, "set_percentage", {}, None),
        (FAN, "oscillate", {"oscillating": False}, False),
        (FAN, "oscillate", {"oscillating": 1}, False),
        (State("select.a", "eco"), "select_option", {"option": "eco"}, True),
        (State("select.a", "eco"), "select_option", {"option": "max"}, False),
        (State("number.a", "20.0"), "set_value", {"value": 20}, True),
        (State("text.a", "20"), "set_value", {"value": "21"}, False),
        (State("climate.a", "heat"), "set_hvac_mode", {"hvac_mode": "heat"}, True),
        (
            State("climate.a", "heat", {"temperature": 21.0}),
            "set_temperature",
            {"temperature": 21},
            True,
        ),
        (
            State("climate.a", "heat", {"temperature": 21.0}),
            "set_temperature",
            {"temperature": 21, "hvac_mode": "cool"},
            None,
        ),
        (State("lock.a", "locking"), "lock", {"code": "1234"}, True),
        (State("cover.a", "opening"), "open_cover", {}, True),
        (State("cover.a", "opening"), "close_cover", {}, False),
        (State("vacuum.a", "docked"), "return_to_base", {}, True),
        (State("button.a", "unknown"), "press", {}, None),
        (
            State("alarm_control_panel.a", "armed_night"),
            "alarm_arm_night",
            {},
            True,
        ),
    ],
)
def test_shows(
    state: State, action: str, arguments: dict[str, object], shown: bool | None
) -> None:
    assert shows(state, action, arguments) is shown
