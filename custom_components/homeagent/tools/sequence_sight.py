"""What somebody who writes a sequence may learn of tools and of other sequences.

Between the checks and access control. Who may propose only is told of what the person may
use: all else looks as if it did not exist. The administrator who confirms a proposal has
it checked against everything.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..kernel.contract import Tool, ToolRegistry
from ..sequence.lookups import SequenceLookup
from ..sequence.model import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTools:
    """The tools that somebody may use; a `ToolRegistry`."""

    every: ToolRegistry
    may_use: Callable[[Tool], bool]

    def find(self, name: str) -> Tool | None:
        """Return the tool of that name, if it may be used."""
        tool = self.every.find(name)
        return tool if tool is not None and self.may_use(tool) else None

    def names(self) -> Iterable[str]:
        """Return the names of the tools that may be used."""
        return [name for name in self.every.names() if self.find(name) is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSequences:
    """The sequences that somebody may run; a `SequenceLookup`."""

    every: SequenceLookup
    may_run: Callable[[str], bool]

    def find(self, name: str) -> Sequence | None:
        """Return the sequence of that name, if it may be run."""
        found = self.every.find(name)
        return found if found is not None and self.may_run(found.name) else None

    def names(self) -> Iterable[str]:
        """Return the names of the sequences that may be run."""
        return [name for name in self.every.names() if self.may_run(name)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What one writer sees of the home."""

    tools: ToolRegistry
    sequences: SequenceLookup
