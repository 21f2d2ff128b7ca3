"""Near names are found, far ones are not."""

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.homeagent.kernel.names import nearest

TOOLS = ["light.turn_on", "light.turn_off", "climate.set_temperature", "get_state"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("light.turn_on", "light.turn_on"),
        ("light.turnon", "light.turn_on"),
        ("Light__Turn_On", "light.turn_on"),
        ("lihgt.turn_of", "light.turn_off"),
        ("turn_off", "light.turn_off"),
        ("set_temperature", "climate.set_temperature"),
        ("temperature", "climate.set_temperature"),
        ("getstate", "get_state"),
    ],
)
def test_near(name: str, near: str) -> None:
    assert nearest(name, TOOLS)[0] == near


@pytest.mark.parametrize("name", ["", "  ", "e", "vacuum.start", "x" * 1_000_000])
def test_far(name: str) -> None:
    assert nearest(name, TOOLS) == ()


def test_at_most_n_and_each_once() -> None:
    assert nearest("light.turn_on", TOOLS * 2, n=2) == (
        "light.turn_on",
        "light.turn_off",
    )
    assert nearest("light.turn_on", TOOLS, n=0) == ()


def test_names_that_differ_only_in_spelling_are_both_told() -> None:
    assert nearest("a.bc", ["A_BC", "a.bc"]) == ("A_BC", "a.bc")


@settings(deadline=None)
@given(st.text(), st.lists(st.text()), st.integers(-1, 4))
def test_only_candidates_come_out(name: str, candidates: list[str], n: int) -> None:
    near = nearest(name, candidates, n)
    assert set(near) <= set(candidates)
    assert len(near) == len(set(near)) <= max(n, 0)
