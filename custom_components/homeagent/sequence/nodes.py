"""JSON as it was read: values that know where they stood.

Between the readers (`json_source`, `decoded`) and the meaning (`document`). A value that
came decoded has no source. A node is never changed after its reader is done.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .model import Reference
from .problems import NOWHERE, Path, Spot
from .sources import Source
from .strings import raw_offsets

type Scalar = bool | int | float | str | None
type Content = Scalar | Reference | list[Node] | dict[str, Node]


@dataclass(slots=True, kw_only=True, eq=False)
class Node:
    """One JSON value; `start` and `end` delimit it in its source.

    Of an object, `keys` tells where each key stood. A bare reference is a value too.
    """

    value: Content
    source: Source | None = None
    start: int = 0
    end: int = 0
    keys: Mapping[str, int] = field(default_factory=dict)
    _offsets: list[int] | None = None

    def spot(self) -> Spot:
        """Return where the value begins."""
        return self.source.spot(self.start) if self.source else NOWHERE

    def key_spot(self, key: str) -> Spot:
        """Return where a key of the object stood."""
        return self.source.spot(self.keys[key]) if self.source else NOWHERE

    def inner_spot(self, offset: int) -> Spot:
        """Return where a character of the text inside stands.

        Without a source the text is its own: the caret is all there is to tell.
        """
        if self.source is not None:
            return self.source.spot(self._raw(offset))
        assert isinstance(self.value, str)
        return Spot(caret=Source(self.value).spot(offset).caret)

    def outside(self) -> Callable[[int], Spot]:
        """Return the map from characters of the text inside to the source around."""
        if self.source is None:
            return lambda _offset: NOWHERE
        source = self.source
        return lambda offset: source.spot(self._raw(offset))

    def _raw(self, offset: int) -> int:
        """Return where in the source a character of the decoded text was written."""
        assert isinstance(self.value, str)
        assert self.source is not None
        if self.end - self.start == len(self.value) + 2:
            return self.start + 1 + offset
        if self._offsets is None:
            self._offsets = raw_offsets(self.source.text, self.start, self.end)
        return self._offsets[min(offset, len(self._offsets) - 1)]

    def child(self, step: str | int) -> Node | None:
        """Return a member of an object or an element of an array."""
        if isinstance(self.value, dict):
            return self.value.get(step) if isinstance(step, str) else None
        if isinstance(self.value, list) and isinstance(step, int):
            return self.value[step] if step < len(self.value) else None
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """From JSON paths to places in what was read.

    `entries` holds, by the path of a `tools` text, the entries that stood in it.
    """

    root: Node | None = None
    entries: Mapping[Path, list[Node]] = field(default_factory=dict)

    def node(self, path: Path) -> Node | None:
        """Return the value at a path, or the innermost one around it that exists."""
        node, rest = self._enter(path)
        for step in rest:
            child = node.child(step) if node else None
            if child is None:
                break
            node = child
        return node

    def spot(self, path: Path) -> Spot:
        """Return where the value at a path begins."""
        node = self.node(path)
        return node.spot() if node else NOWHERE

    def _enter(self, path: Path) -> tuple[Node | None, Path]:
        """Step over the border between a document and the text of `tools`."""
        length = path.index("tools") + 1 if "tools" in path else 0
        entries = self.entries.get(path[:length])
        match path[length:]:
            case (int() as index, *rest) if entries and index < len(entries):
                return entries[index], tuple(rest)
            case _:
                return self.root, path


NO_PLACES = Places()
