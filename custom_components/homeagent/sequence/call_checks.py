"""Calls by name fit what they name (§7.3 rule 5, §8.2 rule 5; page 2 §2.2, check 5).

Part of the static checks; pure. Who finds the callee is a parameter, so that one code
judges calls within a sequence and calls of other sequences.
"""

from collections.abc import Mapping
from typing import Final

from ..kernel.errors import ToolError
from ..kernel.json_text import same_json
from .callees import Callee, Resolve
from .entry_reader import CONDITIONAL_CALL
from .fields import nearest_name
from .findings import Findings
from .fitting import fit
from .model import (
    ABSENT,
    CALL_TOOLS,
    Argument,
    Group,
    Parameter,
    Reference,
    SlotType,
    ToolEntry,
)
from .problems import Path, list_names, show
from .targets import format_target, parse_target, target_of
from .usage import literal

_CALL_KEYS: Final = ("target", "args")
_CONDITIONAL_KEYS: Final = (*_CALL_KEYS, "when")
_MEANT: Final = {"group": "target", "when": CONDITIONAL_CALL}
_NOTHING: Final[Mapping[str, Argument]] = {}


def check_call_form(entry: ToolEntry, path: Path, findings: Findings) -> None:
    """A call has a target that can name something, arguments, and no other keys."""
    conditional = entry.tool == CONDITIONAL_CALL
    place = (*path, "args")
    if place in findings.gaps:
        return
    legal = _CONDITIONAL_KEYS if conditional else _CALL_KEYS
    for key in entry.args:
        if key not in legal:
            findings.error(
                "call_unknown_key",
                (*place, key),
                found=show(key),
                tool=entry.tool,
                legal=list_names(legal),
                nearest=_MEANT.get(key) or nearest_name(key, legal),
            )
    _check_target(entry, place, findings)
    given = entry.args.get("args", _NOTHING)
    if not isinstance(given, Mapping | Reference):
        findings.error("call_args_no_object", (*place, "args"), tool=entry.tool)
    if conditional and entry.when is None and (*place, "when") not in findings.gaps:
        findings.error("call_without_when", place)


def _check_target(entry: ToolEntry, path: Path, findings: Findings) -> None:
    target = entry.args.get("target")
    place = (*path, "target")
    if target is None or (isinstance(target, str) and not target.strip()):
        where = place if "target" in entry.args else path
        findings.error("call_without_target", where, tool=entry.tool)
    elif not isinstance(target, str):
        findings.error("call_target_no_text", place, tool=entry.tool)
    elif parse_target(target) is None:
        findings.error("bad_target", place, found=show(target))


def check_call(
    entry: ToolEntry, path: Path, caller: Group, findings: Findings, resolve: Resolve
) -> None:
    """The arguments of a call fit the inputs of what it names."""
    target = target_of(entry.args) if entry.tool in CALL_TOOLS else None
    callee = resolve(target) if target else None
    if target is None or callee is None:
        return
    given = entry.args.get("args", _NOTHING)
    place = (*path, "args", "args")
    name = show(format_target(target))
    if isinstance(given, Mapping):
        _check_given(given, callee, name, place, findings)
    elif given == Reference(root="args"):
        _check_passed_on(caller, callee, name, place, findings)


def _check_given(
    given: Mapping[str, Argument],
    callee: Callee,
    name: str,
    path: Path,
    findings: Findings,
) -> None:
    for key, argument in given.items():
        if key not in callee.inputs:
            _unknown_input(key, callee, name, (*path, key), findings)
        for parameter in callee.inputs.get(key, ()):
            _check_value(key, argument, parameter, name, (*path, key), findings)
    for key, parameters in callee.inputs.items():
        value: object = given.get(key, ABSENT)
        for parameter in parameters:
            if parameter.required and _is_absent(value, parameter):
                _missing_input(key, parameter, name, path, findings)
                break


def _check_passed_on(
    caller: Group, callee: Callee, name: str, path: Path, findings: Findings
) -> None:
    """`$args` as a whole: the caller's inputs must be those of the callee."""
    for key, own in caller.inputs.items():
        surely_there = own.required or own.default is not ABSENT
        if surely_there and key not in callee.inputs:
            _unknown_input(key, callee, name, path, findings)
    for key, parameters in callee.inputs.items():
        needing = [parameter for parameter in parameters if parameter.required]
        if needing and key not in caller.inputs:
            _missing_input(key, needing[0], name, path, findings)


def _is_absent(argument: Argument | object, parameter: Parameter) -> bool:
    """Whether an argument gives nothing: null is no value but of the type any."""
    nothing = argument is None and parameter.type is not SlotType.ANY
    return argument is ABSENT or nothing


def _check_value(
    key: str,
    argument: Argument,
    parameter: Parameter,
    name: str,
    path: Path,
    findings: Findings,
) -> None:
    """A literal must fit the type, with the kernel's leniency, and the choices."""
    value = literal(argument)
    if value is ABSENT or _is_absent(argument, parameter):
        return
    fitted = fit(value, parameter.type, key)
    if isinstance(fitted, ToolError):
        findings.error(
            "call_wrong_type",
            path,
            key=show(key),
            name=name,
            type=parameter.type,
            found=show(value),
        )
    elif parameter.enum and not any(same_json(fitted, each) for each in parameter.enum):
        findings.error(
            "call_no_choice",
            path,
            key=show(key),
            name=name,
            found=show(value),
            legal=list_names([show(each) for each in parameter.enum]),
        )


def _unknown_input(
    key: str, callee: Callee, name: str, path: Path, findings: Findings
) -> None:
    findings.error(
        "call_unknown_input",
        path,
        found=show(key),
        name=name,
        legal=list_names(callee.inputs),
        nearest=nearest_name(key, callee.inputs),
    )


def _missing_input(
    key: str, parameter: Parameter, name: str, path: Path, findings: Findings
) -> None:
    findings.error(
        "call_missing_input", path, key=show(key), name=name, type=parameter.type
    )
