r"""The file that declares fake tools, read as strictly as a sequence.

    {"name": {"parallel_safe": false, "parameters": {…}, "behaviour": [step, …]}, …}
    step = ({"value": …} | {"echo": true} | {"error": {"reason": "…"}}) + "delay_ms"

A tool is not parallel safe unless it says so, and echoes its arguments unless it says
something else. Between the core's nodes and `fake_tools`.
"""

from collections.abc import Collection
from functools import partial
from typing import Final

from custom_components.homeagent.kernel.errors import Reason, ToolError
from custom_components.homeagent.sequence.fields import nearest_name, wrong_type
from custom_components.homeagent.sequence.findings import Findings
from custom_components.homeagent.sequence.model import CALL_TOOLS
from custom_components.homeagent.sequence.nodes import Content, Node
from custom_components.homeagent.sequence.plain_values import plain_value
from custom_components.homeagent.sequence.problems import (
    Path,
    Problem,
    format_path,
    list_names,
    show,
)

from .fake_tools import ECHO, Behavior, Declared, DeclaredTools
from .inputs import decode, demand_clean, read_node

LIMIT: Final = 4 * 1024 * 1024
"""Bytes of a file of tools."""

LONGEST_DELAY_MS: Final = 1000 * 3600 * 1000

_TOOL_KEYS: Final = ("parallel_safe", "parameters", "behaviour")
_KINDS: Final = ("value", "echo", "error")
_STEP_KEYS: Final = (*_KINDS, "delay_ms")
_ERROR_KEYS: Final = ("reason", "field", "detail", "hint", "still_running")
_REASONS: Final = tuple(str(reason) for reason in Reason)


def read_tools(data: bytes, name: str) -> DeclaredTools:
    """Return the tools that a file declares; `name` is how messages name it.

    Raises:
        BadInput: with everything that is wrong.
    """
    findings = Findings()
    text = decode(data, name)
    node = read_node(text, findings)
    declared: dict[str, Declared] = {}
    if node is not None and not findings.errors:
        for tool, inner in _members(node, (), findings, None).items():
            declared[tool] = _tool(tool, inner, findings)
    demand_clean(name, findings)
    return DeclaredTools(by_name=declared)


def _members(
    node: Node, path: Path, findings: Findings, legal: Collection[str] | None
) -> dict[str, Node]:
    """Return the members of an object; of its keys only the legal ones may occur."""
    if not isinstance(node.value, dict):
        wrong_type(node, path, findings, "an object")
        return {}
    for key in node.value:
        if legal is not None and key not in legal:
            findings.error(
                "unknown_key",
                (*path, key),
                partial(node.key_spot, key),
                found=show(key),
                legal=list_names(legal),
                nearest=nearest_name(key, legal),
            )
    return node.value


def _tool(name: str, node: Node, findings: Findings) -> Declared:
    path: Path = (name,)
    members = _members(node, path, findings, _TOOL_KEYS)
    if name in CALL_TOOLS:
        _fault(
            findings,
            "call_tool",
            path,
            node,
            f"{name} exists already: it calls groups by name",
            "Give the tool another name.",
        )
    parameters = members.get("parameters")
    behavior = members.get("behaviour")
    return Declared(
        name=name,
        parallel_safe=_flag(members, path, "parallel_safe", findings),
        parameters=None if parameters is None else _schema(parameters, path, findings),
        behaviors=(ECHO,) if behavior is None else _steps(behavior, path, findings),
    )


def _schema(node: Node, path: Path, findings: Findings) -> dict[str, object]:
    place = (*path, "parameters")
    value = plain_value(node, place, findings)
    if not isinstance(value, dict):
        wrong_type(node, place, findings, "an object: a JSON Schema")
        return {}
    return value


def _steps(node: Node, path: Path, findings: Findings) -> tuple[Behavior, ...]:
    place = (*path, "behaviour")
    if not isinstance(node.value, list) or not node.value:
        wrong_type(node, place, findings, "an array with at least one behaviour")
        return ()
    return tuple(
        _step(inner, (*place, index), findings)
        for index, inner in enumerate(node.value)
    )


def _step(node: Node, path: Path, findings: Findings) -> Behavior:
    members = _members(node, path, findings, _STEP_KEYS)
    chosen = [key for key in _KINDS if key in members]
    if len(chosen) != 1 and isinstance(node.value, dict):
        found = " and ".join(chosen) or "none of them"
        _fault(
            findings,
            "one_of_three",
            path,
            node,
            f"a behaviour has one of value, echo and error; found {found}",
            'Write {"value": …}, {"echo": true} or {"error": {"reason": "failed"}}.',
        )
    value, error = members.get("value"), members.get("error")
    echo = _flag(members, path, "echo", findings)
    if "echo" in members and members["echo"].value is False:
        wrong_type(members["echo"], (*path, "echo"), findings, "true")
    return Behavior(
        value=None if value is None else plain_value(value, (*path, "value"), findings),
        echo=echo,
        error=None if error is None else _error(error, (*path, "error"), findings),
        delay=_delay(members, path, findings),
    )


def _error(node: Node, path: Path, findings: Findings) -> ToolError:
    members = _members(node, path, findings, _ERROR_KEYS)
    texts = {
        key: _text(members[key], (*path, key), findings)
        for key in ("field", "detail", "hint")
        if key in members
    }
    return ToolError(
        reason=_reason(node, members, path, findings),
        field=texts.get("field"),
        detail=texts.get("detail", ""),
        hint=texts.get("hint", ""),
        still_running=_flag(members, path, "still_running", findings),
    )


def _reason(
    node: Node, members: dict[str, Node], path: Path, findings: Findings
) -> Reason:
    reason = members.get("reason")
    if reason is None:
        if isinstance(node.value, dict):
            findings.error("missing_key", path, node.spot(), key='"reason"')
        return Reason.FAILED
    text = _text(reason, (*path, "reason"), findings)
    if text in _REASONS:
        return Reason(text)
    if isinstance(reason.value, str):
        findings.error(
            "not_a_choice",
            (*path, "reason"),
            reason.spot(),
            key='"reason"',
            found=show(text),
            legal=", ".join(_REASONS),
            nearest=nearest_name(text, _REASONS),
        )
    return Reason.FAILED


def _delay(members: dict[str, Node], path: Path, findings: Findings) -> float:
    node = members.get("delay_ms")
    if node is None:
        return 0.0
    if not _is_delay(node.value):
        expected = f"a number of milliseconds from 0 to {LONGEST_DELAY_MS}"
        wrong_type(node, (*path, "delay_ms"), findings, expected)
        return 0.0
    assert isinstance(node.value, int | float)
    return node.value / 1000


def _is_delay(value: Content) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= LONGEST_DELAY_MS


def _flag(members: dict[str, Node], path: Path, key: str, findings: Findings) -> bool:
    node = members.get(key)
    if node is None:
        return False
    if not isinstance(node.value, bool):
        wrong_type(node, (*path, key), findings, "true or false")
    return node.value is True


def _text(node: Node, path: Path, findings: Findings) -> str:
    if isinstance(node.value, str):
        return node.value
    wrong_type(node, path, findings, "a text")
    return ""


def _fault(
    findings: Findings, code: str, path: Path, node: Node, message: str, hint: str
) -> None:
    """Tell what the core's catalogue has no words for."""
    spot = node.spot()
    problem = Problem(
        code=code,
        path=format_path(path),
        line=spot.line,
        column=spot.column,
        message=message,
        hint=hint,
        caret=spot.caret,
    )
    findings.errors.add(lambda: problem)
