"""Names of actions as functions: short, plain, and one for each."""

import re

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.tools.action_names import (
    LONGEST,
    llm_name,
    plain_action_name,
    split_name,
)

LONG = "script.a_script_with_a_name_that_is_longer_than_any_server_would_take"


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("light.turn_on", "light__turn_on"),
        ("notify.mobile_app_pixel_9", "notify__mobile_app_pixel_9"),
        (LONG, "script__a_script_with_a_name_that_is_longe___aa4c2ae3"),
        ("script.__x", "script____x___2d3feb8f"),
    ],
)
def test_function_names(name: str, function: str) -> None:
    """The hash must never change: models and users have seen it."""
    assert llm_name(name) == function


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a.b__c", "a__b.c"),
        ("a_.b", "a._b"),
        (LONG, f"{LONG}r"),
        ("a.b c", "a.b_c"),
        ("A.b", "a.b"),
    ],
)
def test_two_actions_never_share_a_function_name(one: str, other: str) -> None:
    assert llm_name(one) != llm_name(other)


@given(st.text(), st.text())
def test_every_text_gives_a_legal_name(one: str, other: str) -> None:
    """Whatever Home Assistant lets an integration register."""
    name = llm_name(f"{one}.{other}")
    assert re.fullmatch(rf"[A-Za-z0-9_-]{{1,{LONGEST}}}", name)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("light__turn_on", "light.turn_on"),
        ("light.turn_on", None),
        ("light_turn_on", None),
        ("a__b__c", None),
        ("Light__turn_on", None),
        ("", None),
    ],
)
def test_plain_names_lead_back(function: str, name: str | None) -> None:
    assert plain_action_name(function) == name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("light.turn_on", ("light", "turn_on")),
        ("light", None),
        (".x", None),
        ("x.", None),
        ("a.b.c", None),
    ],
)
def test_split(name: str, parts: object) -> None:
    assert split_name(name) == parts
