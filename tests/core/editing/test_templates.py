"""The sequences to begin with, in whatever home."""

import pytest

from custom_components.homeagent.editing.templates import TEMPLATES

from .words import EN


@pytest.mark.parametrize(("unit", "night"), [("°C", 17), ("°F", 63)])
def test_night_is_not_frosty(unit: str, night: int) -> None:
    """The temperature is one in the home's unit: 17 °F would freeze the pipes."""
    _, heating = TEMPLATES["good_night"](EN, unit)
    inputs = heating["in"]
    assert isinstance(inputs, dict)
    assert inputs["temperature"]["default"] == night
