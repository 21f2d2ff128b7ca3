"""The sequences that exist, by name.

Implements the lookups of the checks and of the engine; imports the model only. Names are
unique case-folded (page 2 §2.1).
"""

from collections.abc import Iterator

from .model import CALL_TOOLS, Sequence
from .names import folded


class NameTakenError(Exception):
    """Another sequence has this name."""


class Library:
    """Checked sequences under stable keys."""

    def __init__(self) -> None:
        """Start empty."""
        self._by_key: dict[str, Sequence] = {}
        self._keys: dict[str, str] = {}

    def put(self, key: str, sequence: Sequence) -> None:
        """Add a sequence, or replace the one of that key; runs keep what they have."""
        name = folded(sequence.name)
        if self._keys.get(name, key) != key:
            raise NameTakenError(sequence.name)
        self.remove(key)
        self._by_key[key] = sequence
        self._keys[name] = key

    def remove(self, key: str) -> None:
        """Take a sequence out, if it is there."""
        if sequence := self._by_key.pop(key, None):
            del self._keys[folded(sequence.name)]

    def find(self, name: str) -> Sequence | None:
        """Return the sequence of that name."""
        key = self.key_of(name)
        return None if key is None else self._by_key[key]

    def key_of(self, name: str) -> str | None:
        """Return the stable key of the sequence of that name."""
        return self._keys.get(folded(name))

    def get(self, key: str) -> Sequence | None:
        """Return the sequence of that key."""
        return self._by_key.get(key)

    def items(self) -> tuple[tuple[str, Sequence], ...]:
        """Return keys and sequences as they are now."""
        return tuple(self._by_key.items())

    def names(self) -> list[str]:
        """Return all names, in the order in which the sequences came."""
        return [sequence.name for sequence in self._by_key.values()]

    def __iter__(self) -> Iterator[Sequence]:
        """Go through all sequences."""
        return iter(tuple(self._by_key.values()))

    def callers_of(self, name: str) -> list[str]:
        """Return the names of the other sequences that call this one."""
        wanted = folded(name)
        return [
            sequence.name
            for sequence in self
            if folded(sequence.name) != wanted and wanted in _called(sequence)
        ]


def _called(sequence: Sequence) -> set[str]:
    """Return the case-folded names of the sequences that this one names in calls."""
    called: set[str] = set()
    for group in sequence.groups:
        for entry in group.tools:
            target = entry.args.get("target")
            if entry.tool in CALL_TOOLS and isinstance(target, str):
                called.update(_sequence_of(target))
    return called


def _sequence_of(target: str) -> set[str]:
    return {folded(target[1:].partition("/")[0])} if target.startswith("#") else set()
