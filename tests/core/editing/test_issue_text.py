"""Problems of a stored sequence, as a repair issue tells them."""

from custom_components.homeagent.editing.issue_text import issue_lines, sentence_lines
from custom_components.homeagent.editing.problem_lines import MOST
from custom_components.homeagent.sequence.problems import NOWHERE, Path, make_problem

from ..sequence.texts import named
from .words import EN

SEQUENCE = named("s")
GROUP = SEQUENCE.groups[0]


def _gone(*path: str | int) -> str:
    place: Path = path
    problem = make_problem("unknown_tool", place, NOWHERE, {"found": '"x"'})
    return issue_lines([problem], SEQUENCE, EN)


def test_places_are_those_of_the_form() -> None:
    """Groups by name, calls by number and tool; and what a person can do."""
    told = _gone("groups", 0, "tools", 0, "tool")
    tool = GROUP.tools[0].tool
    assert told == (
        f'group {GROUP.name}, call 1 ({tool}): There is no tool "x" now. Choose another'
        " action in this row, or bring back the integration that provides it."
    )
    assert _gone().startswith('There is no tool "x" now.')


def test_sentences_are_named_by_themselves() -> None:
    """Each problem is a line; what is left out is counted."""
    problem = make_problem("unknown_tool", (), NOWHERE, {"found": '"x"'})
    told = sentence_lines({"good night": [problem] * (MOST + 2)}, EN).splitlines()
    assert told[0].startswith('good night: There is no tool "x" now.')
    assert (len(told), told[-1]) == (MOST + 1, "2 more")
