"""One group of a sequence (§7.2; page 2 §2.1): its fields, and its `tools`.

Between the nodes and the AST; a fault leaves a placeholder and a gap.
"""

from functools import partial

from .condition_reader import read_condition
from .durations import nearest_duration, parse_duration
from .entry_reader import read_entry
from .fields import Fields, kind, wrong_type
from .findings import Findings
from .json_source import read_json
from .keys import GROUP_KEYS
from .limits import DEFAULT_TIMEOUT, MAX_HOURS, MAX_RETRIES, MAX_TOOLS
from .model import Condition, Constant, Group, Missing, OnError, ToolEntry
from .names import name_fault, normal_name
from .nodes import Node
from .problems import Path, show
from .run_words import say
from .signature_reader import read_signature
from .sources import Source
from .splitter import split

type Entries = dict[Path, list[Node]]


def read_group(node: Node, path: Path, findings: Findings, entries: Entries) -> Group:
    """Return the group that an object describes; note the entries of its text."""
    if not isinstance(node.value, dict):
        wrong_type(node, path, findings, "an object with name and tools")
        return Group(name="", tools=())
    fields = Fields(node, path, findings, GROUP_KEYS)
    members = fields.members
    on_error, retries = _retrying(fields)
    return Group(
        name=read_name(fields),
        description=fields.text("description"),
        inputs=read_signature(
            members.get("in"), fields.at("in"), findings, inputs=True
        ),
        outputs=read_signature(
            members.get("out"), fields.at("out"), findings, inputs=False
        ),
        when=_when(fields),
        parallel=fields.flag("parallel", default=True),
        timeout=_timeout(fields),
        on_error=on_error,
        retries=retries,
        missing=fields.choice("missing", Missing, Missing.FAIL),
        call_only=fields.flag("call_only", default=False),
        tools=_tools(fields, entries),
    )


def read_name(fields: Fields) -> str:
    """Return the name of a sequence or a group, in its normal form."""
    node = fields.require("name")
    if node is None:
        return ""
    name = normal_name(fields.text("name"))
    fault = name_fault(name)
    if fault is not None and isinstance(node.value, str):
        fields.findings.error(
            "bad_name", fields.at("name"), node.spot(), found=show(name), why=fault
        )
        fields.findings.gap(fields.at("name"))
    return name


def _when(fields: Fields) -> Condition | None:
    """Return the condition; None for `true`, which is the default."""
    node = fields.members.get("when")
    if node is None:
        return None
    condition = read_condition(node, fields.at("when"), fields.findings)
    is_true = isinstance(condition, Constant) and condition.value is True
    return None if is_true else condition


def _timeout(fields: Fields) -> float:
    """Return the time limit in seconds."""
    node = fields.members.get("timeout")
    if node is None:
        return DEFAULT_TIMEOUT
    seconds = parse_duration(node.value) if isinstance(node.value, str) else None
    if seconds is not None:
        return seconds
    scalar = isinstance(node.value, str | int | float)
    fields.findings.error(
        "bad_duration",
        fields.at("timeout"),
        node.spot(),
        found=show(node.value) if scalar else kind(node),
        hours=str(MAX_HOURS),
        nearest=nearest_duration(node.value),
    )
    return DEFAULT_TIMEOUT


def _retrying(fields: Fields) -> tuple[OnError, int]:
    """Return what happens after a failure; `retry` and `retries` need each other."""
    on_error = fields.choice("on_error", OnError, OnError.ABORT)
    node = fields.members.get("retries")
    retries = 0
    if node is not None and type(node.value) is int and 0 <= node.value <= MAX_RETRIES:
        retries = node.value
    elif node is not None:
        found = show(node.value) if isinstance(node.value, int | float) else kind(node)
        fields.findings.error(
            "bad_retries",
            fields.at("retries"),
            node.spot(),
            found=found,
            limit=str(MAX_RETRIES),
        )
        fields.findings.gap(fields.at("retries"))
    if not {fields.at("on_error"), fields.at("retries")} & fields.findings.gaps:
        if on_error is OnError.RETRY and not retries:
            fields.findings.error("retry_without_retries", fields.at("on_error"))
        if on_error is not OnError.RETRY and retries:
            fields.findings.error("retries_without_retry", fields.at("retries"))
    return on_error, retries


def _tools(fields: Fields, entries: Entries) -> tuple[ToolEntry, ...]:
    """Return the entries of the text, or of the array, of `tools`."""
    node = fields.require("tools")
    if node is None:
        return ()
    path, findings = fields.at("tools"), fields.findings
    before = len(findings.errors)
    match node.value:
        case str() as text:
            elements = _split_text(node, text, path, findings)
            entries[path] = elements
        case list() as elements:
            pass
        case _:
            fields.wrong("tools", say("tools_text", example='"{…} ; {…} ;"'))
            return ()
    if not elements and len(findings.errors) == before:
        findings.error("no_tools", path, node.spot())
    if len(elements) > MAX_TOOLS:
        findings.error(
            "too_many_tools",
            path,
            node.spot(),
            found=str(len(elements)),
            limit=str(MAX_TOOLS),
        )
        findings.gap(path)
    return tuple(
        read_entry(element, (*path, index), findings)
        if (*path, index) not in findings.gaps
        else ToolEntry(tool="")
        for index, element in enumerate(elements[:MAX_TOOLS])
    )


def _split_text(node: Node, text: str, path: Path, findings: Findings) -> list[Node]:
    """Return the entries of a `tools` text; one that cannot be read leaves a gap."""
    source = Source(text, outside=node.outside())
    pieces = split(text)
    for fault in pieces.faults:
        findings.error(
            fault.code,
            path,
            partial(source.spot, fault.at),
            found=show(fault.found),
            position=str(fault.at),
            inner_end=str(fault.inner_end),
        )
        findings.gap(path)
    elements = []
    for index, piece in enumerate(pieces.pieces):
        place = (*path, index)
        element = read_json(source, findings, place, piece.start, piece.end)
        if element is None:
            findings.gap(place)
            element = Node(value=None, source=source, start=piece.start, end=piece.end)
        elements.append(element)
    return elements
