"""The problems of a sequence as people read them: which group, which row, what is wrong.

Above `wording`; pure. Paths such as `groups[0].tools[1].args.host` are for those who
write JSON: here they become names.
"""

from collections.abc import Iterable, Sequence as Many
from dataclasses import replace
import re
from typing import Final

from ..sequence.problems import Problem
from .action_rows import Entry
from .faults import Fault
from .group_form import GroupDocument, row_of
from .markdown import alert, escaped
from .wording import Wording

MOST: Final = 12
"""Problems told in one text; it says how many more there are."""

EMPTY: Final[GroupDocument] = {}

_GROUP: Final = re.compile(r"groups\[(\d+)\]\.?")
_TOOL: Final = re.compile(r"tools\[(\d+)\]\.?")


def field_text(
    faults: Iterable[Fault],
    problems: Iterable[Problem],
    tools: Many[Entry],
    wording: Wording,
) -> str:
    """Return what stands at a field of a group's form, with the rows it is about."""
    lines = [wording.fault(fault) for fault in faults]
    for problem in problems:
        row = row_of(problem)
        text = wording.problem(problem)
        if row is None:
            lines.append(text)
            continue
        name = _tool_of(tools, row)
        lines.append(wording("tool_row", number=str(row + 1), tool=name, text=text))
    return _bounded(lines, " ", wording)


def place_of(problem: Problem, groups: Many[GroupDocument], wording: Wording) -> str:
    """Return where a problem of a sequence, or of its one group, stands, in names."""
    path, places = problem.path, list[str]()
    group = groups[0] if len(groups) == 1 else EMPTY
    if match := _GROUP.match(path):
        group = groups[int(match[1])] if int(match[1]) < len(groups) else EMPTY
        places.append(wording("place_group", name=str(group.get("name", match[1]))))
        path = path[match.end() :]
    if match := _TOOL.match(path):
        tools = group.get("tools")
        entries = tools if isinstance(tools, list) else []
        row = int(match[1])
        tool = _tool_of(entries, row)
        places.append(wording("place_row", number=str(row + 1), tool=tool))
        path = path[match.end() :].removeprefix("tool")
    if path:
        places.append(path)
    return wording.join("joined", places) if places else ""


def _tool_of(tools: Many[Entry], row: int) -> str:
    return str(tools[row].get("tool", "")) if row < len(tools) else ""


def problems_of_group(index: int, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems of one group of a sequence, with paths inside of it."""
    start = f"groups[{index}]"
    return tuple(
        replace(problem, path=problem.path.removeprefix(start).removeprefix("."))
        for problem in problems
        if problem.path == start or problem.path.startswith(f"{start}.")
    )


def problem_boxes(
    errors: Many[Problem],
    warnings: Many[Problem],
    groups: Many[GroupDocument],
    wording: Wording,
) -> str:
    """Return errors and warnings as boxes in Markdown; nothing where there are none."""
    boxes = (
        problem_box("caution", wording("errors"), errors, groups, wording),
        problem_box("warning", wording("warnings"), warnings, groups, wording),
    )
    return "\n\n".join(filter(None, boxes))


def problem_box(
    kind: str,
    title: str,
    problems: Many[Problem],
    groups: Many[GroupDocument],
    wording: Wording,
) -> str:
    """Return problems as a box in Markdown; nothing where there is none."""
    if not problems:
        return ""
    lines = []
    for problem in problems[:MOST]:
        place = place_of(problem, groups, wording)
        text = wording.problem(problem)
        lines.append(escaped(f"{place}: {text}" if place else text))
    if (more := len(problems) - MOST) > 0:
        lines.append(escaped(wording.count("more", more)))
    return alert(kind, escaped(title), lines)


def text_problems(problems: Many[Problem], wording: Wording) -> str:
    """Return the problems of a JSON text as they stand at its field, with places."""
    return _bounded([_at_line(problem, wording) for problem in problems], " ", wording)


def _at_line(problem: Problem, wording: Wording) -> str:
    text = wording.problem(problem)
    places = [problem.path] if problem.path else []
    if problem.line is not None:
        line, column = str(problem.line), str(problem.column)
        places.append(wording("place_line", line=line, column=column))
    if problem.position is not None:
        places.append(wording("place_position", position=str(problem.position)))
    return f"{wording.join('joined', places)}: {text}" if places else text


def _bounded(lines: list[str], separator: str, wording: Wording) -> str:
    shown = lines[:MOST]
    if (more := len(lines) - MOST) > 0:
        shown.append(wording.count("more", more))
    return separator.join(shown)
