"""A `when`, of a group or of a `seq_when_call`, into the AST.

Between the nodes and `condition_syntax`.
"""

from .condition_syntax import scan_condition
from .fields import wrong_type
from .findings import Findings
from .model import Condition
from .nodes import Node
from .problems import Path


def read_condition(node: Node, path: Path, findings: Findings) -> Condition | None:
    """Return the condition that a text is; None and a gap where it is none."""
    if not isinstance(node.value, str):
        right = ""
        if isinstance(node.value, bool):
            right = '"true"' if node.value else '"false"'
        wrong_type(node, path, findings, "a string with a condition", right)
        return None
    scan = scan_condition(node.value)
    if scan.flaw is not None:
        spot = node.inner_spot(scan.flaw.at)
        findings.error(scan.flaw.code, path, spot, **scan.flaw.placeholders)
        findings.gap(path)
    return scan.condition
