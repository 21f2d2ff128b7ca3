"""Output, kept within bounds and made harmless."""

from __future__ import annotations

from hypothesis import given, strategies as st
import pytest

from homeagent_waiter.output import Capped, readable


def capped(most: int, *pieces: bytes) -> Capped:
    """Return a stream that got these pieces."""
    stream = Capped(most)
    for piece in pieces:
        stream.add(piece)
    return stream


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([], ""),
        ([b"0123456789"], "0123456789"),
        ([b"01234", b"56789"], "0123456789"),
        ([b"0123456789a"], "01234\n[… 1 bytes left out …]\n6789a"),
        ([b"0", b"123456", b"789abcdef"], "01234\n[… 6 bytes left out …]\nbcdef"),
        (["ää错错错ää".encode()], "ää\n[… 7 bytes left out …]\nää"),
    ],
)
def test_head_and_tail_are_kept(pieces: list[bytes], text: str) -> None:
    """No character is cut in two."""
    assert capped(10, *pieces).text() == text


@given(pieces=st.lists(st.binary(max_size=40), max_size=20), most=st.integers(2, 64))
def test_any_bytes_are_kept_within_bounds(pieces: list[bytes], most: int) -> None:
    """However they come, head, tail and count are those of the whole."""
    whole = b"".join(pieces)
    stream = capped(most, *pieces)
    assert stream.total == len(whole)
    assert stream.truncated == (len(whole) > most)
    assert stream.text() == capped(most, whole).text()
    text = "".join(stream.text().split())
    assert text.isprintable()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\tb\r\nc\n", "a\tb\nc\n"),
        (b"a\rb", "a\\rb"),
        (b"\x1b[2J\x07", "\\x1b[2J\\x07"),
        (b"\xff\xfe", "\\xff\\xfe"),
        (b"\xc2\x85", "\\x85"),
        ("\u202eevil\u2066".encode(), "\\u202eevil\\u2066"),
        ("错误 ä".encode(), "错误 ä"),
    ],
)
def test_text_is_harmless(data: bytes, text: str) -> None:
    """Control, bidi and bad bytes are named."""
    assert readable(data) == text
