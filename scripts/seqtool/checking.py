"""The static checks of a text, as far as they can be made without a home.

Between the core's checks and the command. Without declared tools nothing is known of the
tools that exist, so nothing is said of them; other sequences are never known here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from custom_components.homeagent.sequence.checks import check_parsed
from custom_components.homeagent.sequence.document import parse_sequence
from custom_components.homeagent.sequence.model import Sequence
from custom_components.homeagent.sequence.problems import Problem

from .fake_tools import DeclaredTools

_NO_TOOLS: Final = DeclaredTools(by_name={})
_UNKNOWABLE: Final = frozenset({"unknown_tool", "unknown_sequence"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A sequence if there is no error, and everything that was found."""

    sequence: Sequence | None
    errors: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the JSON object of the check."""
        return {
            "ok": not self.errors,
            "errors": [problem.as_dict() for problem in self.errors],
            "warnings": [problem.as_dict() for problem in self.warnings],
        }


def check_text(data: bytes, tools: DeclaredTools | None = None) -> Checked:
    """Check a text, against these tools where there are any."""
    parsed = parse_sequence(data)
    report = check_parsed(
        parsed,
        _NO_TOOLS if tools is None else tools,
        _NoSequences(),
        unsaid=_UNKNOWABLE if tools is None else (),
    )
    return Checked(
        sequence=None if report.errors else parsed.sequence,
        errors=report.errors,
        warnings=report.warnings,
    )


class _NoSequences:
    """There are no other sequences."""

    def find(self, name: str) -> Sequence | None:
        return None

    def names(self) -> Iterable[str]:
        return ()
