"""The members of one JSON object, taken one by one; whatever is wrong is told.

Between the nodes and the readers of sequence, group and entry.
"""

from collections.abc import Collection
from enum import StrEnum
from functools import partial
from itertools import islice
import json
from typing import Final

from ..kernel.names import nearest
from .findings import Findings
from .keys import OWNERS
from .model import Reference
from .nodes import Node
from .problems import Path, list_names, show

COMPARED: Final = 100
"""Names that are compared with a misspelt one; more would only be slow."""

LONGEST_COMPARED: Final = 64

_SYNONYMS: Final = {
    "arguments": "args",
    "condition": "when",
    "if": "when",
    "input": "in",
    "inputs": "in",
    "output": "out",
    "outputs": "out",
    "parameters": "args",
    "retry": "retries",
    "steps": "groups",
    "title": "name",
}
_KINDS: Final = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
    Reference: "a reference",
}


def nearest_name(name: str, legal: Collection[str]) -> str:
    """Return the legal name that was probably meant, empty for no idea."""
    if len(name) > LONGEST_COMPARED:
        return ""
    if _SYNONYMS.get(name.lower()) in legal:
        return _SYNONYMS[name.lower()]
    return next(iter(nearest(name, islice(legal, COMPARED), 1)), "")


def nearest_elsewhere(name: str) -> tuple[str, str]:
    """Return a key of another kind of object that was probably meant, and whose."""
    for owner, legal in OWNERS.items():
        if near := nearest_name(name, legal):
            return near, owner
    return "", ""


def kind(node: Node) -> str:
    """Return what a value is, with its article."""
    return _KINDS[type(node.value)]


class Fields:
    """An object at a path, of which only the `legal` keys may occur."""

    def __init__(
        self, node: Node, path: Path, findings: Findings, legal: Collection[str]
    ) -> None:
        self.node = node
        self.path = path
        self.findings = findings
        self.legal = legal
        self.members = node.value if isinstance(node.value, dict) else {}
        for key in self.members:
            if key not in legal:
                self.unknown(key)

    def unknown(self, key: str) -> None:
        """Tell that a key is not legal, with the one that was probably meant."""
        near, owner = nearest_name(key, self.legal), ""
        if not near:
            near, owner = nearest_elsewhere(key)
        self.findings.error(
            "misplaced_key" if owner else "unknown_key",
            (*self.path, key),
            partial(self.node.key_spot, key),
            found=show(key),
            legal=list_names(self.legal),
            nearest=near,
            owner=owner,
        )

    def at(self, key: str) -> Path:
        """Return the path of a member."""
        return (*self.path, key)

    def require(self, key: str) -> Node | None:
        """Return a member that must be there."""
        node = self.members.get(key)
        if node is None:
            self.findings.error(
                "missing_key", self.path, self.node.spot(), key=show(key)
            )
            self.findings.gap(self.at(key))
        return node

    def wrong(self, key: str, expected: str, right: str = "") -> None:
        """Tell that a member is of a wrong type; `right` is what was meant."""
        wrong_type(self.members[key], self.at(key), self.findings, expected, right)

    def text(self, key: str, default: str = "") -> str:
        """Return a text; the default where there is none."""
        node = self.members.get(key)
        if node is None:
            return default
        if isinstance(node.value, str):
            return node.value
        right = ""
        if isinstance(node.value, bool | int | float):
            right = show(json.dumps(node.value))
        self.wrong(key, "a string", right)
        return default

    def flag(self, key: str, *, default: bool) -> bool:
        """Return a boolean; the default where there is none."""
        node = self.members.get(key)
        if node is None:
            return default
        if isinstance(node.value, bool):
            return node.value
        word = node.value.lower() if isinstance(node.value, str) else ""
        self.wrong(
            key, "a boolean, true or false", word if word in {"true", "false"} else ""
        )
        return default

    def choice[Choice: StrEnum](
        self, key: str, kinds: type[Choice], default: Choice
    ) -> Choice:
        """Return one of the values of an enumeration; the default where none is."""
        node = self.members.get(key)
        if node is None:
            return default
        legal = [str(member) for member in kinds]
        if isinstance(node.value, str) and node.value in legal:
            return kinds(node.value)
        found = node.value if isinstance(node.value, str) else ""
        self.findings.error(
            "not_a_choice",
            self.at(key),
            node.spot(),
            key=show(key),
            found=show(found) if found else kind(node),
            legal=list_names(legal),
            nearest=nearest_name(found, legal),
        )
        self.findings.gap(self.at(key))
        return default


def wrong_type(
    node: Node, path: Path, findings: Findings, expected: str, right: str = ""
) -> None:
    """Tell that a value is of a wrong type, and that nothing is known of it."""
    code = "reference_misplaced" if isinstance(node.value, Reference) else "wrong_type"
    name = path[-1] if path else ""
    findings.error(
        code,
        path,
        node.spot(),
        key=show(name) if isinstance(name, str) and name else "this",
        found=kind(node),
        expected=expected,
        nearest=right,
    )
    findings.gap(path)
