"""The engine of the grammars: words are read as getopt reads them, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from homeagent_waiter.gate.grammar import (
    NONE,
    Operands,
    Options,
    Parsed,
    every,
    names,
    operand,
)
from homeagent_waiter.gate.plan import Code, Step
from homeagent_waiter.gate.refused import RefusedError
from homeagent_waiter.gate.values import LIST, READ, TEXT, Claim, Kind, choice, number


def _no_b(parsed: Parsed) -> None:
    if parsed.has("-b"):
        raise operand("-b", "no b")


OPTIONS = Options(
    flags="ab",
    valued={"n": number(1, 9), "t": TEXT},
    attached={"I": choice("x y")},
    long=names("all"),
    long_valued={"num": number(1, 9), "file": READ},
    long_optional={"color": choice("always")},
    number=number(1, 50),
    operands=Operands(most=3, value=LIST),
)
STRICT = replace(OPTIONS, permutes=False, number=None)
RULED = replace(OPTIONS, rule=_no_b, operands=Operands(least=1, most=1, value=TEXT))


@pytest.mark.parametrize(
    ("grammar", "words", "options", "operands"),
    [
        (OPTIONS, "", [], []),
        (OPTIONS, "-ab -a", [("-a", None), ("-b", None), ("-a", None)], []),
        (OPTIONS, "-n5 -n 5", [("-n", "5"), ("-n", "5")], []),
        (OPTIONS, "-an5 -bn 5", [("-a", None), ("-n", "5"), ("-b", None), ("-n", "5")],
         []),
        (OPTIONS, "-tab -t -a", [("-t", "ab"), ("-t", "-a")], []),
        (OPTIONS, "-I -Ix -aIy", [("-I", None), ("-I", "x"), ("-a", None), ("-I", "y")],
         []),
        (OPTIONS, "-I x", [("-I", None)], ["x"]),
        (OPTIONS, "--all f", [("--all", None)], ["f"]),
        (OPTIONS, "--num=5 --num 6", [("--num", "5"), ("--num", "6")], []),
        (OPTIONS, "--color --color=always", [("--color", None), ("--color", "always")],
         []),
        (OPTIONS, "--color always", [("--color", None)], ["always"]),
        (OPTIONS, "-50 -1", [("-N", "50"), ("-N", "1")], []),
        (OPTIONS, "f -a g", [("-a", None)], ["f", "g"]),
        (OPTIONS, "-a -- -b --all f", [("-a", None)], ["-b", "--all", "f"]),
        (OPTIONS, "- -a", [("-a", None)], ["-"]),
        (STRICT, "-a f -b --", [("-a", None)], ["f", "-b", "--"]),
        (STRICT, "-a -- f -b", [("-a", None)], ["f", "-b"]),
        (RULED, "-a f", [("-a", None)], ["f"]),
        (Options(), " ".join("x" * 1000), [], ["x"] * 1000),
    ],
)  # fmt: skip
def test_words_are_read(
    grammar: Options,
    words: str,
    options: list[tuple[str, str | None]],
    operands: list[str],
) -> None:
    """Bundles, values, numbers, operands, and the end of options."""
    parsed = grammar.parse(words.split())
    assert (parsed.options, parsed.operands) == (options, operands)


ALLOWED = (
    "allowed are, written in full: -I -a -b -n -t --all --color --file --num".split(" ")
)


@pytest.mark.parametrize(
    ("grammar", "words", "code", "token", "hint"),
    [
        (OPTIONS, "-c", "option", "-c", " ".join(ALLOWED)),
        (OPTIONS, "-ac", "option", "-ac", " ".join(ALLOWED)),
        (OPTIONS, "--al", "option", "--al", " ".join(ALLOWED)),
        (OPTIONS, "--all=1", "option", "--all=1", " ".join(ALLOWED)),
        (OPTIONS, "--all=", "option", "--all=", " ".join(ALLOWED)),
        (OPTIONS, "--nu=5", "option", "--nu=5", " ".join(ALLOWED)),
        (OPTIONS, "---all", "option", "---all", " ".join(ALLOWED)),
        (OPTIONS, "-n", "option", "-n", "a value after the option"),
        (OPTIONS, "--num", "option", "--num", "a value after the option"),
        (OPTIONS, "-nx", "option", "-nx", "allowed is a number from 1 to 9"),
        (OPTIONS, "-n 10", "count", "-n", "allowed is a number from 1 to 9"),
        (OPTIONS, "--num=", "option", "--num=", "allowed is a number from 1 to 9"),
        (OPTIONS, "--num=10", "count", "--num=10", "allowed is a number from 1 to 9"),
        (OPTIONS, "-Iz", "option", "-Iz", "allowed is one of x, y"),
        (OPTIONS, "-Iab", "option", "-Iab", "allowed is one of x, y"),
        (OPTIONS, "--color=", "option", "--color=", "allowed is one of always"),
        (OPTIONS, "--color=x", "option", "--color=x", "allowed is one of always"),
        (OPTIONS, "-51", "count", "-51", "allowed is a number from 1 to 50"),
        (OPTIONS, "-5a", "option", "-5a", " ".join(ALLOWED)),
        (OPTIONS, "-a5", "option", "-a5", " ".join(ALLOWED)),
        (STRICT, "-5", "option", "-5", " ".join(ALLOWED)),
        (OPTIONS, "f g h i", "operand", "i", "allowed is at most 3 operands"),
        (RULED, "", "operand", "", "at least 1: any text"),
        (RULED, "-b", "operand", "-b", "no b"),
        (Options(operands=NONE), "-a", "option", "-a", "allowed is no option"),
        (Options(operands=NONE), "f", "operand", "f", "allowed is no operand"),
    ],
)
def test_words_are_refused(
    grammar: Options, words: str, code: str, token: str, hint: str
) -> None:
    """By the word as it was written, with what would be right."""
    with pytest.raises(RefusedError) as refused:
        grammar.parse(words.split())
    refusal = refused.value.refusal
    assert (refusal.code, refusal.token, refusal.hint) == (code, token, hint)
    assert refusal.stage is (Step.VALUES if code == "count" else Step.GRAMMAR)


@pytest.mark.parametrize(
    ("words", "claims"),
    [
        ("f -a g", [(Kind.LIST, "f"), (Kind.LIST, "g")]),
        ("--file=f", [(Kind.READ, "f")]),
        ("--file f g", [(Kind.READ, "f"), (Kind.LIST, "g")]),
        ("- -t x -n 5 --num=5", []),
    ],
)
def test_what_words_name_is_claimed(
    words: str, claims: Sequence[tuple[Kind, str]]
) -> None:
    """Files of options and operands, to be judged later; a dash is no file."""
    wanted = [Claim(kind=kind, text=text) for kind, text in claims]
    assert OPTIONS.parse(words.split()).claims == wanted


def test_empty_words_are_operands() -> None:
    """They are judged like any other, here as no file."""
    with pytest.raises(RefusedError) as refused:
        OPTIONS.parse([""])
    assert refused.value.refusal.code is Code.OPERAND


def test_options_can_be_asked_for() -> None:
    """Under any of their names; the last value counts."""
    parsed = OPTIONS.parse("-n1 --num=2 -a -n3 --color".split())
    assert parsed.has("-x", "-a")
    assert not parsed.has("-x", "a", "-b")
    assert parsed.last("-n") == "3"
    assert parsed.last("--num", "-x") == "2"
    assert parsed.last("-n", "--num") == "3"
    assert parsed.last("-x") is None
    assert parsed.last("--color") is None


def test_tables_of_words() -> None:
    """Each word of a text, and each with one value."""
    assert names(" a b  a ") == {"a", "b"}
    assert every("a b", TEXT) == {"a": TEXT, "b": TEXT}
