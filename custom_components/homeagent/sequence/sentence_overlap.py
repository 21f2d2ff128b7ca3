"""Whether two ways to say something can be the same spoken words.

Pure; beside the sentences' syntax.
"""

from functools import lru_cache

from .sentence_syntax import Slot, Variant

_ANYTHING = "\0"
"""Stands for one character or more of whatever is said."""


def same_words(one: Variant, other: Variant) -> bool:
    """Whether both are said by exactly the same words, slots by whatever name."""
    return _pattern(one) == _pattern(other)


def can_be_same(one: Variant, other: Variant) -> bool:
    """Whether some spoken text is matched by both."""
    left, right = _pattern(one), _pattern(other)
    return _ends_fit(left, right) and _meet(left, right)


def _pattern(variant: Variant) -> str:
    return "".join(_ANYTHING if isinstance(each, Slot) else each for each in variant)


def _ends_fit(left: str, right: str) -> bool:
    """Whether beginning and end fit; the quick answer for nearly all pairs."""
    if _ANYTHING not in left and _ANYTHING not in right:
        return left == right
    starts = left.partition(_ANYTHING)[0], right.partition(_ANYTHING)[0]
    ends = left.rpartition(_ANYTHING)[2], right.rpartition(_ANYTHING)[2]
    return (starts[0].startswith(starts[1]) or starts[1].startswith(starts[0])) and (
        ends[0].endswith(ends[1]) or ends[1].endswith(ends[0])
    )


def _meet(left: str, right: str) -> bool:
    """Whether two patterns have a text in common, by the places reached in both.

    A place behind an `_ANYTHING` has taken one character already and may take more.
    """
    reached = {(0, 0)}
    waiting = [(0, 0)]
    while waiting:
        i, j = waiting.pop()
        if i == len(left) and j == len(right):
            return True
        for step in _steps(left, right, i, j):
            if step not in reached:
                reached.add(step)
                waiting.append(step)
    return False


def _steps(left: str, right: str, i: int, j: int) -> list[tuple[int, int]]:
    """Return the places reached when both have taken the same next character."""
    return [
        (after_left, after_right)
        for taken_left, after_left in _takes(left, i)
        for taken_right, after_right in _takes(right, j)
        if _ANYTHING in (taken_left, taken_right) or taken_left == taken_right
    ]


@lru_cache(maxsize=4096)
def _takes(pattern: str, place: int) -> tuple[tuple[str, int], ...]:
    """Return the characters that can come next, each with the place behind it."""
    found = []
    if place and pattern[place - 1] == _ANYTHING:
        found.append((_ANYTHING, place))
    if place < len(pattern):
        found.append((pattern[place], place + 1))
    return tuple(found)
