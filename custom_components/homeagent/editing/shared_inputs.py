"""The inputs of all groups in one list, as the details of a sequence show them.

Above `signature_rows`; pure. An input that several groups declare alike is one row that
names them; a row that names no group would be lost, and is a fault.
"""

from collections.abc import Mapping, Sequence as Many

from .faults import Fault
from .group_form import GroupDocument
from .group_list import name_of
from .rows import Row
from .signature_rows import Signature, signature_of, signature_rows


def input_rows(groups: Many[GroupDocument]) -> list[Row]:
    """Return a row for each input, with the names of the groups that declare it."""
    rows: list[Row] = []
    for group in groups:
        for row in signature_rows(_inputs(group)):
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


def _groups_of(row: Mapping[str, object]) -> list[object]:
    groups = row.get("groups")
    return groups if isinstance(groups, list) else []


def _declaration(row: Mapping[str, object]) -> Row:
    return {key: value for key, value in row.items() if key != "groups"}
