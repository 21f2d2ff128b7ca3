"""What a figure is, what came of it, and whether that is good enough.

Lowest layer of the benchmarks; imports nothing of ours. Decides, never measures.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
import json


class BenchmarkError(Exception):
    """What was to be measured did not do what it should; the text says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What came of one figure.

    `executed` counts calls inside the tools, `expected` those that should have been
    there. `wrong_runs` are the runs in which the two differed: sums may hide them.
    """

    ratio: float
    executed: int
    expected: int
    wrong_runs: int = 0
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether everything ran that should have: what did not run is never fast."""
        return self.executed == self.expected and self.wrong_runs == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One ratio that has a target; lower is better.

    `pairs` is how many pairs of measurements it takes where nobody says otherwise; of a
    `timed` figure, how many seconds.
    """

    name: str
    target: float
    measure: Callable[[int], Awaitable[Measured]]
    pairs: int = 30
    timed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A figure with its outcome, as it is printed."""

    figure: Figure
    outcome: Measured | BenchmarkError

    @property
    def good(self) -> bool:
        """Whether the target is met, and everything ran."""
        outcome = self.outcome
        if isinstance(outcome, BenchmarkError):
            return False
        return outcome.complete and outcome.ratio <= self.figure.target

    def as_json(self) -> str:
        """Return `{"name", "ratio", "target", "detail"}`; the ratio of what failed is null."""
        return json.dumps(
            {
                "name": self.figure.name,
                "ratio": self._ratio(),
                "target": self.figure.target,
                "detail": self._detail(),
            },
            ensure_ascii=False,
        )

    def _ratio(self) -> float | None:
        outcome = self.outcome
        return None if isinstance(outcome, BenchmarkError) else round(outcome.ratio, 4)

    def _detail(self) -> dict[str, object]:
        outcome = self.outcome
        if isinstance(outcome, BenchmarkError):
            return {"error": str(outcome)}
        detail: dict[str, object] = {
            "executed": outcome.executed,
            "expected": outcome.expected,
        }
        if outcome.wrong_runs:
            detail["wrong_runs"] = outcome.wrong_runs
        return detail | dict(outcome.more)
