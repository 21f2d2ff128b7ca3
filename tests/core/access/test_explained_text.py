"""Explanations in words, in both languages."""

import pytest

from custom_components.homeagent.access.defaults import ready_rule
from custom_components.homeagent.access.explained_text import MOST_TOLD, explained_lines
from custom_components.homeagent.kernel.contract import Caller

from .example import (
    ADMIN,
    AUTOMATION,
    CHILD,
    CHILD_TALKS,
    SATELLITE,
    UNKNOWN,
    policy_of,
)
from .house import FakeTool

type Given = dict[str, list[str]] | None
LAMP: Given = {"entity_id": ["light.kitchen"]}


def _name(field: str, identifier: str) -> str:
    if field == "rules":
        ready = ready_rule(identifier)
        assert ready is not None
        return ready.sentence
    return {"child": "Lena", "satellite": "the kitchen speaker"}.get(
        identifier, identifier
    )


def _told(caller: Caller, given: Given, language: str = "en") -> tuple[str, ...]:
    tool = FakeTool("light.turn_on")
    return explained_lines(
        policy_of().explain(caller, tool, given),
        caller,
        with_arguments=given is not None,
        name_of=_name,
        language=language,
    )


@pytest.mark.parametrize(
    ("caller", "given", "first", "chinese"),
    [
        (
            CHILD_TALKS,
            LAMP,
            (
                "Lena may use light.turn_on through a conversation on these targets and"
                " with these inputs."
            ),
            "Lena通过对话可以使用 light.turn_on（针对这些目标和输入）。",
        ),
        (
            SATELLITE,
            {"entity_id": ["light.study"]},
            (
                "Whoever speaks to the kitchen speaker may not use light.turn_on through"
                " a conversation on these targets and with these inputs."
            ),
            (
                "对 the kitchen speaker 说话的人通过对话不可以使用"
                " light.turn_on（针对这些目标和输入）。"
            ),
        ),
        (
            CHILD,
            None,
            ("Lena may use light.turn_on directly, at least on some of what there is."),
            "Lena亲自操作时可以使用 light.turn_on（至少针对现有的一部分）。",
        ),
        (
            AUTOMATION,
            None,
            (
                "Automations may use light.turn_on in an automation, at least on some of"
                " what there is."
            ),
            "自动化在自动化中可以使用 light.turn_on（至少针对现有的一部分）。",
        ),
        (
            UNKNOWN,
            None,
            (
                "Whatever acts by itself may not use light.turn_on with nobody behind it"
                " at all."
            ),
            "来历不明的调用在无人操作时不可以使用 light.turn_on（无论针对什么）。",
        ),
    ],
)
def test_first_line_says_whether(
    caller: Caller, given: Given, first: str, chinese: str
) -> None:
    """Who, by which way, and on what."""
    assert _told(caller, given)[0] == first
    assert _told(caller, given, "zh-Hans")[0] == chinese


@pytest.mark.parametrize(
    ("caller", "given", "line"),
    [
        (
            CHILD_TALKS,
            LAMP,
            (
                "light.kitchen: granted by the rule “Everyone who is signed in,"
                " administrators too, may switch and read what is exposed to Assist, and"
                " run exposed sequences, through a conversation or an MCP client”"
            ),
        ),
        (
            SATELLITE,
            {"entity_id": ["group.mixed"]},
            "light.study (in group.mixed): no rule grants it",
        ),
        (
            CHILD_TALKS,
            {"floor_id": ["ground"]},
            "Left out, because no rule grants them: light.hub, light.room",
        ),
        (
            CHILD,
            {},
            "It names no target, so only a rule that grants everything lets it pass.",
        ),
        (
            CHILD,
            {"area_id": ["cellar"]},
            (
                "Something it names cannot be found, so only a rule that grants"
                " everything lets it pass."
            ),
        ),
        (
            Caller(entrance=CHILD.entrance, user_id="guest"),
            LAMP,
            "light.kitchen: Home Assistant's own permissions speak against it",
        ),
        (UNKNOWN, LAMP, "light.kitchen: no rule grants it"),
        (
            ADMIN,
            LAMP,
            (
                "Rules for this caller by this way: “Administrators may do everything"
                " when they act themselves: with an action, a button or the panel”,"
                " “Everyone who is signed in may switch and read what Home Assistant"
                " lets them control, and run any sequence, when they act themselves”"
            ),
        ),
        (
            Caller(entrance=CHILD.entrance, user_id="gone"),
            LAMP,
            "No rule is for this caller by this way.",
        ),
    ],
)
def test_further_lines_say_why(caller: Caller, given: Given, line: str) -> None:
    """What is missing, and which rule grants the rest; as many lines in Chinese."""
    told = _told(caller, given)
    assert line in told[1:]
    assert len(_told(caller, given, "zh-Hans")) == len(told)


def test_what_is_missing_comes_first_and_much_is_counted() -> None:
    """Nobody reads a thousand lines."""
    entities = [f"light.gone_{number}" for number in range(MOST_TOLD + 5)]
    told = _told(CHILD_TALKS, {"entity_id": ["light.kitchen", *entities]})
    reasons = [line for line in told if line.startswith("light.")]
    assert len(reasons) == MOST_TOLD
    assert all(line.endswith("no rule grants it") for line in reasons)
    assert "and 6 more" in told
