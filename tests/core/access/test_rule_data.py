"""Stored rules: what is taken, what is not, and what is said of it."""

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.access.model import (
    ENTRANCES,
    AccessRule,
    How,
    What,
    Where,
    Who,
)
from custom_components.homeagent.access.rule_data import dump_rule, read_rule
from custom_components.homeagent.access.rule_problems import Problem, RuleError

GOOD: dict[str, object] = {
    "name": "Kitchen",
    "who": ["voice_devices"],
    "users": ["u1"],
    "through": ["conversation", "sentence"],
    "where": ["exposed"],
    "areas": ["kitchen"],
    "what": ["entity_actions"],
    "tools": ["light.*", "host_run"],
    "entities": ["lock.door"],
    "sequences": ["01K"],
    "how": "ask",
    "enabled": True,
}


def test_rule_is_read_and_written_back() -> None:
    """Nothing is lost on the way."""
    rule = read_rule("r1", GOOD)
    assert (rule.id, rule.how) == ("r1", How.ASK)
    assert rule.who == {Who.VOICE_DEVICES}
    assert rule.tools == {"light.*", "host_run"}
    assert read_rule("r1", dump_rule(rule)) == rule
    assert "key" not in dump_rule(rule)


@pytest.mark.parametrize(
    ("change", "field", "code", "right"),
    [
        ({"who": ["administrator"]}, "who", "unknown_word", "administrators"),
        ({"who": "signed_in"}, "who", "no_list", "a list"),
        ({"who": [7]}, "who[0]", "no_text", "a text"),
        ({"through": []}, "through", "no_entrance", "at least one"),
        ({"through": ["system"]}, "through", "unknown_word", "one of"),
        ({"through": ["automation"]}, "who", "other_entrance", "conversation"),
        ({"where": ["everywere"]}, "where", "unknown_word", "everywhere"),
        ({"where": [], "areas": []}, "where", "nowhere", "at least one"),
        ({"who": [], "users": []}, "who", "nobody", "at least one"),
        (
            {"what": [], "tools": [], "entities": [], "sequences": []},
            "what",
            "nothing",
            "at least one",
        ),
        ({"how": "deny"}, "how", "unknown_word", "allow, ask"),
        ({"how": []}, "how", "unknown_word", "allow, ask"),
        ({"enabled": "yes"}, "enabled", "no_boolean", "true or false"),
        ({"name": " "}, "name", "no_text", "not blank"),
        ({"tools": ["*"]}, "tools", "no_pattern", "everything"),
        ({"tools": ["*.turn_on"]}, "tools", "no_pattern", "light.*"),
        ({"tools": ["light.turn on"]}, "tools", "no_pattern", "light.*"),
        ({"entities": ["Lock.Door"]}, "entities", "no_entity_id", "light.kitchen"),
        ({"entities": ["lock"]}, "entities", "no_entity_id", "light.kitchen"),
        ({"entities": ["A" * 32]}, "entities", "no_entity_id", "light.kitchen"),
        ({"area": ["kitchen"]}, "area", "unknown_key", "areas"),
        ({"users": [" u1"]}, "users[0]", "no_text", "blanks"),
        ({"where": [], "sequences": []}, "", "", ""),
        ({"where": []}, "sequences", "area_does_not_reach", "everywhere"),
        (
            {"where": [], "sequences": [], "entities": ["script.x"]},
            "entities",
            "area_does_not_reach",
            "everywhere",
        ),
        (
            {"who": [], "where": ["speaking_area", "exposed"]},
            "where",
            "nobody_speaks",
            "voice devices",
        ),
        (
            {"who": ["automations"], "through": ["automation", "direct"]},
            "how",
            "automations_not_asked",
            "allow",
        ),
        (
            {"devices": ["d"], "who": [], "through": ["direct"]},
            "devices",
            "other_entrance",
            "conversation",
        ),
    ],
)
def test_what_is_wrong_is_said(
    change: dict[str, object], field: str, code: str, right: str
) -> None:
    """The field, a code, and what would be right."""
    data = {**GOOD, **change}
    if not code:
        assert read_rule("r1", data).areas == {"kitchen"}
        return
    with pytest.raises(RuleError) as caught:
        read_rule("r1", data)
    problem = caught.value.problems[0]
    assert (problem.field, problem.code) == (field, code)
    assert right in problem.right
    assert problem.right in str(caught.value)


@pytest.mark.parametrize("missing", ["name", "through", "how", "enabled"])
def test_missing_declarations_are_asked_for(missing: str) -> None:
    """A missing one means nothing."""
    data = {key: value for key, value in GOOD.items() if key != missing}
    with pytest.raises(RuleError) as caught:
        read_rule("r1", data)
    assert [(one.field, one.code) for one in caught.value.problems] == [
        (missing, "required")
    ]


def test_all_problems_are_told_at_once() -> None:
    """One look at the form mends them all."""
    with pytest.raises(RuleError) as caught:
        read_rule("r1", {"who": ["me"], "how": 1, "enabled": None, "color": "red"})
    assert {one.field for one in caught.value.problems} == {
        "color",
        "name",
        "through",
        "who",
        "how",
        "enabled",
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KEYS = st.sampled_from([*GOOD, "floors", "devices", "key"]) | st.text()


@given(data=JSON | st.dictionaries(KEYS, JSON))
def test_reading_is_total(data: object) -> None:
    """Whatever is stored: a rule, or an error of our own."""
    try:
        found: object = read_rule("r1", data)
    except RuleError as error:
        found = error.problems[0]
    assert isinstance(found, AccessRule | Problem)


def some(words: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Draw some words."""
    return st.lists(st.sampled_from(words), unique=True)


@given(
    data=st.fixed_dictionaries(
        {
            "name": st.text(min_size=1),
            "who": some(tuple(Who)),
            "through": some(ENTRANCES),
            "where": some(tuple(Where)),
            "what": some(tuple(What)),
            "how": st.sampled_from(tuple(How)),
            "enabled": st.booleans(),
        }
    )
)
def test_what_is_read_is_written_and_read_again(data: dict[str, object]) -> None:
    """Writing is the inverse of reading."""
    try:
        rule = read_rule("r1", data)
    except RuleError:
        return
    assert read_rule("r1", dump_rule(rule)) == rule
