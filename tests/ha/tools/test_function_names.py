"""The names by which models call tools."""

import re

from custom_components.homeagent.tools.function_names import function_names


def test_names() -> None:
    """Short, of the right characters, each once, the plain ones as they are."""
    tools = [
        "get_state",
        "light.turn_on",
        "other__look-up",
        "light__turn_on",
        "Ütf.tööl",
        "x" * 80,
        "y___z",
        "script." + "long_name_" * 9,
    ]
    names = function_names(tools)
    assert list(names) == tools
    assert len(set(names.values())) == len(tools)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,53}", name) for name in names.values())
    plain = ("get_state", "get_state"), ("light.turn_on", "light__turn_on")
    assert (*plain, ("other__look-up", "other__look-up")) == tuple(names.items())[:3]
    assert function_names(tools) == names
