"""The lexer: what is a word, what is quoted, what is refused."""

from __future__ import annotations

import pytest

from homeagent_waiter.gate.lexer import MOST_BYTES, lex
from homeagent_waiter.gate.refused import RefusedError


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a b", ["a", "b"]),
        ("  a   b  ", ["a", "b"]),
        (r"a\ b", ["a b"]),
        (r"a\\b", ["a\\b"]),
        (r"\;", [";"]),
        ("'a b'c", ["a bc"]),
        ("''", [""]),
        (r"'a\b'", ["a\\b"]),
        (r'"a\b"', ["a\\b"]),
        (r'"a\\b"', ["a\\b"]),
        (r'"a\"b"', ['a"b']),
        ('"it\'s"', ["it's"]),
        ("'|' \"&;<>(){}!#\"", ["|", "&;<>(){}!#"]),
        ("a=b", ["a=b"]),
        ("a~b", ["a~b"]),
        ("2 1", ["2", "1"]),
        (r'X \X aX\b "X"', ["X", "X", "aXb", "X"]),
        ("ä 错 😀", ["ä", "错", "😀"]),
    ],
)
def test_words(line: str, words: list[str]) -> None:
    """Words are what a shell would make of them."""
    assert [word.text for word in lex("x " + line)[0].words] == ["x", *words]


@pytest.mark.parametrize("special", list("$`;&<>(){}!#"))
def test_special_character_passes_only_quoted(special: str) -> None:
    """Each stands in single quotes or behind a backslash, and never plain."""
    assert lex(f"x '{special}'")[0].words[1].text == special
    if special not in "$`":
        assert lex(f"x \\{special}")[0].words[1].text == special
    for line in (f"x {special}", f"x a{special}b", f"x 'a'{special}", f"{special}x"):
        with pytest.raises(RefusedError):
            lex(line)


@pytest.mark.parametrize("char", ["\n", "\r", "\t", "\0", "\x1b", "\x7f", "\x85", "\u200b",
                                  "\u202e", "\u2066", "\ufeff", "\u00ad", "\u2028", "\u00a0",
                                  "\u3000", "\ud800", "\U000e0001"])  # fmt: skip
@pytest.mark.parametrize("form", ["x {}y", "x '{}'", 'x "{}"', "x \\{}", "{}x", "x{}"])
def test_invisible_character_is_refused(form: str, char: str) -> None:
    """Also in quotes: nobody could see what was approved."""
    with pytest.raises(RefusedError) as refused:
        lex(form.format(char))
    assert refused.value.refusal.code == "line"
    assert refused.value.refusal.token.isprintable()


def test_line_has_a_longest() -> None:
    """The bound counts bytes, not characters."""
    assert lex("x" * MOST_BYTES)
    for line in ("x" * (MOST_BYTES + 1), "错" * (MOST_BYTES // 3 + 1)):
        with pytest.raises(RefusedError) as refused:
            lex(line)
        assert refused.value.refusal.hint == "at most 4096 bytes"


def test_line_of_one_letter() -> None:
    """Whatever it is; only blanks are nothing."""
    for letter in "Xx":
        assert lex(letter)[0].words[0].text == letter
    with pytest.raises(RefusedError):
        lex("  ")


def test_pipeline_has_at_most_eight() -> None:
    """Eight commands pass, nine do not."""
    assert len(lex("|".join("x" * 8))) == 8
    with pytest.raises(RefusedError):
        lex("|".join("x" * 9))


@pytest.mark.parametrize(
    ("line", "glob"),
    [
        ("x *", "*"),
        ("x a*", r"\a*"),
        ("x 'a'*", r"\a*"),
        ("x '*'", None),
        (r"x \*", None),
        ('x "?"[a]', r"\?[\a]"),
        ("x X*", r"\X*"),
        ("x a", None),
    ],
)
def test_only_plain_stars_are_patterns(line: str, glob: str | None) -> None:
    """A quoted star is a star."""
    assert lex(line)[0].words[1].glob == glob


@pytest.mark.parametrize(
    "word",
    [
        "==",
        "==x",
        "[",
        "]",
        "a[",
        "a]b",
        "[a]]",
        "[[a]",
        "[]",
        "'a'[",
        "\\$",
        "\\`",
        "\\ a",
        "''\\a",
        '"b"\\a',
        "a'b'\\c",
        "[a]\\b",
        "=~",
    ],
)
def test_doubtful_word_is_refused(word: str) -> None:
    """What parsers read in different ways must be quoted."""
    with pytest.raises(RefusedError):
        lex(f"x {word}")
    plain = word.replace("'", "")
    assert lex(f"x '{plain}'")


@pytest.mark.parametrize(
    "word", ["a==b", "=", "[a]", "[a-c]x[d]", "\\[", "'['", "a\\ b"]
)
def test_word_beside_it_passes(word: str) -> None:
    """Only the doubtful is refused."""
    assert lex(f"x {word}")
