"""The problems of a stored sequence as a repair issue tells them, one a line.

Above `problem_lines`; pure. Plain text: who shows an issue makes a list of its lines.
"""

from collections.abc import Iterable, Mapping, Sequence as Many

from ..sequence.model import Sequence
from ..sequence.problems import Problem
from .group_form import GroupDocument
from .problem_lines import MOST, place_of
from .wording import Wording


def issue_lines(
    problems: Iterable[Problem], sequence: Sequence, wording: Wording
) -> str:
    """Return the problems with their groups and calls, which count as in the forms."""
    groups: list[GroupDocument] = [
        {"name": group.name, "tools": [{"tool": entry.tool} for entry in group.tools]}
        for group in sequence.groups
    ]
    lines = []
    for problem in problems:
        place = place_of(problem, groups, wording)
        text = wording.problem_in_form(problem)
        named = {"field": place, "text": text}
        lines.append(wording.filled("at_field", named) if place else text)
    return _bounded(lines, wording)


def sentence_lines(problems: Mapping[str, Many[Problem]], wording: Wording) -> str:
    """Return what is wrong with sentences, each of which is named by itself."""
    lines = [
        wording.filled("at_field", {"field": sentence, "text": wording.problem(each)})
        for sentence, found in problems.items()
        for each in found
    ]
    return _bounded(lines, wording)


def _bounded(lines: list[str], wording: Wording) -> str:
    shown = lines[:MOST]
    if (more := len(lines) - MOST) > 0:
        shown.append(wording.count("more", more))
    return "\n".join(shown)
