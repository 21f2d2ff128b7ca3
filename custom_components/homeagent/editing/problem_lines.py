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
from .cut_off import CutOff, cut_off
from .faults import Fault
from .group_form import GroupDocument
from .markdown import alert, escaped
from .wording import Wording

MOST: Final = 12
"""Problems told in one text; it says how many more there are."""

NAMED: Final = 60
"""Characters of a row's name that a text at its field shows."""

EMPTY: Final[GroupDocument] = {}

_GROUP: Final = re.compile(r"groups\[(\d+)\]\.?")
_TOOL: Final = re.compile(r"tools\[(\d+)\]\.?")
_DECLARED: Final = re.compile(r"(in|out)\.([^.\[]+)(?:[.\[].*)?")
_STEP: Final = re.compile(r"[.\[]")
_SENTENCE: Final = re.compile(r"sentences\[(\d+)\]")


type Told = tuple[int | None, str]
"""A line at a field: the row it is about, counted from 0, and what is wrong."""


def field_text(lines: Iterable[Told], names: Many[str], wording: Wording) -> str:
    """Return what stands at a field, in the order of its rows, which have names."""
    ordered = sorted(lines, key=lambda line: -1 if line[0] is None else line[0])
    told = dict.fromkeys(_in_row(row, text, names, wording) for row, text in ordered)
    return _bounded(list(told), " ", wording)


def _in_row(row: int | None, text: str, names: Many[str], wording: Wording) -> str:
    if row is None:
        return text
    number, name = str(row + 1), names[row] if row < len(names) else ""
    if name:
        short = name if len(name) <= NAMED else f"{name[:NAMED]}…"
        return wording("tool_row", number=number, tool=short, text=text)
    return wording("row", number=number, text=text)


def fault_lines(faults: Iterable[Fault], wording: Wording) -> list[Told]:
    """Return what is wrong with rows, before the language judges them."""
    return [(fault.row, _fault_text(fault, wording)) for fault in faults]


def _fault_text(fault: Fault, wording: Wording) -> str:
    """A fault names the field of its row by the key of that field's name."""
    placeholders = dict(fault.placeholders)
    if "field" in placeholders:
        placeholders["field"] = wording(placeholders["field"])
    return wording(fault.word, **placeholders)


def sentence_row(problem: Problem) -> int | None:
    """Return the sentence that a problem is about, counted from 0."""
    match = _SENTENCE.match(problem.path)
    return None if match is None else int(match[1])


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
        places.append(_part(path, wording))
    return wording.join("joined", places) if places else ""


def _part(path: str, wording: Wording) -> str:
    """Return a part of a group or of a call as its form names it."""
    if match := _DECLARED.fullmatch(path):
        place = "place_input" if match[1] == "in" else "place_output"
        return wording(place, key=match[2])
    if match := _SENTENCE.fullmatch(path):
        return wording("place_sentence", number=str(int(match[1]) + 1))
    head = _STEP.split(path, maxsplit=1)[0]
    rest = path.removeprefix(head).removeprefix(".")
    name = wording.texts.get(f"part_{head}", head)
    return f"{name} {rest}" if rest else name


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


_CALLS: Final = frozenset({"cycle", "depth"})
"""What is told of one call out of several, any of which may be the one too many."""


def problems_of_whole(index: int, problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that one group can cause without standing in it.

    Calls that lead back, or too deep, are then told of the calls of that group.
    """
    here = f"groups[{index}]."
    return [
        replace(problem, path="tools") if problem.code in _CALLS else problem
        for problem in problems
        if not problem.path.startswith("groups[")
        or (problem.code in _CALLS and not problem.path.startswith(here))
    ]


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
        text = wording.problem_in_form(problem)
        lines.append(escaped(f"{place}: {text}" if place else text))
    if (more := len(problems) - MOST) > 0:
        lines.append(escaped(wording.count("more", more)))
    return alert(kind, escaped(title), lines)


_AT_THE_END: Final = frozenset({"not_closed", "string_open"})
"""What is told of a text that ends too early, in the place of that."""


def text_problems(problems: Many[Problem], text: str, wording: Wording) -> str:
    """Return the problems of a JSON text as they stand at its field, with places."""
    lines = []
    if cut := cut_off(text):
        inside = [each.path for each in problems if each.code in _AT_THE_END]
        problems = [each for each in problems if each.code not in _AT_THE_END]
        lines.append(_ends_early(cut, inside[0] if inside else "", wording))
    lines += [_at_line(problem, wording) for problem in problems]
    return _bounded(lines, " ", wording)


def _ends_early(cut: CutOff, path: str, wording: Wording) -> str:
    line, column = str(cut.line), str(cut.column)
    text = wording("cut_off", line=line, column=column, missing=cut.missing)
    return wording("at_place", place=path, text=text) if path else text


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
