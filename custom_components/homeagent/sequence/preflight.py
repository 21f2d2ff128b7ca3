"""What is looked at before the first tool runs: the inputs of all groups (page 2 §2.4).

Below the engine; imports the kernel and the AST. Pure and total: everything that is
missing or does not fit is reported together.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from ..kernel.errors import Reason, ToolError
from ..kernel.json_text import same_json
from ..kernel.json_values import to_json_value
from ..kernel.names import nearest
from ..kernel.records import record
from .fitting import fit
from .model import ABSENT, Group, Parameter, SlotType
from .problems import list_names, show
from .report import PlacedError
from .run_words import say, typed
from .scope import Callee

NO_INPUTS: Final[Mapping[str, object]] = {}


@record
class Preflight:
    """The inputs of each group by its name, and all that speaks against the run."""

    inputs: Mapping[str, Mapping[str, object]]
    errors: tuple[PlacedError, ...] = ()


def check_inputs(callee: Callee, args: Mapping[str, object]) -> Preflight:
    """Give every group that takes part its inputs, from `args` and defaults.

    A `when` that may skip a group does not matter: it needs its inputs anyway.
    """
    groups = [group for group in callee.groups if callee.runs(group)]
    errors = [PlacedError(error=error) for error in _unknown(groups, args)]
    inputs: dict[str, Mapping[str, object]] = {}
    for group in groups:
        if not group.inputs:
            inputs[group.name] = NO_INPUTS
            continue
        values, problems = group_inputs(group, args)
        inputs[group.name] = values
        errors += [PlacedError(error=each, group=group.name) for each in problems]
    return Preflight(inputs=inputs, errors=tuple(errors))


def group_inputs(
    group: Group, args: Mapping[str, object]
) -> tuple[dict[str, object], list[ToolError]]:
    """Return the inputs of one group, and what is wrong with them."""
    values: dict[str, object] = {}
    problems: list[ToolError] = []
    for key, parameter in group.inputs.items():
        value = _input(group, key, parameter, args.get(key, ABSENT))
        if isinstance(value, ToolError):
            problems.append(value)
        elif value is not ABSENT:
            values[key] = value
    return values, problems


def _input(
    group: Group, key: str, parameter: Parameter, value: object
) -> object | ToolError:
    """Return the value of one input; absent for an optional one that nobody gave."""
    if value is None and parameter.type is not SlotType.ANY:
        value = ABSENT  # null is no value of this type (§4.4)
    if value is ABSENT:
        value = parameter.default
        if value is ABSENT:
            return _missing(group, key, parameter) if parameter.required else ABSENT
    fitted = fit(to_json_value(value), parameter.type, key)
    if isinstance(fitted, ToolError) or parameter.enum is None:
        return fitted
    if any(same_json(fitted, allowed) for allowed in parameter.enum):
        return fitted
    return _not_allowed(key, fitted, parameter.enum)


def _missing(group: Group, key: str, parameter: Parameter) -> ToolError:
    about = f": {parameter.description}" if parameter.description else ""
    return ToolError(
        reason=Reason.REQUIRED,
        field=key,
        detail=say(
            "input_missing",
            group=group.name,
            key=key,
            type=typed(parameter.type.value),
            about=about,
        ),
        hint=f"Give {key} in args.",
    )


def _not_allowed(key: str, value: object, allowed: tuple[object, ...]) -> ToolError:
    listed = list_names([show(each) for each in allowed])
    return ToolError(
        reason=Reason.VALUE,
        field=key,
        detail=say("input_not_allowed", value=show(value), allowed=listed),
        hint=f"Allowed are: {listed}.",
    )


def _unknown(
    groups: Iterable[Group], args: Mapping[str, object]
) -> Iterable[ToolError]:
    known = list(dict.fromkeys(key for group in groups for key in group.inputs))
    for key in args:
        if key in known:
            continue
        near = nearest(str(key), known)
        meant = f"Did you mean {near[0]}? " if near else ""
        yield ToolError(
            reason=Reason.VALUE,
            field=str(key),
            detail=say(
                "input_unknown",
                key=show(key),
                near="".join(near[:1]),
                known=list_names(known),
            ),
            hint=f"{meant}The inputs are: {list_names(known)}.",
        )
