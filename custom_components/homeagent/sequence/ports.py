"""What the engine needs of the world around it: small ports, and nothing else.

Lowest layer of the engine; imports the kernel only. The composition root binds them:
`open_batch` to the kernel's batch behind the door (with true reasons, unmasked), which
is the only way from here to a tool.
"""

from collections.abc import Callable, Collection, Sequence as Many
from dataclasses import dataclass
from typing import Protocol

from ..kernel.batch import BatchResult, Plan
from ..kernel.contract import Arguments, Caller, Decision, Tool, ToolCall, ToolResult
from .model import Sequence


class ToolLookup(Protocol):
    """Where tools are looked up, anew for every call (§8.2)."""

    def find(self, name: str) -> Tool | None:
        """Return the tool of that name as it is now."""
        ...


class OpenedBatch(Protocol):
    """A batch on its way through the door."""

    @property
    def results(self) -> Many[ToolResult]:
        """One result per call, in order, once `run` ended in whatever way."""
        ...

    def decide(self) -> Plan:
        """Tell how the batch would run now, and why; runs nothing."""
        ...

    async def run(self) -> BatchResult:
        """Run all calls; a cancellation ends them first, then goes on."""
        ...


type OpenBatch = Callable[[Caller, Many[ToolCall]], OpenedBatch]
"""The kernel's batch bound to the door."""

type MayUse = Callable[[Caller, Tool, Arguments | None], Decision]
"""Judges a call; without arguments: could any call of the tool succeed? (page 3)"""


class SequenceStore(Protocol):
    """Where the checked sequences are."""

    def find(self, name: str) -> Sequence | None:
        """Return the sequence of that name as it is now."""
        ...


class Clock(Protocol):
    """Time as the runs see it, in seconds."""

    def monotonic(self) -> float:
        """Return seconds since some moment; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The engine's whole surroundings.

    `own_buttons` gives the entity ids of the buttons that run sequences: no sequence
    may press one (page 3 §3.4).
    """

    tools: ToolLookup
    open_batch: OpenBatch
    can_use: MayUse
    sequences: SequenceStore
    clock: Clock
    new_id: Callable[[], str]
    own_buttons: Callable[[], Collection[str]] = tuple
