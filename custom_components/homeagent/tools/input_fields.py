"""The inputs of a sequence as forms, actions and models of Home Assistant know them.

Above the signature; below the actions, the forms and the tools for Assist.
"""

from collections.abc import Mapping
import json
from typing import Any

from homeassistant.helpers import selector

from ..kernel.contract import JsonSchema
from ..kernel.json_values import to_json_value
from ..sequence.model import ABSENT, Parameter, SlotType


def input_selector(parameter: Parameter) -> selector.Selector[Any]:
    """Return the selector by which a person gives an input.

    Choices that are no texts are shown as JSON; the kernel's leniency takes them back.
    """
    if parameter.enum is not None:
        options = [_shown(value) for value in parameter.enum]
        mode = selector.SelectSelectorMode.DROPDOWN
        config = selector.SelectSelectorConfig(options=options, mode=mode)
        return selector.SelectSelector(config)
    match parameter.type:
        case SlotType.STRING:
            return selector.TextSelector()
        case SlotType.BOOLEAN:
            return selector.BooleanSelector()
        case SlotType.INTEGER | SlotType.NUMBER:
            whole = parameter.type is SlotType.INTEGER
            return selector.NumberSelector(
                selector.NumberSelectorConfig(
                    mode=selector.NumberSelectorMode.BOX, step=1 if whole else "any"
                )
            )
        case _:
            return selector.ObjectSelector()


def action_fields(inputs: Mapping[str, Parameter]) -> dict[str, dict[str, Any]]:
    """Return inputs as fields of an action, as scripts describe theirs."""
    return {key: _field(key, parameter) for key, parameter in inputs.items()}


def _field(key: str, parameter: Parameter) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": key,
        "description": parameter.description,
        "required": parameter.required,
        "selector": input_selector(parameter).serialize()["selector"],
    }
    if parameter.default is not ABSENT:
        value = to_json_value(parameter.default)
        field["default"] = value if parameter.enum is None else _shown(value)
    return field


def input_json_schema(inputs: Mapping[str, Parameter]) -> JsonSchema:
    """Return inputs as JSON Schema, for clients that check by themselves."""
    return {
        "type": "object",
        "properties": {key: _property(each) for key, each in inputs.items()},
        "required": [key for key, each in inputs.items() if each.required],
        "additionalProperties": False,
    }


def _property(parameter: Parameter) -> dict[str, object]:
    schema: dict[str, object] = {}
    if parameter.type is not SlotType.ANY:
        schema["type"] = parameter.type.value
    if parameter.description:
        schema["description"] = parameter.description
    if parameter.enum is not None:
        schema["enum"] = [to_json_value(value) for value in parameter.enum]
    if parameter.default is not ABSENT:
        schema["default"] = to_json_value(parameter.default)
    return schema


def _shown(value: object) -> str:
    """Return a choice as a person reads it."""
    plain = to_json_value(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
