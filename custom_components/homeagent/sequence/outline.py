"""What may be told of a sequence to a stranger: its structure without its values.

Above the model; pure. No name, text or value that a person or a model chose is in it:
only kinds, counts, and the words of the language itself (page 5 §5.5).
"""

from collections.abc import Callable, Mapping

from .model import ABSENT, Group, Parameter, Reference, Sequence, Template, ToolEntry

type Outline = dict[str, object]


def outline(sequence: Sequence, told_name: Callable[[str], str]) -> Outline:
    """Return the structure of a sequence as JSON.

    `told_name` returns what may be told of the name of a tool.
    """
    return {
        "described": bool(sequence.description),
        "groups": [_group(group, told_name) for group in sequence.groups],
    }


def kind_of(value: object) -> object:
    """Return the kind of a value, and of an array or object how many it holds."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "text"
        case Reference():
            return f"reference to {value.root}"
        case Template():
            return "text with references"
        case Mapping():
            return {"object of": len(value)}
        case list() | tuple():
            return {"array of": len(value)}
        case _:
            return "other"


def _group(group: Group, told_name: Callable[[str], str]) -> Outline:
    return {
        "described": bool(group.description),
        "in": [_parameter(each) for each in group.inputs.values()],
        "out": [each.type.value for each in group.outputs.values()],
        "when": group.when is not None,
        "parallel": group.parallel,
        "timeout": group.timeout,
        "on_error": group.on_error.value,
        "retries": group.retries,
        "missing": group.missing.value,
        "call_only": group.call_only,
        "tools": [_entry(entry, told_name) for entry in group.tools],
    }


def _parameter(parameter: Parameter) -> Outline:
    return {
        "type": parameter.type.value,
        "required": parameter.required,
        "default": parameter.default is not ABSENT,
        "choices": 0 if parameter.enum is None else len(parameter.enum),
    }


def _entry(entry: ToolEntry, told_name: Callable[[str], str]) -> Outline:
    return {
        "tool": told_name(entry.tool),
        # The names of arguments may be a person's own, as those of scripts are.
        "args": [kind_of(value) for value in entry.args.values()],
        "as": entry.as_ is not None,
        "select": entry.select is not None,
        "fallback": entry.fallback is not ABSENT,
        "unsafe_serial": entry.unsafe_serial,
        "when": entry.when is not None,
    }
