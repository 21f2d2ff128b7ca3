"""What the checks need of the world as it is now: tools, and other sequences.

Ports; imports the AST only. What a lookup answers is a property of the moment (§8.2).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from .model import Sequence


class ToolInfo(Protocol):
    """What a tool declares of itself."""

    @property
    def parallel_safe(self) -> bool:
        """Whether it may run beside others (§6.1)."""
        ...

    @property
    def parameters(self) -> Mapping[str, object] | None:
        """Its JSON Schema, None where it is not known."""
        ...

    def ordering_keys(self, arguments: Mapping[str, object]) -> Collection[str] | None:
        """Return what a call would act on, None where it cannot be known before."""
        ...


class ToolLookup(Protocol):
    """Where tools are looked up."""

    def find(self, name: str) -> ToolInfo | None:
        """Return what the tool of that name declares, None if there is none now."""
        ...


class SequenceLookup(Protocol):
    """Where the other sequences are."""

    def find(self, name: str) -> Sequence | None:
        """Return the sequence of that name, None if there is none now."""
        ...

    def names(self) -> Iterable[str]:
        """Return the names of all sequences."""
        ...
