"""Whether a value fits a declared type, with the kernel's leniency (§4.4).

Below preflight and slots; imports the kernel and the AST. Pure and total.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ..kernel.contract import Arguments, Checked
from ..kernel.errors import ToolError, combine
from ..kernel.validation import Checker, compile_schema
from .model import SlotType

_VALUE: Final = "value"


def _checker(type_: SlotType) -> Checker:
    schema: dict[str, object] = {}
    if type_ is not SlotType.ANY:
        schema["type"] = type_.value
    return compile_schema(
        {"type": "object", "properties": {_VALUE: schema}, "required": [_VALUE]}
    )


_CHECKERS: Final = {type_: _checker(type_) for type_ in SlotType}
_EXACT: Final[Mapping[SlotType, type]] = {
    SlotType.STRING: str,
    SlotType.INTEGER: int,
    SlotType.NUMBER: int,
    SlotType.BOOLEAN: bool,
    SlotType.ARRAY: list,
    SlotType.OBJECT: dict,
}


def fit(value: object, type_: SlotType, field: str) -> object | ToolError:
    """Return the value as the type wants it, or why it does not fit."""
    if type_ is SlotType.ANY or type(value) is _EXACT[type_]:
        return value
    arguments: Arguments = {_VALUE: value}
    checked: Checked = _CHECKERS[type_](arguments)
    if checked.problems:
        return _placed(combine(checked.problems), field)
    return checked.arguments[_VALUE]


def _placed(error: ToolError, field: str) -> ToolError:
    """Return a checker's error under the name that the value really has."""
    below = (error.field or _VALUE).removeprefix(_VALUE)
    also = tuple(_placed(other, field) for other in error.also)
    return replace(error, field=field + below, also=also)
