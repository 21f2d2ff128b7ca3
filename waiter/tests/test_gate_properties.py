"""The gate is total, and a quoted text comes through as it is."""

from __future__ import annotations

import shlex

from conftest import EVERYTHING, accepted_lines, refused_lines
from hypothesis import given, settings, strategies as st

from homeagent_waiter.gate import Plan, Refusal, decide
from homeagent_waiter.gate.grammars import GRAMMARS
from homeagent_waiter.gate.lexer import lex
from homeagent_waiter.gate.plan import Code, Step

PRINTABLE = st.characters(codec="utf-8").filter(str.isprintable)
KNOWN = sorted(
    {word for line in [*accepted_lines(), *refused_lines()] for word in line.split(" ")}
)
PIECES = st.one_of(
    st.sampled_from(sorted(GRAMMARS)),
    st.sampled_from(KNOWN),
    st.sampled_from(
        ["|", " ", "'", '"', "\\", "2>&1", "2>/dev/null", "--", "-", "*", "[", "]"]
    ),
    st.text(PRINTABLE, max_size=5),
)


def well_formed(decision: Plan | Refusal) -> bool:
    """Return whether a decision is complete and can be shown."""
    if isinstance(decision, Plan):
        return bool(decision.stages) and all(
            stage.argv[0] in GRAMMARS and "\0" not in "".join(stage.argv)
            for stage in decision.stages
        )
    return (
        isinstance(decision.stage, Step)
        and isinstance(decision.code, Code)
        and decision.token.isprintable()
        and bool(decision.hint)
    )


@settings(deadline=None)
@given(line=st.text())
def test_any_text_is_decided(line: str) -> None:
    """Whatever comes, there is a plan or a refusal."""
    assert well_formed(decide(line, EVERYTHING))


@settings(deadline=None, max_examples=400)
@given(pieces=st.lists(PIECES, max_size=12), glue=st.sampled_from(["", " "]))
def test_any_mix_of_words_is_decided(pieces: list[str], glue: str) -> None:
    """Also of words that mean something."""
    assert well_formed(decide(glue.join(pieces), EVERYTHING))


@settings(deadline=None, max_examples=400)
@given(
    command=st.sampled_from(sorted(GRAMMARS)),
    words=st.lists(
        st.one_of(st.sampled_from(KNOWN), st.text(PRINTABLE, max_size=8)), max_size=6
    ),
)
def test_any_words_of_a_command_are_decided(command: str, words: list[str]) -> None:
    """Every grammar takes any words, quoted so that they reach it."""
    line = " ".join([command, *map(shlex.quote, words)])
    assert well_formed(decide(line, EVERYTHING))


def _is_plain(word: str) -> bool:
    """Leave out what `shlex` does not quote and the lexer wants quoted."""
    return not word.startswith("==")


@given(
    words=st.lists(
        st.text(PRINTABLE.filter("\\".__ne__)).filter(_is_plain),
        min_size=1,
        max_size=8,
    )
)
def test_quoted_words_come_through(words: list[str]) -> None:
    """What Python quotes for a shell, the lexer takes apart again."""
    line = "x " + " ".join(map(shlex.quote, words))
    if len(line.encode()) <= 4096:
        (command,) = lex(line)
        assert [word.text for word in command.words[1:]] == words
        assert all(word.glob is None for word in command.words[1:])


@given(text=st.text(PRINTABLE, max_size=30))
def test_doubly_quoted_text_comes_through(text: str) -> None:
    """In double quotes, with a backslash before quotes and backslashes."""
    plain = text.replace("$", "").replace("`", "")
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    (command,) = lex(f'x "{escaped}"')
    assert command.words[1].text == plain
