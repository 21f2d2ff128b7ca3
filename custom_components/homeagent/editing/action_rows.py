"""Home Assistant's visual action editor and the entry of a tool: one in the other.

Beside `rows`; pure. The editor knows more kinds of actions than calls, and a call may
have more keys than an entry: whatever would be lost is a fault with a hint.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ..sequence.reference_syntax import scan_text
from .faults import FormFault

type Entry = Mapping[str, object]
"""One entry as decoded JSON: `{"tool": …, "args": {…}, …}`."""

TARGET_KEYS: Final = ("entity_id", "device_id", "area_id", "floor_id", "label_id")
"""The keys of a target; in arguments they may stand without it, as in older calls."""


def _none(name: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownActions:
    """The actions that there are: `exists` by name, `targeted` those with a target."""

    exists: Callable[[str], bool] = _none
    targeted: Callable[[str], bool] = _none


_CALL_KEYS: Final = frozenset({"action", "service", "target", "data", "metadata"})
_REFUSED: Final = {
    "enabled": True,
    "continue_on_error": False,
}
"""Keys that change what happens; the value that changes nothing."""

_LOST: Final = ("response_variable", "alias", "data_template")
_OTHERS: Final = {
    "delay": "row_delay",
    "scene": "row_scene",
    "device_id": "row_device",
    "if": "row_condition",
    "choose": "row_condition",
    "condition": "row_condition",
}
_TEMPLATE_MARKS: Final = ("{{", "{%", "{#")


def entry_of_actions(actions: object) -> dict[str, object] | None:
    """Return `{"tool", "args"}` of what the action editor holds; None for nothing.

    Raises:
        FormFault: it is not exactly one plain call of an action.
    """
    calls = [actions] if isinstance(actions, Mapping) else actions
    if calls is None or calls in ("", []):
        return None
    if not isinstance(calls, list):
        raise FormFault("row_malformed")
    if len(calls) > 1:
        raise FormFault("row_several_actions", count=str(len(calls)))
    call = calls[0]
    if not isinstance(call, Mapping):
        raise FormFault("row_malformed")
    return _entry(call)


def _entry(call: Mapping[str, object]) -> dict[str, object]:
    name = call.get("action", call.get("service"))
    if not isinstance(name, str) or not name:
        raise _other_kind(call)
    _refuse_keys(call)
    args: dict[str, object] = {}
    target = _members(call, "target", "row_target_template")
    data = _members(call, "data", "row_data_no_object")
    if target:
        args["target"] = target
    if target and "target" in data:
        raise FormFault("row_two_targets")
    args.update(data)
    _refuse_templates(name, "action")
    _refuse_templates(args, "")
    return {"tool": name, "args": args} if args else {"tool": name}


def _other_kind(call: Mapping[str, object]) -> FormFault:
    """Return the fault of an action that is no call."""
    for key, word in _OTHERS.items():
        if key in call:
            return FormFault(word)
    if "action" in call or "service" in call or not call:
        return FormFault("row_no_action")
    kind = next(iter(call))
    return FormFault("row_no_call", kind=str(kind))


def _refuse_keys(call: Mapping[str, object]) -> None:
    for key, harmless in _REFUSED.items():
        if key in call and call[key] is not harmless:
            raise FormFault(f"row_{key}")
    for key in _LOST:
        if key in call:
            raise FormFault(f"row_{key}")
    for key in call:
        if key not in _CALL_KEYS and key not in _REFUSED:
            raise FormFault("row_unknown_key", key=str(key))
    if "action" in call and "service" in call:
        raise FormFault("row_unknown_key", key="service")


def _members(call: Mapping[str, object], key: str, otherwise: str) -> dict[str, object]:
    value = call.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise FormFault(otherwise)
    return {str(name): inner for name, inner in value.items()}


def _refuse_templates(value: object, place: str) -> None:
    """A template would be sent as it is written: nothing here evaluates it."""
    match value:
        case str() if any(mark in value for mark in _TEMPLATE_MARKS):
            raise FormFault("row_template", place=place)
        case Mapping():
            for key, inner in value.items():
                _refuse_templates(inner, f"{place}.{key}" if place else str(key))
        case list():
            for index, inner in enumerate(value):
                _refuse_templates(inner, f"{place}[{index}]")
        case _:
            return


def actions_of_entry(
    entry: Entry, actions: KnownActions
) -> list[dict[str, object]] | None:
    """Return what the action editor shows for an entry; None where it cannot.

    It can for an action that exists, whose arguments have no references: its fields
    would show them as broken values, and lose them.
    """
    tool, args = entry.get("tool"), entry.get("args", {})
    if not isinstance(tool, str) or not isinstance(args, Mapping):
        return None
    if not actions.exists(tool) or not _is_plain(args):
        return None
    call: dict[str, object] = {"action": tool}
    data = dict(args)
    if isinstance(data.get("target"), Mapping):
        target = data.pop("target")
        if not target:
            return None
        call["target"] = target
    elif "target" not in data and actions.targeted(tool):
        flat = {key: data.pop(key) for key in TARGET_KEYS if _names(data, key)}
        if flat:
            call["target"] = {key: _listed(value) for key, value in flat.items()}
    call["data"] = data
    return [call]


def _names(data: Mapping[str, object], key: str) -> bool:
    """Whether an argument names something that the target of the editor can show."""
    value = data.get(key)
    listed = value if isinstance(value, list | tuple) else [value]
    return bool(listed) and all(isinstance(each, str) and each for each in listed)


def _listed(value: object) -> object:
    """Home Assistant reads `light.a, light.b` as two; its editor shows it as one."""
    if isinstance(value, str) and "," in value:
        return [each.strip() for each in value.split(",") if each.strip()]
    return value


def _is_plain(value: object) -> bool:
    match value:
        case str():
            plain = scan_text(value).value == value
            return plain and not any(mark in value for mark in _TEMPLATE_MARKS)
        case Mapping():
            return all(map(_is_plain, value.values()))
        case list() | tuple():
            return all(map(_is_plain, value))
        case _:
            return True
