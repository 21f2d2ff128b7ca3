"""JSON that came decoded (the arguments of an action or of a model) as nodes.

Beside `json_source`; what it lets through is what the reader of texts would have read.
"""

from collections.abc import Mapping

from .findings import Findings
from .json_numbers import can_be_kept
from .limits import MAX_BYTES, MAX_DEPTH
from .nodes import Content, Node
from .problems import NOWHERE, Path, show


class _TooLarge(Exception):  # noqa: N818  never leaves this module
    """More than a sequence may be; nothing more is looked at."""


class _Copier:
    """One pass over a value; counts what it takes, so that it always ends."""

    def __init__(self, findings: Findings, path: Path) -> None:
        self.findings = findings
        self.path: list[str | int] = list(path)
        self.size = 0

    def fault(self, code: str, **placeholders: str) -> None:
        self.findings.error(code, tuple(self.path), NOWHERE, **placeholders)

    def count(self, size: int) -> None:
        self.size += size
        if self.size > MAX_BYTES:
            raise _TooLarge

    def copy(self, value: object, depth: int = 0) -> Node:
        """Return a node of what a value is; a fault leaves null in its place.

        Every value takes two characters at least, its comma included.
        """
        self.count(2)
        match value:
            case Mapping() | list() | tuple() if depth >= MAX_DEPTH:
                self.fault("too_deep", limit=str(MAX_DEPTH))
                return Node(value=None)
            case Mapping():
                return Node(value=self.members(value, depth))
            case list() | tuple():
                return Node(value=self.elements(value, depth))
            case _:
                return Node(value=self.scalar(value))

    def members(self, value: Mapping[object, object], depth: int) -> Content:
        members: dict[str, Node] = {}
        for key, inner in value.items():
            if not isinstance(key, str):
                self.fault("key_not_text", found=show(key))
                continue
            self.path.append(key)
            members[self.text(key)] = self.copy(inner, depth + 1)
            self.path.pop()
        return members

    def elements(self, value: list[object] | tuple[object, ...], depth: int) -> Content:
        # Entries of `tools` begin anew, as they do in the text that is taught.
        inside = 0 if self._are_entries() else depth + 1
        elements: list[Node] = []
        for index, inner in enumerate(value):
            self.path.append(index)
            elements.append(self.copy(inner, inside))
            self.path.pop()
        return elements

    def _are_entries(self) -> bool:
        """Whether the elements at this place are entries of a group's `tools`."""
        match self.path:
            case ["tools"] | ["groups", int(), "tools"]:
                return True
            case _:
                return False

    def scalar(self, value: object) -> Content:
        match value:
            case None | bool():
                return value
            case int() if can_be_kept(value):
                return int(value)
            case float() if can_be_kept(value):
                return float(value)
            case int() | float():
                self.fault("number_range", found=show(value))
            case str():
                return self.text(value)
            case _:
                self.fault("not_json", found=show(value))
        return None

    def text(self, value: str) -> str:
        self.count(len(value))
        try:
            self.count(len(value.encode()) - len(value))
        except UnicodeEncodeError as error:
            self.fault("surrogate", found=show(value[error.start : error.start + 1]))
        return str(value)


def read_decoded(value: object, findings: Findings, path: Path = ()) -> Node | None:
    """Return the nodes of a decoded value; None for one that is too large.

    Whatever is no JSON is among the errors of `findings`. Total, also for cycles.
    """
    try:
        return _Copier(findings, path).copy(value)
    except _TooLarge:
        findings.error("too_large", path, NOWHERE, limit=str(MAX_BYTES // 1024))
        return None
