"""The inputs of a run, as a person types them in a form.

Beside `typed_values`; pure. Lists and objects are written as text, with commas: nobody has
to know YAML to run what is saved.
"""

from collections.abc import Mapping

from ..kernel.json_values import to_json_value
from ..sequence.model import Parameter, SlotType
from .faults import Fault, FormFault
from .typed_values import YesNo, text_of, value_of

_WRITTEN = frozenset({SlotType.ARRAY, SlotType.OBJECT})


def is_written(parameter: Parameter) -> bool:
    """Whether an input that Home Assistant has no field for is written as text."""
    return parameter.enum is None and parameter.type in _WRITTEN


def written_default(parameter: Parameter, yes_no: YesNo) -> object:
    """Return what stands in the field of an input that has a default."""
    value = to_json_value(parameter.default)
    return text_of(value, parameter.type, yes_no) if is_written(parameter) else value


def read_inputs(
    typed: Mapping[str, object], inputs: Mapping[str, Parameter]
) -> tuple[dict[str, object], dict[str, Fault]]:
    """Return the values of what was typed, and the faults of what cannot be read.

    What is left empty is not given.
    """
    values: dict[str, object] = {}
    faults: dict[str, Fault] = {}
    for key, text in typed.items():
        parameter = inputs.get(key)
        if parameter is None or not is_written(parameter) or not isinstance(text, str):
            values[key] = text
        elif text.strip():
            try:
                values[key] = value_of(text, parameter.type, "row_field_value")
            except FormFault as fault:
                faults[key] = fault.fault
    return values, faults
