"""One group as a form: its values, and the group that they describe.

Above the rows; pure. Where a problem of the language stands in the form is decided here,
too: at the field that its path begins with, and for a row with the row's number.
"""

from collections.abc import Iterable, Mapping, Sequence as Many
from dataclasses import dataclass, field
import re
from typing import Final

from ..sequence.problems import Path, Problem, format_path
from .action_rows import Entry, KnownActions
from .faults import Fault
from .rows import Showing, Slots, entries_of, rows_of, spelled_as_before
from .signature_rows import row_keys, signature_of, signature_rows

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

    An entry of its tools that cannot be read is empty there. `names` are those of the
    rows, by the fields in which they stand.
    """

    document: dict[str, object]
    faults: Mapping[str, list[Fault]] = field(default_factory=dict)
    names: Mapping[str, Many[str]] = field(default_factory=dict)


def form_values(group: GroupDocument, showing: Showing) -> dict[str, object]:
    """Return the values with which the form of a group opens."""
    out = _object(group, "out")
    values: dict[str, object] = {
        "name": group.get("name", ""),
        "tools": rows_of(_entries(group), showing, _slots(out)),
        "inputs": signature_rows(_object(group, "in"), showing.yes_no),
        "outputs": signature_rows(out),
    }
    for key in ("description", "when"):
        if key in group:
            values[key] = group[key]
    return values | {key: group.get(key, each) for key, each in _DEFAULTS.items()}


NOTHING: Final[GroupDocument] = {}


def read_form(
    values: Mapping[str, object],
    before: GroupDocument = NOTHING,
    actions: KnownActions | None = None,
) -> ReadForm:
    """Return the group that the values of a form describe.

    `before` is the group with which the form opened, for `actions` as they were known.
    """
    inputs, bad_inputs = signature_of(values.get("inputs"), inputs=True)
    outputs, bad_outputs = signature_of(values.get("outputs"), inputs=False)
    tools, bad_tools = entries_of(values.get("tools"), _slots(outputs))
    if actions is not None:
        tools = spelled_as_before(tools, _entries(before), actions)
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
    names = {
        "tools": [str(entry.get("tool", "")) for entry in tools],
        "inputs": row_keys(values.get("inputs")),
        "outputs": row_keys(values.get("outputs")),
    }
    return ReadForm(document=document, faults=faults, names=names)


def _slots(out: Mapping[str, object]) -> Slots:
    kinds = {
        key: str(declared.get("type") if isinstance(declared, Mapping) else declared)
        for key, declared in out.items()
    }
    return Slots(kinds=kinds)


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


def row_in_form(problem: Problem, names: Mapping[str, Many[str]]) -> int | None:
    """Return the row of its field that a problem is about; `names` as in `ReadForm`."""
    for key, name in _FIELD_OF.items():
        row = declared_row(problem, (key,), names.get(name, ()))
        if row is not None:
            return row
    return row_of(problem)


def declared_row(problem: Problem, path: Path, keys: Many[str]) -> int | None:
    """Return which of the keys declared at a path a problem is about, from 0."""
    for row, key in enumerate(keys):
        place = format_path((*path, key))
        rest = problem.path.removeprefix(place)
        if problem.path.startswith(place) and rest[:1] in {"", ".", "["}:
            return row
    return None


_UNDECLARED: Final = {
    "inputs": frozenset({"arg_undeclared"}),
    "outputs": frozenset({"as_undeclared", "out_undeclared"}),
}
"""What is told of a declaration that cannot be read, and says nothing then."""

BAD_KEY: Final = frozenset({"bad_key", "duplicate_key"})
"""What is told of a key that declares nothing."""


def problems_left(read: ReadForm, problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems without those that only follow from faults of rows."""
    found = list(problems)
    unread = {fault.row for fault in read.faults.get("tools", ())}
    faulty = {*read.faults, *(field_of(each) for each in found if each.code in BAD_KEY)}
    unsaid = {code for key in faulty for code in _UNDECLARED.get(key, ())}
    return [
        problem
        for problem in found
        if problem.code not in unsaid
        and (row_of(problem) is None or row_of(problem) not in unread)
    ]


def problems_by_field(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    """Return the problems of a group by the fields at which they stand."""
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(field_of(problem), []).append(problem)
    return found
