"""Reading and checking take time in proportion to the text: calls are counted."""

from collections.abc import Callable
import sys
from types import FrameType

import pytest

from .texts import call, check, group_text, one_group, sequence_text

SMALL = 8 * 1024


def parameters(count: int) -> dict[str, str]:
    return {f"k{number}": "any" for number in range(count)}


def references(count: int) -> str:
    return " ".join(f"$args.j{number}" for number in range(count))


def one_text(text: str, **fields: object) -> str:
    return one_group([{"tool": "t", "args": {"x": text}}], **fields)


def many_groups(entry: str, count: int) -> str:
    rows = range(0, count, 40)
    return sequence_text(
        *(group_text(entry * 40) | {"name": f"g{row}"} for row in rows)
    )


TEXTS: dict[str, Callable[[int], str]] = {
    "entries": lambda n: many_groups(
        '{"tool":"t","args":{"a":[1,"$args"]}} ;', n // 60
    ),
    "calls": lambda n: many_groups(call("g0"), n // 60),
    "one long text": lambda n: one_text("word " * (n // 5)),
    "references": lambda n: one_text("$args.a " * (n // 8), in_={"a": "any"}),
    "undeclared": lambda n: one_text(references(n // 12)),
    "inputs": lambda n: one_text(references(n // 30), in_=parameters(n // 30)),
    "near misses": lambda n: one_text('"$arg.a' * (n // 8)),
    "dollars": lambda n: one_text("$" * n),
    "open keys": lambda n: one_text('$args.a["' * (n // 10), in_={"a": "any"}),
    "unknown keys": lambda n: sequence_text(**dict.fromkeys(map(str, range(n // 12)))),
    "equal keys": lambda n: "{" + ",".join(['"a":1'] * (n // 6)) + "}",
    "semicolons": lambda n: one_group(";" * n),
    "open brackets": lambda n: one_group("{" * n),
    "open texts": lambda n: one_group('{"a' * (n // 3)),
    "pieces": lambda n: one_group("{} " * (n // 3)),
    "controls": lambda n: '{"a":"' + "\t" * n + '"}',
    "lines": lambda n: "{\n" * n,
    "nesting": lambda n: one_text("", description="[" * 30) + "[" * n,
    "parentheses": lambda n: one_group(when="(" * n),
    "prefixes": lambda n: one_group('{"tool":"' + "homeagent." * (n // 10) + '"} ;'),
    "path": lambda n: one_group([{"tool": "t", "select": "a" + ".a" * (n // 2)}]),
    "conditions": lambda n: one_group(
        '{"tool":"seq_when_call","args":{"target":"g1","when":"$args.a"}} ;' * (n // 70)
    ),
}


def count_calls(text: str) -> int:
    """Return how many functions a check calls, Python's and built-in ones."""
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        check(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("kind", TEXTS)
def test_twice_the_text(kind: str) -> None:
    """Twice the text takes at most about twice the calls."""
    once, twice = (count_calls(TEXTS[kind](size)) for size in (SMALL, 2 * SMALL))
    assert twice <= 2.2 * once + 500
