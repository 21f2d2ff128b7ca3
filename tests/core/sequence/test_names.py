"""Names of sequences and groups, keys, time limits: what is legal, and what to write."""

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.sequence.document import parse_sequence, read_sequence
from custom_components.homeagent.sequence.durations import (
    format_duration,
    nearest_duration,
    parse_duration,
)
from custom_components.homeagent.sequence.names import folded, is_key, key_end

from .texts import ENTRY, call, error_codes, group_text, legal, one_group, sequence_text


@pytest.mark.parametrize(
    "name", ["巡检三节点", "a", "a" * 64, "Été 2", "night-check_1", "a.b", "a#b", "😀"]
)
def test_legal_names(name: str) -> None:
    """Any script, with spaces inside."""
    sequence = legal(sequence_text(group_text() | {"name": name}, name=name))
    assert (sequence.name, sequence.groups[0].name) == (name, name)


@pytest.mark.parametrize(
    "name",
    [
        *("", "  ", "a" * 65, ".a", "#a", "a..b"),
        *(f"a{char}b" for char in "/\\\"'*?[]"),
        *("a\nb", "a\u200bb", "a\u202eb", "a\x00", "a\u2028b", "\ue000"),
    ],
)
def test_illegal_names(name: str) -> None:
    """Nothing that hides, quotes, matches or leads elsewhere; groups and sequences."""
    assert error_codes(sequence_text(group_text(), name=name)) == ["bad_name"]
    assert error_codes(sequence_text(group_text() | {"name": name})) == ["bad_name"]


def test_names_are_normal() -> None:
    """Names are trimmed and composed, in calls too; two that differ so are one."""
    decomposed = " e\u0301te\u0301 "
    text = sequence_text(group_text() | {"name": "été"}, group_text(call(decomposed)))
    assert legal(text).groups[0].name == "été"
    twice = sequence_text(
        group_text() | {"name": "été"}, {"name": decomposed, "tools": ENTRY}
    )
    assert error_codes(twice) == ["group_name_twice"]


@pytest.mark.parametrize(("one", "other"), [("A", "a"), ("straße", "STRASSE")])
def test_folding(one: str, other: str) -> None:
    """Names of sequences are unique case-folded."""
    assert folded(one) == folded(other)


@pytest.mark.parametrize("key", ["a", "_", "a-b", "host_1", "主机", "कीमत", "e\u0301"])
def test_legal_keys(key: str) -> None:
    """Keys have letters of any script, with their marks."""
    assert is_key(key)
    legal(one_group(in_={key: "any"}))


@pytest.mark.parametrize("key", ["", "1a", "-a", "a b", "a.b", "a$", "½", "Ⅷ"])
def test_illegal_keys(key: str) -> None:
    """Keys do not start with a digit or `-`, and have nothing else in them."""
    assert not is_key(key)
    assert "bad_key" in error_codes(one_group(in_={key: "any"}))


@given(st.text(max_size=20), st.integers(0, 20))
def test_key_ends(text: str, start: int) -> None:
    """The end of a key is a place in the text, and what it delimits is a key."""
    end = key_end(text, start)
    assert end == start or (start < end <= len(text) and is_key(text[start:end]))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("500ms", 0.5), ("30s", 30), ("2m", 120), ("1m30s", 90), ("1h", 3600)),
        *(("1h2m3s4ms", 3723.004), ("90s", 90), ("1ms", 0.001), ("1000h", 3_600_000)),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    """A number and a unit, larger units first."""
    assert parse_duration(text) == seconds
    assert legal(one_group(timeout=text)).groups[0].timeout == seconds


@pytest.mark.parametrize(
    ("timeout", "right"),
    [
        (20, '"20s"'),
        (1.5, '"1s500ms"'),
        ("20", '"20s"'),
        ("30 s", '"30s"'),
        ("30S", '"30s"'),
        ("1.5s", '"1s500ms"'),
        ("5 minutes", '"5m"'),
        ("1m 30s", '"1m30s"'),
        ("30s1m", '"1m30s"'),
        ("1 hour, 5 min", '"1h5m"'),
        ("0s", '"30s"'),
        ("-5s", '"30s"'),
        ("1001h", '"30s"'),
        ("9" * 30 + "s", '"30s"'),
        ("PT30S", '"30s"'),
        ("", '"30s"'),
        ("s", '"30s"'),
        (None, '"30s"'),
        (True, '"30s"'),
        (["30s"], '"30s"'),
    ],
)
def test_wrong_durations(timeout: object, right: str) -> None:
    """Anything else is an error that shows the right spelling."""
    (problem,) = parse_sequence(one_group(timeout=timeout)).errors
    assert problem.code == "bad_duration"
    assert right in problem.hint


@given(st.integers(1, 10**10))
def test_written_durations(milliseconds: int) -> None:
    """What is written is read as the same time."""
    seconds = milliseconds / 1000
    if milliseconds <= 3_600_000_000:
        assert parse_duration(format_duration(seconds)) == seconds


@given(st.text(max_size=50) | st.integers() | st.floats() | st.none())
def test_any_duration(found: object) -> None:
    """A suggestion is legal, whatever was found."""
    nearest = nearest_duration(found)
    assert not nearest or parse_duration(nearest)
    assert read_sequence({"name": "s", "groups": [{"timeout": found}]}).errors
