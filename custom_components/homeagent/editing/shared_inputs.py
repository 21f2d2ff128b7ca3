"""The inputs of all groups in one list, as the details of a sequence show them.

Above `signature_rows`; pure. An input that several groups declare alike is one row that
names them; a row that names no group would be lost, and is a fault.
"""

from collections.abc import Iterable, Mapping, Sequence as Many
from dataclasses import dataclass
import re
from typing import Final

from ..sequence.problems import Problem
from .faults import Fault
from .group_form import BAD_KEY, GroupDocument, declared_row
from .group_list import name_of
from .rows import Row
from .signature_rows import YES_NO, Signature, row_keys, signature_of, signature_rows
from .typed_values import YesNo

_GROUP: Final = re.compile(r"groups\[(\d+)\]")


def input_rows(groups: Many[GroupDocument], yes_no: YesNo = YES_NO) -> list[Row]:
    """Return a row for each input, with the names of the groups that declare it."""
    rows: list[Row] = []
    for group in groups:
        for row in signature_rows(_inputs(group), yes_no):
            same = next((each for each in rows if _declaration(each) == row), None)
            if same is None:
                rows.append(row | {"groups": [name_of(group)]})
            else:
                names = same["groups"]
                assert isinstance(names, list)
                names.append(name_of(group))
    return rows


def with_inputs(
    groups: Many[GroupDocument], rows: object
) -> tuple[list[GroupDocument], list[Fault]]:
    """Return the groups with the inputs that the rows declare, and what is wrong.

    Inputs that were there keep their places, new ones come behind them.
    """
    given = rows if isinstance(rows, list) else []
    listed = [row for row in given if isinstance(row, Mapping)]
    names = [name_of(group) for group in groups]
    faults = [
        Fault(word="row_no_groups", row=index)
        for index, row in enumerate(listed)
        if not set(_groups_of(row)) & set(names)
    ]
    changed: list[GroupDocument] = []
    for group, name in zip(groups, names, strict=True):
        places = [index for index, row in enumerate(listed) if name in _groups_of(row)]
        own = [_declaration(listed[index]) for index in places]
        inputs, wrong = signature_of(own, inputs=True)
        faults += [
            Fault(
                word=each.word,
                placeholders=each.placeholders,
                row=places[each.row or 0],
            )
            for each in wrong
        ]
        changed.append(_with(group, inputs))
    return changed, _each_once(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A problem, the field of the details at which it stands, and its row there."""

    field: str
    row: int | None = None
    problem: Problem


def details_problems(
    before: Iterable[Problem],
    after: Iterable[Problem],
    groups: Many[GroupDocument],
    rows: object,
) -> list[Placed]:
    """Return what of the problems after a change stands in the form of the details.

    That is what is wrong with its own rows, and what came up with the change. A group
    that uses what no row declares is not told of as long as a row has no legal key.
    """
    found = list(after)
    own = _problems_of_rows(found, groups, rows)
    told = [each.problem for each in own]
    unread = any(problem.code in BAD_KEY for problem in told)
    for problem in new_problems(before, found):
        if problem in told or (unread and problem.code == "arg_undeclared"):
            continue
        place = problem.path.partition("[")[0]
        field = {"description": "description", "groups": "inputs"}.get(place, "base")
        own.append(Placed(field=field, problem=problem))
    return own


def _problems_of_rows(
    problems: Iterable[Problem], groups: Many[GroupDocument], rows: object
) -> list[Placed]:
    keys = row_keys(rows)
    used = [_groups_of(row) for row in rows] if isinstance(rows, list) else []
    placed = []
    for problem in problems:
        match = _GROUP.match(problem.path)
        if match is None:
            continue
        index = int(match[1])
        name = name_of(groups[index])
        own = [
            key if name in names else "" for key, names in zip(keys, used, strict=True)
        ]
        row = declared_row(problem, ("groups", index, "in"), own)
        if row is not None:
            placed.append(Placed(field="inputs", row=row, problem=problem))
    return placed


def new_problems(
    before: Iterable[Problem], after: Iterable[Problem]
) -> Iterable[Problem]:
    """Yield the problems that came up with a change.

    A call of another group that does not fit its inputs any more is a problem of that
    other group: nobody can change both at once.
    """
    known = {_identity(problem) for problem in before}
    for problem in after:
        if _identity(problem) not in known and not problem.code.startswith("call_"):
            yield problem


def _identity(problem: Problem) -> tuple[str | None, ...]:
    """What is found, not the names that would be legal: those come and go."""
    given = (problem.placeholders.get(key) for key in ("found", "key", "written"))
    return problem.path, problem.code, *given


def _with(group: GroupDocument, inputs: Signature) -> GroupDocument:
    before = _inputs(group)
    kept = {key: inputs[key] for key in before if key in inputs}
    rest = {key: value for key, value in group.items() if key != "in"}
    ordered = kept | dict(inputs)
    return {**rest, "in": ordered} if ordered else rest


def _each_once(faults: list[Fault]) -> list[Fault]:
    """A row of several groups has its fault once."""
    return [each for index, each in enumerate(faults) if each not in faults[:index]]


def _inputs(group: GroupDocument) -> Signature:
    inputs = group.get("in")
    return inputs if isinstance(inputs, Mapping) else {}


def _groups_of(row: object) -> list[object]:
    groups = row.get("groups") if isinstance(row, Mapping) else None
    return groups if isinstance(groups, list) else []


def _declaration(row: Mapping[str, object]) -> Row:
    return {key: value for key, value in row.items() if key != "groups"}
