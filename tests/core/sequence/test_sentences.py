"""The static checks of sentences (page 2 §2.2, check 15)."""

from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.homeagent.sequence.document import read_sequence
from custom_components.homeagent.sequence.model import Sequence
from custom_components.homeagent.sequence.sentence_checks import (
    MOST_SENTENCES,
    check_sentences,
)
from custom_components.homeagent.sequence.sentence_syntax import (
    MOST_CHARACTERS,
    MOST_VARIANTS,
    SentenceSyntaxError,
    variants_of,
)


def sequence(**inputs: Any) -> Sequence:
    """Return a sequence with these inputs."""
    group = {"name": "g", "in": inputs, "tools": '{"tool":"wait"} ;'}
    read = read_sequence({"name": "s", "groups": [group]})
    assert read.sequence is not None
    return read.sequence


HOST = {"type": "string", "default": "nas"}
NEEDED = sequence(host="string")
OPTIONAL = sequence(host=HOST)
WIDE = {ord(each): chr(ord(each) + 0xFEE0) for each in "[](){}|"}


def codes(
    own: Sequence, sentences: object, **others: list[str]
) -> tuple[list[str], list[str]]:
    """Return the codes of errors and warnings."""
    report = check_sentences(own, sentences, others)
    assert all(each.path.startswith("sentences") for each in report.errors)
    return [each.code for each in report.errors], [
        each.code for each in report.warnings
    ]


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        (OPTIONAL, "run the check"),
        (OPTIONAL, "run the check [for {host}]"),
        (OPTIONAL, "(run|start) [the] check"),
        (NEEDED, "run the check for {host}"),
        (NEEDED, "(check|look at) {host}"),
        (NEEDED, "巡检{host}"),
        (NEEDED, "运行{host}的巡检[吧]"),
        (NEEDED, "(运行|开始){host}的巡检[吧]".translate(WIDE)),
        (sequence(主机="string"), "巡检{主机}"),
        (sequence(n="integer", b="boolean"), "set {n} and {b}"),
        (OPTIONAL, "wait 3.5 hours"),
        (OPTIONAL, "don't panic"),
    ],
)
def test_right_sentences(own: Sequence, sentence: str) -> None:
    """Optional parts, choices and slots, in any script."""
    assert codes(own, [sentence]) == ([], [])


@pytest.mark.parametrize(
    ("own", "sentence", "code"),
    [
        (OPTIONAL, "", "sentence_blank"),
        (OPTIONAL, " \t", "sentence_blank"),
        (OPTIONAL, 3, "sentence_no_text"),
        (OPTIONAL, None, "sentence_no_text"),
        (OPTIONAL, "x" * (MOST_CHARACTERS + 1), "sentence_long"),
        (OPTIONAL, "x " + "[a]" * 9, "sentence_wide"),
        (OPTIONAL, "go!", "sentence_punctuation"),
        (OPTIONAL, "go, now", "sentence_punctuation"),
        (OPTIONAL, "走。", "sentence_punctuation"),
        (OPTIONAL, "go (now", "sentence_syntax"),
        (OPTIONAL, "go now)", "sentence_syntax"),
        (OPTIONAL, "go []", "sentence_syntax"),
        (OPTIONAL, "go {}", "sentence_syntax"),
        (OPTIONAL, "(" * 140 + ")" * 140, "sentence_syntax"),
        (OPTIONAL, "go <there>", "sentence_form"),
        (OPTIONAL, "go (a;b)", "sentence_form"),
        (OPTIONAL, "go {host:x}", "sentence_form"),
        (OPTIONAL, "go {@host}", "sentence_form"),
        (OPTIONAL, "go {hots}", "sentence_unknown_slot"),
        (OPTIONAL, "[go]", "sentence_wordless"),
        (OPTIONAL, "{host}", "sentence_wordless"),
        (OPTIONAL, "[go to] {host}", "sentence_wordless"),
        (sequence(l={"type": "array", "default": []}), "go {l}", "sentence_slot_type"),
        (sequence(o={"type": "object", "default": {}}), "go {o}", "sentence_slot_type"),
        (OPTIONAL, "go {host} to {host}", "sentence_slot_twice"),
        (sequence(a=HOST, b=HOST), "go {a}{b}", "sentence_slots_touch"),
        (sequence(a=HOST, b=HOST), "go {a} {b}", "sentence_slots_touch"),
        (sequence(a=HOST, b=HOST), "go {a} [to] {b}", "sentence_slots_touch"),
        (NEEDED, "go", "sentence_missing_input"),
        (NEEDED, "go [to {host}]", "sentence_missing_input"),
        (NEEDED, "go (to {host}|home)", "sentence_missing_input"),
    ],
)
def test_wrong_sentences(own: Sequence, sentence: object, code: str) -> None:
    """Each is told once, at the sentence it stands in."""
    errors, _ = codes(own, [sentence])
    assert errors == [code]
    report = check_sentences(own, ["check {host}", sentence], {})
    assert code in [each.code for each in report.errors if "[1]" in each.path]


