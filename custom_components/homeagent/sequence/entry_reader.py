"""One entry of a group: `{"tool": …, "args": {…}, "as": …}` (§7.2; page 2 §2.1).

Between the nodes and the AST; a fault leaves a placeholder and a gap.
"""

from typing import Final

from .arguments_reader import read_arguments
from .condition_reader import read_condition
from .fields import Fields, wrong_type
from .findings import Findings
from .keys import ENTRY_KEYS
from .model import ABSENT, Argument, Condition, Step, ToolEntry
from .names import normal_key
from .nodes import Node
from .plain_values import plain_value
from .problems import Path, show
from .reference_syntax import scan_select, scan_text
from .run_words import say

_EXAMPLE: Final = say("entry_object", example='{"tool":"light.turn_on","args":{}}')
_NOT_IN_TOOL_NAMES: Final = frozenset("\"'{}[]();,$\\")

CONDITIONAL_CALL: Final = "seq_when_call"
LONGEST_TOOL_NAME: Final = 255


def read_entry(node: Node, path: Path, findings: Findings) -> ToolEntry:
    """Return the entry that an object describes."""
    if not isinstance(node.value, dict):
        wrong_type(node, path, findings, _EXAMPLE)
        return ToolEntry(tool="")
    fields = Fields(node, path, findings, ENTRY_KEYS)
    tool = _tool(fields)
    args, when = _args(fields, conditional=tool == CONDITIONAL_CALL)
    as_ = fields.text("as") if "as" in fields.members else None
    return ToolEntry(
        tool=tool,
        args=args,
        as_=None if as_ is None else normal_key(as_),
        select=_select(fields),
        fallback=_fallback(fields),
        unsafe_serial=fields.flag("unsafe_serial", default=False),
        when=when,
    )


def _tool(fields: Fields) -> str:
    """Return the name of the tool, which must be able to name one."""
    node = fields.require("tool")
    if node is None:
        return ""
    name = fields.text("tool")
    if not isinstance(node.value, str) or _can_name_a_tool(name):
        return name
    fields.findings.error("bad_tool_name", fields.at("tool"), found=show(name))
    fields.findings.gap(fields.at("tool"))
    return name


def _can_name_a_tool(name: str) -> bool:
    return (
        0 < len(name) <= LONGEST_TOOL_NAME
        and name.isprintable()
        and not any(char.isspace() or char in _NOT_IN_TOOL_NAMES for char in name)
    )


def _args(
    fields: Fields, *, conditional: bool
) -> tuple[dict[str, Argument], Condition | None]:
    """Return the arguments, and apart from them the condition of a `seq_when_call`."""
    node = fields.members.get("args")
    if node is None:
        return {}, None
    if not isinstance(node.value, dict):
        fields.wrong("args", say("args_object", example='{"name": value}'))
        return {}, None
    path, findings = fields.at("args"), fields.findings
    members = dict(node.value)
    condition = members.pop("when", None) if conditional else None
    rest = Node(value=members, source=node.source, start=node.start, keys=node.keys)
    args = read_arguments(rest, path, findings)
    if condition is None:
        return args, None
    return args, read_condition(condition, (*path, "when"), findings)


def _select(fields: Fields) -> tuple[Step, ...] | None:
    node = fields.members.get("select")
    if node is None:
        return None
    text = fields.text("select")
    if not isinstance(node.value, str):
        return None
    steps, flaw = scan_select(text)
    if flaw is not None:
        spot = node.inner_spot(flaw.at)
        path = fields.at("select")
        fields.findings.error(flaw.code, path, spot, **flaw.placeholders)
        fields.findings.gap(path)
    return steps


def _fallback(fields: Fields) -> object:
    node = fields.members.get("fallback")
    if node is None:
        return ABSENT
    path = fields.at("fallback")
    if isinstance(node.value, str) and scan_text(node.value).references:
        fields.findings.warning("fallback_text", path, node.spot())
    return plain_value(node, path, fields.findings)
