"""JSON values without references: defaults, enumerations, fallbacks.

Between the nodes and the readers of signatures and entries.
"""

from .findings import Findings
from .model import Reference, SlotType
from .nodes import Node
from .problems import Path


def plain_value(node: Node, path: Path, findings: Findings) -> object:
    """Return a value as Python's own; a reference in it is an error."""
    match node.value:
        case Reference():
            findings.error("reference_in_value", path, node.spot())
            findings.gap(path)
            return None
        case dict() as members:
            return {
                key: plain_value(inner, (*path, key), findings)
                for key, inner in members.items()
            }
        case list() as elements:
            return [
                plain_value(inner, (*path, index), findings)
                for index, inner in enumerate(elements)
            ]
        case scalar:
            return scalar


def fits_strictly(value: object, kind: SlotType) -> bool:
    """Whether a value is of a type as it stands: what an author declares is not bent."""
    match kind:
        case SlotType.STRING:
            return isinstance(value, str)
        case SlotType.INTEGER:
            return type(value) is int
        case SlotType.NUMBER:
            return type(value) in {int, float}
        case SlotType.BOOLEAN:
            return isinstance(value, bool)
        case SlotType.ARRAY:
            return isinstance(value, list)
        case SlotType.OBJECT:
            return isinstance(value, dict)
        case SlotType.ANY:
            return True
