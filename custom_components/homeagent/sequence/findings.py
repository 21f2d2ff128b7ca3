"""Where problems are gathered, so that all are told at once.

Between the catalogue and every reader and check of the language.
"""

from .condition_syntax import scan_condition
from .model import Reference
from .nodes import NO_PLACES, Places
from .problems import NOWHERE, Path, Problem, Spot, make_problem
from .reference_syntax import scan_text


class Findings:
    """The errors and warnings of one text, and the paths that could not be read.

    A path among the gaps holds a placeholder: nothing may be concluded from it.
    """

    def __init__(self, places: Places = NO_PLACES) -> None:
        self.places = places
        self.errors: list[Problem] = []
        self.warnings: list[Problem] = []
        self.gaps: set[Path] = set()
        self._references: dict[int, dict[Reference, int]] = {}

    def error(
        self, code: str, path: Path, spot: Spot | None = None, **placeholders: str
    ) -> None:
        """Add an error; without a spot it stands at its path."""
        place = self.places.spot(path) if spot is None else spot
        self.errors.append(make_problem(code, path, place, placeholders))

    def warning(
        self, code: str, path: Path, spot: Spot | None = None, **placeholders: str
    ) -> None:
        """Add a warning; without a spot it stands at its path."""
        place = self.places.spot(path) if spot is None else spot
        self.warnings.append(make_problem(code, path, place, placeholders))

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


def in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    """Return problems as they stand in the source; those without a place come last."""
    return tuple(sorted(problems, key=_place))


def _place(problem: Problem) -> tuple[int, int, int]:
    far = 1 << 62
    line = far if problem.line is None else problem.line
    column = far if problem.column is None else problem.column
    return line, column, far if problem.position is None else problem.position
