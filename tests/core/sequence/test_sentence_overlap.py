"""Whether two sentences can be the same words, against a slow model."""

from itertools import product
import re

from hypothesis import given, strategies as st

from custom_components.homeagent.sequence.sentence_overlap import (
    can_be_same,
    same_words,
)
from custom_components.homeagent.sequence.sentence_syntax import Slot, Variant

LONGEST = 6
TEXTS = [
    "".join(letters)
    for length in range(LONGEST + 1)
    for letters in product("ab", repeat=length)
]

pieces = st.lists(
    st.sampled_from(["a", "b", "ab", Slot("x"), Slot("y")]), min_size=1, max_size=3
)
variants = pieces.map(tuple)


def matched(variant: Variant) -> set[str]:
    """Return all short texts that a variant matches."""
    pattern = "".join("(.+)" if isinstance(each, Slot) else each for each in variant)
    return {text for text in TEXTS if re.fullmatch(pattern, text)}


@given(variants, variants)
def test_against_the_model(one: Variant, other: Variant) -> None:
    """Three pieces of two letters meet, if at all, in a text of six letters."""
    assert can_be_same(one, other) == bool(matched(one) & matched(other))
    assert can_be_same(other, one) == can_be_same(one, other)
    if same_words(one, other):
        assert can_be_same(one, other)
