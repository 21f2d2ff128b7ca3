"""Stored JSON into the AST; total and strict, with the path of what is damaged.

Beside `codec`; the counterpart of `ast_encoder`. Says only what is an AST; whether it is
a legal one is for `codec` to find out.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from .condition_syntax import operator_of
from .failures import DamagedSequence
from .json_numbers import can_be_kept
from .limits import MAX_DEPTH, MAX_OPERATORS
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
    Missing,
    Not,
    OnError,
    Parameter,
    Reference,
    Sequence,
    SlotType,
    Step,
    Template,
    ToolEntry,
)
from .problems import Path, format_path, show

type Members = Mapping[str, object]

_GROUP: Final = frozenset(
    "name description inputs outputs when parallel timeout on_error retries missing"
    " call_only tools".split()
)
_PARAMETER: Final = frozenset("key type description required enum".split())
_ENTRY: Final = frozenset("tool args as select unsafe_serial when".split())
_DEPTH: Final = MAX_DEPTH + MAX_OPERATORS
"""More levels than anything that was read can have."""


def decode_sequence(data: object) -> Sequence:
    """Return the AST that `encode_sequence` gave this JSON for.

    Raises:
        DamagedSequence: with the path of the first thing that is not so.
    """
    at: Path = ("sequence",)
    members = _object(data, at, frozenset({"name", "description", "groups"}))
    return Sequence(
        name=_text(members, "name", at),
        description=_text(members, "description", at),
        groups=_each(members, "groups", at, _group),
    )


def _damaged(at: Path, expected: str, found: object) -> DamagedSequence:
    return DamagedSequence(
        format_path(at), f"{expected} must stand here, not {show(found)}"
    )


def _object(
    data: object, at: Path, keys: frozenset[str], optional: str = ""
) -> Members:
    """Return an object that has these keys, perhaps an optional one, and no others."""
    if not isinstance(data, Mapping):
        raise _damaged(at, "an object", data)
    if not keys <= data.keys() <= keys | {optional}:
        raise DamagedSequence(
            format_path(at), "the keys are not those that belong here"
        )
    return data


def _text(members: Members, key: str, at: Path) -> str:
    value = members[key]
    if not isinstance(value, str):
        raise _damaged((*at, key), "a text", value)
    return value


def _flag(members: Members, key: str, at: Path) -> bool:
    value = members[key]
    if not isinstance(value, bool):
        raise _damaged((*at, key), "true or false", value)
    return value


def _choice[Choice: StrEnum](
    members: Members, key: str, at: Path, kind: type[Choice]
) -> Choice:
    value = _text(members, key, at)
    if value not in list(kind):
        raise _damaged((*at, key), "one of " + ", ".join(kind), value)
    return kind(value)


def _number(members: Members, key: str, at: Path) -> int | float:
    value = members[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _damaged((*at, key), "a number", value)
    return _checked_number(value, (*at, key))


def _checked_number(value: int | float, at: Path) -> int | float:  # noqa: PYI041
    """Return a number as the readers let it through."""
    if can_be_kept(value):
        return value
    raise _damaged(at, "a number that can be kept", value)


def _list(value: object, at: Path) -> list[object] | tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise _damaged(at, "an array", value)
    return value


def _each[Item](
    members: Members, key: str, at: Path, read: Callable[[object, Path], Item]
) -> tuple[Item, ...]:
    values = _list(members[key], (*at, key))
    return tuple(read(value, (*at, key, i)) for i, value in enumerate(values))


def _group(data: object, at: Path) -> Group:
    members = _object(data, at, _GROUP)
    retries = _number(members, "retries", at)
    if not isinstance(retries, int):
        raise _damaged((*at, "retries"), "a whole number", retries)
    return Group(
        name=_text(members, "name", at),
        description=_text(members, "description", at),
        inputs=_signature(members, "inputs", at),
        outputs=_signature(members, "outputs", at),
        when=_optional_condition(members, at),
        parallel=_flag(members, "parallel", at),
        timeout=float(_number(members, "timeout", at)),
        on_error=_choice(members, "on_error", at, OnError),
        retries=retries,
        missing=_choice(members, "missing", at, Missing),
        call_only=_flag(members, "call_only", at),
        tools=_each(members, "tools", at, _entry),
    )


def _signature(members: Members, key: str, at: Path) -> dict[str, Parameter]:
    pairs = _each(members, key, at, _parameter)
    signature = dict(pairs)
    if len(signature) < len(pairs):
        raise DamagedSequence(format_path((*at, key)), "a key stands twice")
    return signature


def _parameter(data: object, at: Path) -> tuple[str, Parameter]:
    members = _object(data, at, _PARAMETER, "default")
    default = members.get("default", ABSENT)
    enum = members["enum"]
    parameter = Parameter(
        type=_choice(members, "type", at, SlotType),
        description=_text(members, "description", at),
        default=ABSENT if default is ABSENT else _json(default, (*at, "default")),
        required=_flag(members, "required", at),
        enum=None if enum is None else _each(members, "enum", at, _json),
    )
    return _text(members, "key", at), parameter


def _entry(data: object, at: Path) -> ToolEntry:
    members = _object(data, at, _ENTRY, "fallback")
    fallback = members.get("fallback", ABSENT)
    args = members["args"]
    if not isinstance(args, Mapping):
        raise _damaged((*at, "args"), "an object", args)
    return ToolEntry(
        tool=_text(members, "tool", at),
        args=_arguments(args, (*at, "args")),
        as_=None if members["as"] is None else _text(members, "as", at),
        select=None
        if members["select"] is None
        else _each(members, "select", at, _step),
        fallback=ABSENT if fallback is ABSENT else _json(fallback, (*at, "fallback")),
        unsafe_serial=_flag(members, "unsafe_serial", at),
        when=_optional_condition(members, at),
    )


def _json(value: object, at: Path) -> object:
    """Return a plain JSON value, a copy of its own."""
    _shallow(at)
    match value:
        case None | bool() | str():
            return value
        case int() | float():
            return _checked_number(value, at)
        case list() | tuple():
            return [_json(inner, (*at, index)) for index, inner in enumerate(value)]
        case Mapping():
            return {
                _key(key, at): _json(inner, (*at, key)) for key, inner in value.items()
            }
        case _:
            raise _damaged(at, "a JSON value", value)


def _key(key: object, at: Path) -> str:
    if not isinstance(key, str):
        raise _damaged(at, "a text as key", key)
    return key


def _shallow(at: Path) -> None:
    if len(at) > 2 * _DEPTH:
        raise DamagedSequence(format_path(at[:8]), "nested too deeply")


def _step(value: object, at: Path) -> Step:
    if isinstance(value, str) or type(value) is int:
        return value
    raise _damaged(at, "a key or an index", value)


def _reference(data: object, at: Path) -> Reference:
    members = _object(data, at, frozenset({"root", "steps"}))
    steps = _each(members, "steps", at, _step)
    match members["root"]:
        case "args" | "out" as root:
            return Reference(root=root, steps=steps)
        case other:
            raise _damaged((*at, "root"), "args or out", other)


def _arguments(members: Mapping[object, object], at: Path) -> dict[str, Argument]:
    return {
        (name := _key(key, at)): _argument(value, (*at, name))
        for key, value in members.items()
    }


def _argument(data: object, at: Path) -> Argument:
    _shallow(at)
    match data:
        case None | bool() | str():
            return data
        case int() | float():
            return _checked_number(data, at)
        case list() | tuple():
            return tuple(_argument(each, (*at, i)) for i, each in enumerate(data))
        case {"object": Mapping() as members, **rest} if not rest:
            return _arguments(members, (*at, "object"))
        case {"reference": reference, **rest} if not rest:
            return _reference(reference, (*at, "reference"))
        case {"template": parts, **rest} if not rest:
            place = (*at, "template")
            values = enumerate(_list(parts, place))
            return Template(parts=tuple(_part(each, (*place, i)) for i, each in values))
        case _:
            raise _damaged(at, "an argument", data)


def _part(data: object, at: Path) -> str | Reference:
    return data if isinstance(data, str) else _reference(data, at)


def _optional_condition(members: Members, at: Path) -> Condition | None:
    when = members["when"]
    return None if when is None else _condition(when, (*at, "when"))


def _condition(data: object, at: Path) -> Condition:
    _shallow(at)
    match data:
        case {"not": operand, **rest} if not rest:
            return Not(operand=_condition(operand, (*at, "not")))
        case {"and": [left, right], **rest} if not rest:
            return Both(
                left=_condition(left, (*at, "and", 0)),
                right=_condition(right, (*at, "and", 1)),
            )
        case {"or": [left, right], **rest} if not rest:
            return Either(
                left=_condition(left, (*at, "or", 0)),
                right=_condition(right, (*at, "or", 1)),
            )
        case {"compare": str() as operator, "operands": [left, right], **rest} if (
            not rest and (known := operator_of(operator)) is not None
        ):
            return Comparison(
                operator=known,
                left=_operand(left, (*at, "operands", 0)),
                right=_operand(right, (*at, "operands", 1)),
            )
        case {"exists": reference, **rest} if not rest:
            return Exists(reference=_reference(reference, (*at, "exists")))
        case _:
            return _operand(data, at)


def _operand(data: object, at: Path) -> Reference | Constant:
    match data:
        case {"constant": None | bool() | str() as value, **rest} if not rest:
            return Constant(value=value)
        case {"constant": int() | float() as value, **rest} if not rest:
            return Constant(value=_checked_number(value, at))
        case {"reference": reference, **rest} if not rest:
            return _reference(reference, (*at, "reference"))
        case _:
            raise _damaged(at, "a condition", data)
