"""One group as a form: its values, and the group that they describe.

Above the rows; pure. Where a problem of the language stands in the form is decided here,
too: at the field that its path begins with, and for a row with the row's number.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
import re
from typing import Final

from ..sequence.problems import Problem
from .action_rows import Entry
from .faults import Fault
from .rows import entries_of, rows_of
from .signature_rows import signature_of, signature_rows

type GroupDocument = Mapping[str, object]
"""A group as decoded JSON, with `tools` as an array."""

FORM_FIELDS: Final = (
    "name",
    "description",
    "tools",
    "parallel",
    "when",
    "inputs",
    "outputs",
    "timeout",
    "on_error",
    "retries",
    "missing",
    "call_only",
)

_FIELD_OF: Final = {"in": "inputs", "out": "outputs"}
_DEFAULTS: Final[Mapping[str, object]] = {
    "parallel": True,
    "timeout": "30s",
    "on_error": "abort",
    "retries": 0,
    "missing": "fail",
    "call_only": False,
}
_ROW: Final = re.compile(r"tools\[(\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadForm:
    """The group that a form describes, and what is wrong with its fields.

    An entry of its tools that cannot be read is empty there.
    """

    document: dict[str, object]
    faults: Mapping[str, list[Fault]] = field(default_factory=dict)


def form_values(
    group: GroupDocument, is_action: Callable[[str], bool]
) -> dict[str, object]:
    """Return the values with which the form of a group opens."""
    values: dict[str, object] = {
        "name": group.get("name", ""),
        "tools": rows_of(_entries(group), is_action),
        "inputs": signature_rows(_object(group, "in")),
        "outputs": signature_rows(_object(group, "out")),
    }
    for key in ("description", "when"):
        if key in group:
            values[key] = group[key]
    return values | {key: group.get(key, each) for key, each in _DEFAULTS.items()}


def read_form(values: Mapping[str, object]) -> ReadForm:
    """Return the group that the values of a form describe."""
    tools, bad_tools = entries_of(values.get("tools"))
    inputs, bad_inputs = signature_of(values.get("inputs"), inputs=True)
    outputs, bad_outputs = signature_of(values.get("outputs"), inputs=False)
    document: dict[str, object] = {"name": values.get("name", "")}
    if values.get("description"):
        document["description"] = values["description"]
    if inputs:
        document["in"] = inputs
    if outputs:
        document["out"] = outputs
    when = values.get("when")
    if isinstance(when, str) and when.strip():
        document["when"] = when
    for key, default in _DEFAULTS.items():
        value = _whole(values.get(key, default))
        if value != default:
            document[key] = value
    document["tools"] = tools
    found = {"tools": bad_tools, "inputs": bad_inputs, "outputs": bad_outputs}
    faults = {name: listed for name, listed in found.items() if listed}
    return ReadForm(document=document, faults=faults)


def _whole(value: object) -> object:
    """A number field sends 3.0 for 3."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _entries(group: GroupDocument) -> list[Entry]:
    tools = group.get("tools")
    if not isinstance(tools, list):
        return []
    # A kept draft may be damaged: what is no entry cannot be shown as one.
    return [each for each in tools if isinstance(each, Mapping)]


def _object(group: GroupDocument, key: str) -> Mapping[str, object]:
    value = group.get(key)
    return value if isinstance(value, Mapping) else {}


def field_of(problem: Problem) -> str:
    """Return the field at which a problem of a group alone stands; `base` for none."""
    first = re.split(r"[.\[]", problem.path, maxsplit=1)[0]
    name = _FIELD_OF.get(first, first)
    return name if name in FORM_FIELDS else "base"


def row_of(problem: Problem) -> int | None:
    """Return the row of the tool list that a problem is about, counted from 0."""
    match = _ROW.match(problem.path)
    return None if match is None else int(match[1])


_UNDECLARED: Final = {
    "inputs": frozenset({"arg_undeclared"}),
    "outputs": frozenset({"as_undeclared", "out_undeclared"}),
}
"""What is told of a declaration that cannot be read, and says nothing then."""


def problems_left(read: ReadForm, problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems without those that only follow from faults of rows."""
    unread = {fault.row for fault in read.faults.get("tools", ())}
    unsaid = {code for key in read.faults for code in _UNDECLARED.get(key, ())}
    return [
        problem
        for problem in problems
        if problem.code not in unsaid
        and (row_of(problem) is None or row_of(problem) not in unread)
    ]


def problems_by_field(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    """Return the problems of a group by the fields at which they stand."""
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(field_of(problem), []).append(problem)
    return found
