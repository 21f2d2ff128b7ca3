"""The AST as the text form (§7.1): what is shown, edited and taught.

Beside `document`, which reads what this writes into the same AST. Pure.
"""

from collections.abc import Mapping, Sequence as Many
import json

from .condition_text import format_condition
from .durations import format_duration
from .limits import DEFAULT_TIMEOUT, MAX_BYTES
from .model import (
    ABSENT,
    Argument,
    Group,
    Missing,
    OnError,
    Parameter,
    Reference,
    Sequence,
    Template,
    ToolEntry,
)
from .reference_syntax import escape_text, format_path, format_reference, needs_braces


def to_document(sequence: Sequence) -> dict[str, object]:
    """Return the JSON document, with `tools` as the text that is taught."""
    return _document(sequence, as_text=True)


def to_arguments(sequence: Sequence) -> dict[str, object]:
    """Return the same with `tools` as arrays, as decoded arguments may have it."""
    return _document(sequence, as_text=False)


def to_text(sequence: Sequence) -> str:
    """Return the text, indented; without indentation where it would be too long."""
    document = to_document(sequence)
    text = json.dumps(document, ensure_ascii=False, indent=2)
    return text if len(text.encode()) <= MAX_BYTES else _compact(document)


def fits_in_text(sequence: Sequence) -> bool:
    """Whether the text of a sequence is within the limit of what is read."""
    return len(_compact(to_document(sequence)).encode()) <= MAX_BYTES


def entry_text(entry: ToolEntry) -> str:
    """Return one entry as it stands in `tools`, with its `;`."""
    return f"{_compact(_entry(entry))} ;"


def group_document(group: Group, *, as_text: bool = True) -> dict[str, object]:
    """Return the JSON object of one group; what has its default is left out."""
    entries = [_entry(entry) for entry in group.tools]
    members: dict[str, object] = {
        "name": group.name,
        "description": group.description,
        "in": _signature(group.inputs),
        "out": _signature(group.outputs),
        "when": None if group.when is None else format_condition(group.when),
        "parallel": group.parallel,
        "timeout": format_duration(group.timeout),
        "on_error": str(group.on_error),
        "retries": group.retries,
        "missing": str(group.missing),
        "call_only": group.call_only,
    }
    document = {
        key: value for key, value in members.items() if value != _DEFAULTS.get(key)
    }
    document["tools"] = " ".join(map(entry_text, group.tools)) if as_text else entries
    return document


_DEFAULTS: Mapping[str, object] = {
    "description": "",
    "in": {},
    "out": {},
    "when": None,
    "parallel": True,
    "timeout": format_duration(DEFAULT_TIMEOUT),
    "on_error": str(OnError.ABORT),
    "retries": 0,
    "missing": str(Missing.FAIL),
    "call_only": False,
}


def _document(sequence: Sequence, *, as_text: bool) -> dict[str, object]:
    document: dict[str, object] = {"name": sequence.name}
    if sequence.description:
        document["description"] = sequence.description
    document["groups"] = [
        group_document(group, as_text=as_text) for group in sequence.groups
    ]
    return document


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _signature(parameters: Mapping[str, Parameter]) -> dict[str, object]:
    return {key: _parameter(each) for key, each in parameters.items()}


def _parameter(parameter: Parameter) -> object:
    """Return a type alone where it says everything, else the long form."""
    members: dict[str, object] = {"type": str(parameter.type)}
    if parameter.description:
        members["description"] = parameter.description
    if parameter.default is not ABSENT:
        members["default"] = parameter.default
    elif not parameter.required:
        members["required"] = False
    if parameter.enum is not None:
        members["enum"] = list(parameter.enum)
    return members if len(members) > 1 else str(parameter.type)


def _entry(entry: ToolEntry) -> dict[str, object]:
    members: dict[str, object] = {"tool": entry.tool}
    args = {key: _argument(value) for key, value in entry.args.items()}
    if entry.when is not None:
        args["when"] = format_condition(entry.when)
    if args:
        members["args"] = args
    if entry.as_ is not None:
        members["as"] = entry.as_
    if entry.select is not None:
        members["select"] = format_path(entry.select)
    if entry.fallback is not ABSENT:
        members["fallback"] = entry.fallback
    if entry.unsafe_serial:
        members["unsafe_serial"] = True
    return members


def _argument(argument: Argument) -> object:
    match argument:
        case str():
            return escape_text(argument)
        case Reference():
            return format_reference(argument)
        case Template(parts=parts):
            return _template(parts)
        case Mapping():
            return {key: _argument(inner) for key, inner in argument.items()}
        case tuple():
            return [_argument(inner) for inner in argument]
        case scalar:
            return scalar


def _template(parts: Many[str | Reference]) -> str:
    """Return a text with references; braces where the text behind would go on."""
    written = []
    for part, behind in zip(parts, (*parts[1:], ""), strict=True):
        if isinstance(part, str):
            written.append(escape_text(part))
            continue
        braced = isinstance(behind, str) and needs_braces(behind)
        written.append(format_reference(part, braced=braced))
    return "".join(written)
