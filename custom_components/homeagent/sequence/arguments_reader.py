"""The arguments of an entry: JSON values in which references stand.

Between the nodes and the AST's `Argument`.
"""

from functools import partial

from .findings import Findings
from .model import Argument, Reference
from .nodes import Node
from .problems import Path, show
from .reference_syntax import scan_text


def read_argument(node: Node, path: Path, findings: Findings) -> Argument:
    """Return what a value of the arguments means; every flaw of its texts is told."""
    match node.value:
        case str() as text:
            scan = scan_text(text)
            for flaw in scan.flaws:
                place = partial(node.inner_spot, flaw.at)
                findings.error(flaw.code, path, place, **flaw.placeholders)
            return scan.value
        case dict():
            return read_arguments(node, path, findings)
        case list() as elements:
            return tuple(
                read_argument(inner, (*path, index), findings)
                for index, inner in enumerate(elements)
            )
        case Reference() as reference:
            return reference
        case scalar:
            return scalar


def read_arguments(node: Node, path: Path, findings: Findings) -> dict[str, Argument]:
    """Return the arguments of an object; its keys are never substituted."""
    members = node.value if isinstance(node.value, dict) else {}
    for key in members:
        scan = scan_text(key)
        if scan.references or scan.flaws:
            findings.warning(
                "reference_in_key", (*path, key), node.key_spot(key), found=show(key)
            )
    return {
        key: read_argument(inner, (*path, key), findings)
        for key, inner in members.items()
    }
