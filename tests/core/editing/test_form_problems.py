"""Problems in the words of the forms, for somebody who never saw JSON."""

import re
from string import Formatter

import pytest

from custom_components.homeagent.editing.problem_lines import (
    NAMED,
    field_text,
    place_of,
)
from custom_components.homeagent.kernel.words import say
from custom_components.homeagent.sequence.problems import NOWHERE, Path, make_problem
from custom_components.homeagent.sequence.words import CATALOGUE

from .words import EN, LANGUAGES, ZH

JSON_WORDS = re.compile(r'"\w+": |[{[]"|tools\[|unsafe_serial|on_error|\bretries\b')


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_those_of_problems(language: str) -> None:
    """Each is of a code of the core, names what that names, and has no JSON."""
    forms = LANGUAGES[language]["selector"]["form_problems"]["options"]
    assert set(forms) == set(EN.forms)
    for key, text in forms.items():
        given = {"why"}
        if not key.startswith("target_"):
            words = CATALOGUE[key.removesuffix("_nearest")]
            given = _names(words.message + words.hint + words.otherwise)
        assert _names(text) <= given, key
        assert JSON_WORDS.search(text) is None, key


@pytest.mark.parametrize(
    ("code", "named", "told"),
    [
        (
            "same_ordering_key",
            {"key": '"entity:light.desk"', "first": "tools[0]"},
            (
                "This acts on light.desk, as call 1 does, so the calls of the group will "
                'be made one after the other. Switch "At the same time" off, or make two '
                "groups."
            ),
        ),
        (
            "slot_written_twice",
            {"slot": '"x"', "type": "string", "first": "tools[1]"},
            (
                'Call 2 writes to the output "x" already; only a list takes several '
                "results. Choose the type List for it, or use two outputs."
            ),
        ),
        (
            "value_does_not_fit",
            {"found": "5", "type": "boolean"},
            (
                "5 is not of the type yes or no. Give another value, or choose another "
                "type."
            ),
        ),
        (
            "arg_undeclared",
            {"written": "$args.lmp", "key": '"lmp"', "legal": "lamp"}
            | {"nearest": "$args.lamp"},
            (
                '$args.lmp uses the input "lmp", which this group does not have; it has: '
                "lamp. Did you mean $args.lamp?"
            ),
        ),
        ("select_empty", {}, None),
    ],
)
def test_problem_is_told_in_the_words_of_the_forms(
    code: str, named: dict[str, str], told: str | None
) -> None:
    """Fields, rows and calls; what has no words of its own is told as elsewhere."""
    problem = make_problem(code, (), NOWHERE, named)
    assert EN.problem_in_form(problem) == (told or EN.problem(problem))
    assert "tools[" not in ZH.problem_in_form(problem)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("groups", 0, "in", "k", "default"), "group g, input k"),
        (("groups", 0, "out", "k"), "group g, output k"),
        (("groups", 0, "when"), 'group g, "Only if"'),
        (("groups", 0, "tools", 0, "args", "x"), "group g, call 1 (wait), arguments x"),
        (
            ("groups", 0, "tools", 0, "as"),
            'group g, call 1 (wait), "Write the result to"',
        ),
        (("sentences", 1), "sentence 2"),
        ((), ""),
    ],
)
def test_place_is_named_as_in_the_forms(path: Path, place: str) -> None:
    """Nobody has to know what the text of a sequence looks like."""
    problem = make_problem("select_empty", path, NOWHERE, {})
    groups = [{"name": "g", "tools": [{"tool": "wait"}]}]
    assert place_of(problem, groups, EN) == place


def test_long_name_of_a_row_is_cut() -> None:
    """The number of the row stands before it."""
    told = field_text([(0, "It is too long.")], ["x" * 2000], EN)
    assert told == f"Row 1 ({'x' * NAMED}…): It is too long."


def test_report_names_the_entity_that_two_calls_act_on() -> None:
    """Not by the key that the kernel keeps their order by."""
    assert EN.say(say("acts_twice", key="entity:light.desk")) == (
        "two calls act on light.desk"
    )
