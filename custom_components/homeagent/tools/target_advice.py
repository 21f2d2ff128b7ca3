"""What the calls of a sequence name that this home does not have, for its editor.

Between the actions and the editor. Names what exists and what does not, so that only who
may know of everything may be told. Never calls anything.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..kernel.contract import Tool
from ..kernel.errors import Reason
from ..kernel.phrases import Phrase
from ..sequence.model import ABSENT, Sequence, ToolEntry
from ..sequence.problems import Problem, format_path
from ..sequence.usage import literal
from .action_tool import ActionTool
from .outcomes import complaints

NEEDED, GONE = "target_needed", "target_gone"
"""Codes of what is told: in words of the forms only."""

_TARGET = "target"


def target_advice(
    find: Callable[[str], Tool | None], sequence: Sequence
) -> tuple[Problem, ...]:
    """Return warnings for targets that are not given, not there, or not fit.

    What is unavailable is not told: it may be back before the sequence runs.
    """
    return tuple(
        Problem(
            code=code,
            path=format_path(("groups", number, "tools", row)),
            message=why,
            hint="",
            placeholders={"why": why},
        )
        for number, group in enumerate(sequence.groups)
        for row, entry in enumerate(group.tools)
        for code, why in _of_entry(find(entry.tool), entry)
    )


def _of_entry(tool: Tool | None, entry: ToolEntry) -> Iterator[tuple[str, str]]:
    if not isinstance(tool, ActionTool):
        return
    values = {key: literal(value) for key, value in entry.args.items()}
    names = {_TARGET, *tool.shape.id_names}
    if any(values[key] is ABSENT for key in names & values.keys()):
        return
    arguments = {key: value for key, value in values.items() if value is not ABSENT}
    checked = tool.check(arguments)
    wrong = [each for each in checked.problems if _base(each.field) in names]
    for problem in wrong:
        if problem.reason is Reason.REQUIRED and isinstance(problem.detail, Phrase):
            yield NEEDED, problem.detail
    if not wrong and names & checked.arguments.keys():
        standing = tool.standing(checked.arguments)
        for why in complaints(entry.tool, replace(standing, unavailable=())):
            yield GONE, why


def _base(field: str | None) -> str:
    """Return the argument that a path such as `target.x` begins with."""
    return (field or "").partition(".")[0]
