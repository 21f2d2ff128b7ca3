"""The soak's books: what was asked, what ran of it, how it was answered, what was wrong.

Beside `figure`; imports nothing of ours. Decides, never measures. Everything that was
asked has a mark of its own; what was answered is closed and forgotten, so that the books
stay small however long the soak lasts.
"""

from collections import Counter, OrderedDict
from collections.abc import Collection, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MOST_TOLD = 20
"""Faults that are told in full; all are counted."""

LONGEST = 300
REMEMBERED = 5000
"""Calls whose events are known: twice the same among so many is a fault."""


@dataclass(slots=True)
class Faults:
    """What was wrong."""

    count: int = 0
    told: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Note one fault."""
        self.count += 1
        if len(self.told) < MOST_TOLD:
            self.told.append(text[:LONGEST])


@dataclass(slots=True)
class Ledger:
    """What ran for each mark that is open, by number; `executed` and `expected` in all."""

    faults: Faults
    asked: int = 0
    answered: int = 0
    executed: int = 0
    expected: int = 0
    _open: dict[str, Counter[int]] = field(default_factory=dict)
    _told: OrderedDict[Hashable, None] = field(default_factory=OrderedDict)

    def ask(self, mark: str) -> None:
        """Open a mark: something is about to be asked."""
        self.asked += 1
        self._open[mark] = Counter()

    def take(self, ran: list[tuple[str, int]]) -> None:
        """Book what tools ran since the last time, and empty the list."""
        for mark, number in ran:
            self.executed += 1
            if mark in self._open:
                self._open[mark][number] += 1
            else:
                self.faults.add(f"{mark} ran its call {number} after it was answered")
        ran.clear()

    def close(
        self, mark: str, wanted: Collection[int], *, at_most: bool = False
    ) -> None:
        """Close a mark that was answered: just these calls ran, once each.

        `at_most`: those that did not run are no fault.
        """
        ran = self._open.pop(mark)
        self.answered += 1
        often = any(count != 1 for count in ran.values())
        missing = set(wanted) - ran.keys()
        if often or ran.keys() - set(wanted) or (missing and not at_most):
            self.faults.add(
                f"{mark} should have run {sorted(wanted)} once: {dict(ran)}"
            )
        self.expected += sum(ran.values()) if at_most else len(wanted)

    def tell(self, call: Hashable) -> None:
        """Note the event of a call: there is one of each."""
        if call in self._told:
            self.faults.add(f"{call} was told twice")
        self._told[call] = None
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    def end(self) -> None:
        """Say that nothing is asked any more: what is still open was never answered."""
        for mark in self._open:
            self.faults.add(f"{mark} was never answered")
        self._open.clear()


@dataclass(slots=True)
class Absences:
    """What is taken away for a moment, such as an entry that is being reloaded.

    Counts how often each thing went and came back: while it is away, that is odd.
    """

    _turns: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def of(self, *names: str) -> Iterator[None]:
        """Say that these are away, or may be, inside the block."""
        self._turns.update(names)
        try:
            yield
        finally:
            self._turns.update(names)

    def look(self, *names: str) -> dict[str, int]:
        """Return how things stand, for `touched`."""
        return {name: self._turns[name] for name in names}

    def touched(self, earlier: dict[str, int]) -> bool:
        """Whether any of them was away then, is now, or was in between."""
        return any(
            turn % 2 or turn != self._turns[name] for name, turn in earlier.items()
        )
