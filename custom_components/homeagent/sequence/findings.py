"""Where problems are gathered, so that all are told at once.

Between the catalogue and every reader and check of the language.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Final

from .condition_syntax import scan_condition
from .model import Reference
from .nodes import NO_PLACES, Places
from .problems import NOWHERE, Path, Problem, Spot, make_problem
from .reference_syntax import scan_text

MOST_TOLD: Final = 200
"""Problems of a kind that are told one by one; of the others the number is told."""

type Place = Spot | Callable[[], Spot] | None
"""Where a problem stands: known, to be found out if it is told, or at its path."""


class Told:
    """The errors, or the warnings, of one text."""

    def __init__(self, more: str) -> None:
        self._more = more
        self._problems: list[Problem] = []
        self._left_out = 0

    def __len__(self) -> int:
        return len(self._problems) + self._left_out

    def add(self, make: Callable[[], Problem]) -> None:
        """Add a problem, which is made only if it will be told."""
        if len(self._problems) < MOST_TOLD:
            self._problems.append(make())
        else:
            self._left_out += 1

    def take_over(self, problems: Iterable[Problem]) -> None:
        """Go on from what another gathering ended with."""
        for problem in problems:
            if problem.code == self._more:
                self._left_out += int(problem.placeholders["count"])
            elif len(self._problems) < MOST_TOLD:
                self._problems.append(problem)
            else:
                self._left_out += 1

    def in_order(self) -> tuple[Problem, ...]:
        """Return the problems as they stand in the source, those without place last."""
        told = sorted(self._problems, key=_position)
        if self._left_out:
            count = {"count": str(self._left_out)}
            told.append(make_problem(self._more, (), NOWHERE, count))
        return tuple(told)


class Findings:
    """The errors and warnings of one text, and the paths that could not be read.

    A path among the gaps holds a placeholder: nothing may be concluded from it.
    Warnings with a code among `unsaid` are not told: their asker knows better.
    """

    def __init__(
        self, places: Places = NO_PLACES, unsaid: Collection[str] = ()
    ) -> None:
        self.places = places
        self._unsaid = unsaid
        self.errors = Told("more_errors")
        self.warnings = Told("more_warnings")
        self.gaps: set[Path] = set()
        self._references: dict[int, dict[Reference, int]] = {}

    def error(
        self, code: str, path: Path, place: Place = None, **placeholders: str
    ) -> None:
        """Add an error."""
        self.errors.add(partial(self._problem, code, path, place, placeholders))

    def warning(
        self, code: str, path: Path, place: Place = None, **placeholders: str
    ) -> None:
        """Add a warning."""
        if code not in self._unsaid:
            self.warnings.add(partial(self._problem, code, path, place, placeholders))

    def _problem(
        self, code: str, path: Path, place: Place, placeholders: Mapping[str, str]
    ) -> Problem:
        if place is None:
            place = self.places.spot(path)
        spot = place if isinstance(place, Spot) else place()
        return make_problem(code, path, spot, placeholders)

    def reference_spot(self, path: Path, reference: Reference) -> Spot:
        """Return where a reference stands in the text at a path."""
        node = self.places.node(path)
        if node is None or not isinstance(node.value, str):
            return node.spot() if node else NOWHERE
        offsets = self._references.get(id(node))
        if offsets is None:
            offsets = _offsets(node.value, condition=path[-1] == "when")
            self._references[id(node)] = offsets
        return node.inner_spot(offsets.get(reference, 0))

    def gap(self, path: Path) -> None:
        """Note that nothing is known of what should stand at a path."""
        self.gaps.add(path)


def _offsets(text: str, *, condition: bool) -> dict[Reference, int]:
    """Return where each reference of a text stands first."""
    scan = scan_condition(text) if condition else scan_text(text)
    return {reference: offset for offset, reference in reversed(scan.references)}


def _position(problem: Problem) -> tuple[int, int, int]:
    far = 1 << 62
    line = far if problem.line is None else problem.line
    column = far if problem.column is None else problem.column
    return line, column, far if problem.position is None else problem.position
