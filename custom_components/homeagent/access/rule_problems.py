"""What can be wrong with a rule's data, and how it is said.

Lowest layer of the package; imports the kernel only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import override

from ..kernel.json_text import encode_json
from ..kernel.json_values import to_json_value

LONGEST_SHOWN = 80
"""Characters of a wrong value that a problem shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem: the field, a code for translations, what was found, what is right."""

    field: str
    code: str
    found: str
    right: str

    @override
    def __str__(self) -> str:
        place = f"{self.field}: " if self.field else ""
        return f"{place}found {self.found}; right would be {self.right}"


class RuleError(Exception):
    """Data that is no rule; `problems` has everything that is wrong."""

    def __init__(self, rule_id: str, problems: Iterable[Problem]) -> None:
        self.rule_id = rule_id
        self.problems = tuple(problems)
        told = "; ".join(str(problem) for problem in self.problems)
        super().__init__(f"access rule {rule_id}: {told}")


def problem(field: str, code: str, found: object, right: str) -> Problem:
    """Return a problem that shows what was found, cut where it is long."""
    return Problem(field=field, code=code, found=shown(found), right=right)


def shown(value: object) -> str:
    """Return a value as people read it."""
    text = encode_json(to_json_value(value))
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def one_of(words: Sequence[str]) -> str:
    """Return a choice in words."""
    return f"one of {', '.join(words)}"