@pytest.mark.parametrize("sentences", ["go", None, 3, {"go": 1}, b"go"])
def test_no_list(sentences: object) -> None:
    """Whatever is no list of texts is one error."""
    assert codes(OPTIONAL, sentences) == (["sentence_no_text"], [])


def test_too_many() -> None:
    """The number is bounded."""
    many = [f"go {number}" for number in range(MOST_SENTENCES + 1)]
    assert codes(OPTIONAL, many) == (["sentences_many"], [])
    assert codes(OPTIONAL, many[1:]) == ([], [])


def test_most_variants() -> None:
    """As many ways as may be are taken."""
    assert len(variants_of("x " + "[a]" * 8)) <= MOST_VARIANTS
    with pytest.raises(SentenceSyntaxError):
        variants_of(" ".join(f"(a{n}|b{n})" for n in range(9)))


@pytest.mark.parametrize(
    ("sentence", "other", "found"),
    [
        ("good night", "good night", "equal"),
        ("good night", "Good  NIGHT ", "equal"),
        ("good night", "(good|bad) night", "equal"),
        ("good [night]", "good [morning]", "equal"),
        ("开始 巡检", "开始巡检", "equal"),
        ("巡检 [{host}]", "巡检{x}", "equal"),
        ("go to {host}", "go to {x}", "equal"),
        ("go to {host} now", "go to {x}", "overlap"),
        ("go to rest", "go to {x}", "overlap"),
        ("go {host} b", "{x} a {y} b", "overlap"),
        ("go to {host}", "stay at {x}", None),
        ("go to {host} now", "go to {x} then", None),
        ("good night", "good nights", None),
        ("a {host}", "a", None),
        ("go", "go (", None),
    ],
)
def test_beside_others(sentence: str, other: str, found: str | None) -> None:
    """Equal sentences are an error, overlapping ones a warning."""
    errors, warnings = codes(OPTIONAL, [sentence], other=[other])
    assert errors == (["sentence_equal"] if found == "equal" else [])
    assert warnings == (["sentence_overlap"] if found == "overlap" else [])


def test_repeated() -> None:
    """Twice the same in one sequence is only needless."""
    assert codes(OPTIONAL, ["go", "go [now]"]) == ([], ["sentence_repeated"])


def test_message() -> None:
    """It says what was found and what would be right."""
    (problem,) = check_sentences(OPTIONAL, ["go {hots}"], {}).errors
    assert problem.message == 'the sequence has no input "hots"; it has: host'
    assert problem.hint == "Did you mean {host}?"


@given(st.text("ab {}[]()|<>;\\:@.,!é中\0\ud800", max_size=40))
def test_total(text: str) -> None:
    """Whatever is entered, it is checked; nothing is raised."""
    check_sentences(OPTIONAL, [text], {"o": [text, "a [b] {c}"]})
