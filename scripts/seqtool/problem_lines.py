"""Problems of a text as lines for a person: where, what, the place itself, what to do.

Pure; imports the core's problems only. The first line has the form that editors and
terminals make a link of.
"""

from collections.abc import Iterator

from custom_components.homeagent.sequence.problems import Problem, printable


def problem_lines(name: str, problem: Problem, kind: str = "error") -> Iterator[str]:
    """Return the lines of one problem in the file of that name."""
    lines = [f"{_place(name, problem)}: {kind}: {problem.message} [{problem.code}]"]
    if where := _path(problem):
        lines.append(f"  at {where}")
    lines += [f"    {line}" for line in problem.caret.split("\n") if line]
    if problem.hint:
        lines.append(f"  {problem.hint}")
    return map(printable, lines)


def _place(name: str, problem: Problem) -> str:
    if problem.line is None:
        return name
    return f"{name}:{problem.line}:{problem.column}"


def _path(problem: Problem) -> str:
    if problem.position is None:
        return problem.path
    inside = f"character {problem.position} of tools"
    return f"{problem.path}, {inside}" if problem.path else inside


def count_of(number: int, word: str) -> str:
    """Return a number with its word: `1 error`, `2 errors`."""
    return f"{number} {word}{'' if number == 1 else 's'}"
