"""The gate over lines that models write, and lines that would do harm."""

from __future__ import annotations

from typing import Any

from conftest import CASES, accepted_lines, code_of, json_lines, plain_lines, plan_of
import pytest

from homeagent_waiter.gate import Stderr
from homeagent_waiter.gate.grammars import BUILT_IN, GRAMMARS

# The codes that the stages of the gate give for a kind; words that are no commands of
# the list come first of all.
RIGHT = {
    "shell-grammar": {"line", "not_allowed"},
    "first-word": {"not_allowed"},
    "exec": {"option", "operand", "line", "not_allowed", "no_grammar"},
    "file-write": {"option", "operand", "line", "not_allowed", "no_grammar"},
    "indirect-read": {"option", "operand", "no_grammar"},
    "indirect": {"option"},
    "script-file": {"option", "no_grammar"},
    "library-load": {"no_grammar"},
    "env-leak": {"option", "operand", "not_allowed", "no_grammar"},
    "debug": {"option"},
    "config": {"option"},
    "pager": {"option"},
    "dos": {"option", "operand", "count", "device"},
    "interactive": {"option", "not_allowed"},
    "state-change": {"option", "operand", "device", "not_allowed"},
    "network": {"option", "not_allowed"},
    "secret": {"secret", "device"},
    "pipeline": {"operand", "not_allowed"},
}


@pytest.mark.parametrize(
    "case", json_lines("commands-refused.jsonl"), ids=lambda case: repr(case["line"])
)
def test_harmful_line_is_refused_for_its_kind(case: dict[str, Any]) -> None:
    """Each is refused by the stage that its kind belongs to."""
    assert code_of(case["line"]) in RIGHT[case["kind"]]


@pytest.mark.parametrize("case", plain_lines("own-refused.txt"))
def test_own_harmful_line_is_refused(case: str) -> None:
    """Each is refused with the code that stands before it."""
    codes, line = case.split("\t", 1)
    assert code_of(line) in codes.split(",")


@pytest.mark.parametrize("line", accepted_lines())
def test_usual_line_is_accepted(line: str) -> None:
    """What shows a host passes."""
    assert code_of(line) == "accepted"


def test_awk_has_no_grammar() -> None:
    """An awk program is a language of its own: refused, also when it is listed."""
    assert code_of("awk '{print $1}' f") == "no_grammar"


def test_every_grammar_has_cases() -> None:
    """Each command is in a line that passes and in one that does not."""
    accepted = {word for line in accepted_lines() for word in line.split()}
    refused = (CASES / "own-refused.txt").read_text().split()
    assert set(GRAMMARS) <= accepted
    assert set(GRAMMARS) - set(refused) - {"echo"} == set()


def test_built_in_list_has_grammars() -> None:
    """Whatever runs without a configuration is judged word by word."""
    assert set(GRAMMARS) >= BUILT_IN


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ls -la", [["ls", "-la"]]),
        ("df -h | head -3", [["df", "-h"], ["head", "-3"]]),
        ("echo 'a | b'|wc -c", [["echo", "a | b"], ["wc", "-c"]]),
        (r'echo a\ b "c\"d" e\\f ""', [["echo", "a b", 'c"d', "e\\f", ""]]),
    ],
)
def test_plan_has_the_words(line: str, words: list[list[str]]) -> None:
    """A plan has the words of the line as a program gets them."""
    plan = plan_of(line)
    assert plan.line == line
    assert [list(stage.argv) for stage in plan.stages] == words


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("ls", Stderr.KEEP),
        ("ls 2>/dev/null", Stderr.DROP),
        ("ls 2>&1", Stderr.STDOUT),
        ("ls 2>&1|wc", Stderr.STDOUT),
    ],
)
def test_plan_tells_where_errors_go(line: str, where: Stderr) -> None:
    """The two redirections that models write are understood."""
    assert plan_of(line).stages[0].stderr is where
