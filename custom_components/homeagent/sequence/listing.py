"""What `seq_list` tells of a sequence: enough to run it without reading it.

Pure; imports the AST only.
"""

from collections.abc import Mapping

from .model import ABSENT, Group, Parameter, Sequence


def list_sequence(sequence: Sequence) -> dict[str, object]:
    """Return name, description, number of tools, and the signature of each group."""
    return {
        "name": sequence.name,
        "description": sequence.description,
        "tools": sum(len(group.tools) for group in sequence.groups),
        "groups": [_group(group) for group in sequence.groups],
    }


def _group(group: Group) -> dict[str, object]:
    return {
        "name": group.name,
        "description": group.description,
        "in": _signature(group.inputs),
        "out": {key: slot.type.value for key, slot in group.outputs.items()},
        "call_only": group.call_only,
    }


def _signature(inputs: Mapping[str, Parameter]) -> dict[str, object]:
    return {key: _input(parameter) for key, parameter in inputs.items()}


def _input(parameter: Parameter) -> dict[str, object]:
    told: dict[str, object] = {
        "type": parameter.type.value,
        "required": parameter.required,
    }
    if parameter.description:
        told["description"] = parameter.description
    if parameter.default is not ABSENT:
        told["default"] = parameter.default
    if parameter.enum is not None:
        told["enum"] = list(parameter.enum)
    return told
