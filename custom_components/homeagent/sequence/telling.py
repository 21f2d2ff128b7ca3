"""Problems as lines of text, for forms and terminals.

Pure; imports the problems only.
"""

from collections.abc import Sequence

from .problems import Problem

MOST = 12
"""Problems told in one text; it says how many more there are."""


def describe(problems: Sequence[Problem]) -> str:
    """Return one line for each problem: where, what, and what would be right."""
    lines = [_line(problem) for problem in problems[:MOST]]
    if (more := len(problems) - MOST) > 0:
        lines.append(f"… and {more} more")
    return "\n".join(lines)


def _line(problem: Problem) -> str:
    places = [problem.path] if problem.path else []
    if problem.line is not None:
        places.append(f"line {problem.line}, column {problem.column}")
    if problem.position is not None:
        places.append(f"character {problem.position} of tools")
    where = f"{'; '.join(places)}: " if places else ""
    return f"{where}{problem.message}. {problem.hint}".strip()
