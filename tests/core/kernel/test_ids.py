"""Every call of a batch has an id of its own, and the way back is kept (§1.3)."""

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.homeagent.kernel.ids import UniqueIds, originals, unique_ids


@pytest.mark.parametrize(
    ("ids", "unique"),
    [
        ([], ()),
        (["a", "b"], ("a", "b")),
        (["a", "a", "a"], ("a", "a_2", "a_3")),
        (["a", "a_2", "a"], ("a", "a_2", "a_3")),
        (["a", "a", "a_2"], ("a", "a_3", "a_2")),
        (["", None, "  "], ("call_0", "call_1", "call_2")),
        (["", "call_0"], ("call_0_2", "call_0")),
        (["call_1", ""], ("call_1", "call_1_2")),
    ],
)
def test_unique(ids: list[str | None], unique: tuple[str, ...]) -> None:
    assert unique_ids(ids) == unique


def test_the_way_back() -> None:
    assert originals(["a", "", "a", None]) == {
        "a": "a",
        "call_1": "",
        "a_2": "a",
        "call_3": "",
    }


def test_very_many_calls_with_one_id() -> None:
    """In proportion to their number: a server without end must not stop the house."""
    assert len(set(unique_ids(["a"] * 100_000))) == 100_000


def test_list_after_list() -> None:
    ids = UniqueIds()
    assert ids.take(["a", ""]) == ("a", "call_1")
    assert ids.take(["a_2", "a", ""]) == ("a_2", "a_3", "call_4")


@settings(deadline=None)
@given(st.lists(st.none() | st.sampled_from(["", " ", "a", "a_2", "call_0", "call_2"])))
def test_all_are_different_and_none_is_blank(ids: list[str | None]) -> None:
    unique = unique_ids(ids)
    assert len(unique) == len(set(unique)) == len(ids)
    assert all(each.strip() for each in unique)
    assert all((given in unique) for given in ids if given and given.strip())
