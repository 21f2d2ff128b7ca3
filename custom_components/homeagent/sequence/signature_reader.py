"""`in` and `out` of a group (page 2 §2.1): `{key: type}`, or the long form of a type.

Between the nodes and the AST; a fault leaves a placeholder and a gap.
"""

from collections.abc import Mapping
from typing import Final

from ..kernel.json_text import same_json
from .fields import Fields, nearest_name, wrong_type
from .findings import Findings
from .keys import INPUT_KEYS, OUTPUT_KEYS
from .model import ABSENT, Parameter, SlotType
from .names import is_key, normal_key
from .nodes import Node
from .plain_values import fits_strictly, plain_value
from .problems import LISTED, Path, list_names, show
from .run_words import say

_TYPES: Final = tuple(str(kind) for kind in SlotType)
_OTHER_TYPES: Final = {
    "bool": "boolean",
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "list": "array",
    "dict": "object",
    "map": "object",
    "json": "any",
}
_UNKNOWN: Final = Parameter(type=SlotType.ANY)


def read_signature(
    node: Node | None, path: Path, findings: Findings, *, inputs: bool
) -> Mapping[str, Parameter]:
    """Return the parameters that an `in` or `out` declares."""
    if node is None:
        return {}
    if not isinstance(node.value, dict):
        wrong_type(
            node, path, findings, say("inputs_object", example='{"key": "type"}')
        )
        return {}
    parameters: dict[str, Parameter] = {}
    for written, inner in node.value.items():
        key, place = normal_key(written), (*path, written)
        if not is_key(key):
            findings.error("bad_key", place, node.key_spot(written), found=show(key))
        if key in parameters:
            findings.error(
                "duplicate_key", place, node.key_spot(written), found=show(key)
            )
        parameters[key] = _parameter(inner, place, findings, inputs=inputs)
    return parameters


def _parameter(
    node: Node, path: Path, findings: Findings, *, inputs: bool
) -> Parameter:
    match node.value:
        case str() as name:
            kind = _type(name, node, path, findings)
            if kind is None:
                findings.gap(path)
            return Parameter(type=kind) if kind else _UNKNOWN
        case dict():
            return _long_form(node, path, findings, inputs=inputs)
        case _:
            wrong_type(node, path, findings, "a type, or an object with a type")
            return _UNKNOWN


def _type(name: str, node: Node, path: Path, findings: Findings) -> SlotType | None:
    """Return the type of a name; `bool` is the one synonym."""
    if name in _TYPES:
        return SlotType(name)
    if name == "bool":
        return SlotType.BOOLEAN
    findings.error(
        "bad_type",
        path,
        node.spot(),
        found=show(name),
        legal=list_names(_TYPES),
        nearest=_OTHER_TYPES.get(name.lower()) or nearest_name(name, _TYPES),
    )
    return None


def _long_form(
    node: Node, path: Path, findings: Findings, *, inputs: bool
) -> Parameter:
    fields = Fields(node, path, findings, INPUT_KEYS if inputs else OUTPUT_KEYS)
    named = fields.require("type")
    kind = None
    if named is not None and isinstance(named.value, str):
        kind = _type(named.value, named, fields.at("type"), findings)
    elif named is not None:
        fields.wrong("type", "a type")
    if kind is None:
        findings.gap(path)
    parameter = Parameter(
        type=kind or SlotType.ANY, description=fields.text("description")
    )
    return _with_values(parameter, fields) if inputs else parameter


def _with_values(parameter: Parameter, fields: Fields) -> Parameter:
    """Add what only an input has: default, required, enum."""
    default = _default(fields, parameter.type)
    required = fields.flag("required", default=True)
    if default is not ABSENT and required and "required" in fields.members:
        fields.findings.warning("required_with_default", fields.at("required"))
    enum = _enum(fields, parameter.type)
    if enum and default is not ABSENT:
        _check_choice(default, enum, fields)
    return Parameter(
        type=parameter.type,
        description=parameter.description,
        default=default,
        required=required and default is ABSENT,
        enum=enum,
    )


def _default(fields: Fields, kind: SlotType) -> object:
    node = fields.members.get("default")
    if node is None:
        return ABSENT
    return _fitting_value(node, fields.at("default"), kind, fields.findings)


def _enum(fields: Fields, kind: SlotType) -> tuple[object, ...] | None:
    node = fields.members.get("enum")
    if node is None:
        return None
    if not isinstance(node.value, list) or not node.value:
        fields.wrong("enum", "an array with at least one value")
        return None
    return tuple(
        _fitting_value(inner, (*fields.at("enum"), index), kind, fields.findings)
        for index, inner in enumerate(node.value)
    )


def _fitting_value(
    node: Node, path: Path, kind: SlotType, findings: Findings
) -> object:
    """Return a value that must be of the declared type."""
    before = len(findings.errors)
    value = plain_value(node, path, findings)
    if len(findings.errors) == before and not fits_strictly(value, kind):
        findings.error(
            "value_does_not_fit", path, node.spot(), found=show(value), type=kind
        )
    return value


def _check_choice(default: object, enum: tuple[object, ...], fields: Fields) -> None:
    """The default must be one of the choices."""
    if not any(same_json(default, choice) for choice in enum):
        fields.findings.error(
            "default_no_choice",
            fields.at("default"),
            fields.members["default"].spot(),
            found=show(default),
            legal=", ".join(show(choice) for choice in enum[:LISTED]),
        )
