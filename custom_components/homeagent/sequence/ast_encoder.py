"""The AST as JSON, node by node; `ast_decoder` is the way back.

Beside `codec`. Plain texts, numbers and arrays stand for themselves; whatever is an
object in JSON says what it is: `{"object": …}`, `{"reference": …}`, `{"template": …}`.
"""

from collections.abc import Mapping

from .model import (
    ABSENT,
    Argument,
    Both,
    Comparison,
    Condition,
    Constant,
    Either,
    Exists,
    Group,
    Not,
    Parameter,
    Reference,
    Sequence,
    Template,
    ToolEntry,
)


def encode_sequence(sequence: Sequence) -> dict[str, object]:
    """Return the JSON object of a sequence; every field is there."""
    return {
        "name": sequence.name,
        "description": sequence.description,
        "groups": [_group(group) for group in sequence.groups],
    }


def _group(group: Group) -> dict[str, object]:
    return {
        "name": group.name,
        "description": group.description,
        "inputs": [_parameter(*item) for item in group.inputs.items()],
        "outputs": [_parameter(*item) for item in group.outputs.items()],
        "when": None if group.when is None else _condition(group.when),
        "parallel": group.parallel,
        "timeout": group.timeout,
        "on_error": str(group.on_error),
        "retries": group.retries,
        "missing": str(group.missing),
        "call_only": group.call_only,
        "tools": [_entry(entry) for entry in group.tools],
    }


def _parameter(key: str, parameter: Parameter) -> dict[str, object]:
    """Return a declaration; a list of them keeps its order whatever stores it."""
    members: dict[str, object] = {
        "key": key,
        "type": str(parameter.type),
        "description": parameter.description,
        "required": parameter.required,
        "enum": None if parameter.enum is None else list(parameter.enum),
    }
    if parameter.default is not ABSENT:
        members["default"] = parameter.default
    return members


def _entry(entry: ToolEntry) -> dict[str, object]:
    members: dict[str, object] = {
        "tool": entry.tool,
        "args": {key: _argument(value) for key, value in entry.args.items()},
        "as": entry.as_,
        "select": None if entry.select is None else list(entry.select),
        "unsafe_serial": entry.unsafe_serial,
        "when": None if entry.when is None else _condition(entry.when),
    }
    if entry.fallback is not ABSENT:
        members["fallback"] = entry.fallback
    return members


def _reference(reference: Reference) -> dict[str, object]:
    return {"root": reference.root, "steps": list(reference.steps)}


def _argument(argument: Argument) -> object:
    match argument:
        case Reference():
            return {"reference": _reference(argument)}
        case Template(parts=parts):
            return {"template": [_part(part) for part in parts]}
        case Mapping():
            members = {key: _argument(value) for key, value in argument.items()}
            return {"object": members}
        case tuple():
            return [_argument(inner) for inner in argument]
        case scalar:
            return scalar


def _part(part: str | Reference) -> object:
    return part if isinstance(part, str) else _reference(part)


def _condition(condition: Condition) -> dict[str, object]:
    match condition:
        case Constant(value=value):
            return {"constant": value}
        case Reference():
            return {"reference": _reference(condition)}
        case Exists(reference=reference):
            return {"exists": _reference(reference)}
        case Comparison(operator=operator, left=left, right=right):
            return {
                "compare": operator,
                "operands": [_condition(left), _condition(right)],
            }
        case Not(operand=operand):
            return {"not": _condition(operand)}
        case Both(left=left, right=right):
            return {"and": [_condition(left), _condition(right)]}
        case Either(left=left, right=right):
            return {"or": [_condition(left), _condition(right)]}
