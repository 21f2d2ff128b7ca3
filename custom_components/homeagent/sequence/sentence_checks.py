"""The static checks of sentences (page 2 §2.2, check 15).

Pure; above the sentences' syntax and the signature of a sequence. Used by the editor
before it stores sentences.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence as Many
from itertools import pairwise

from .checks import Report
from .fields import nearest_name
from .findings import Findings
from .model import Parameter, Sequence, SlotType
from .problems import Path, list_names, show
from .sentence_overlap import can_be_same, same_words
from .sentence_syntax import (
    MOST_CHARACTERS,
    MOST_VARIANTS,
    SentenceSyntaxError,
    Slot,
    Variant,
    all_variants_of,
)
from .signature import run_inputs

MOST_SENTENCES = 20
"""Sentences of one sequence."""

_UNSPOKEN = frozenset({SlotType.ARRAY, SlotType.OBJECT})


def check_sentences(
    sequence: Sequence, sentences: object, others: Mapping[str, Iterable[str]]
) -> Report:
    """Check the sentences of a sequence beside those of all others.

    `sentences` is what was entered, a list of texts if it is right; `others` are the
    sentences of the other sequences by their names. The problems stand at
    `sentences[0]`; only errors keep sentences from being saved.
    """
    findings = Findings()
    read = _read(sentences, findings)
    inputs = run_inputs(sequence)
    for index, variants in read.items():
        place: Path = ("sentences", index)
        _check_slots(variants, inputs, place, findings)
        _check_missing(variants, inputs, place, findings)
    _check_repeated(read, findings)
    _check_others(read, others, findings)
    return Report(
        errors=findings.errors.in_order(), warnings=findings.warnings.in_order()
    )


def _read(sentences: object, findings: Findings) -> dict[int, tuple[Variant, ...]]:
    """Return the ways to say each sentence that can be read."""
    if not isinstance(sentences, Many) or isinstance(sentences, str | bytes):
        findings.error("sentence_no_text", ("sentences",), found=show(sentences))
        return {}
    if len(sentences) > MOST_SENTENCES:
        found, most = str(len(sentences)), str(MOST_SENTENCES)
        findings.error("sentences_many", ("sentences",), found=found, most=most)
        return {}
    read = {}
    for index, sentence in enumerate(sentences):
        variants = _variants(sentence, ("sentences", index), findings)
        if variants is not None:
            read[index] = variants
    return read


def _variants(
    sentence: object, place: Path, findings: Findings
) -> tuple[Variant, ...] | None:
    if not isinstance(sentence, str):
        findings.error("sentence_no_text", place, found=show(sentence))
        return None
    if not sentence.strip():
        findings.error("sentence_blank", place)
        return None
    try:
        return all_variants_of(sentence)
    except SentenceSyntaxError as error:
        found, most = error.found or show(sentence), str(MOST_VARIANTS)
        if error.code == "sentence_long":
            found, most = str(len(sentence)), str(MOST_CHARACTERS)
        findings.error(error.code, place, found=found, most=most)
        return None


def _check_slots(
    variants: Iterable[Variant],
    inputs: Mapping[str, Parameter],
    place: Path,
    findings: Findings,
) -> None:
    """Tell what is wrong with slots, each once, however many ways have it."""
    problems: dict[tuple[str, str], dict[str, str]] = {}
    for variant in variants:
        for code, key, placeholders in _slot_problems(variant, inputs):
            problems.setdefault((code, key), placeholders)
    for (code, _), placeholders in problems.items():
        findings.error(code, place, None, **placeholders)


type _SlotProblem = tuple[str, str, dict[str, str]]


def _slot_problems(
    variant: Variant, inputs: Mapping[str, Parameter]
) -> Iterator[_SlotProblem]:
    slots = [piece.name for piece in variant if isinstance(piece, Slot)]
    for name in slots:
        yield from _slot_problem(name, inputs)
        if slots.count(name) > 1:
            found = show(said(variant))
            yield "sentence_slot_twice", name, {"key": name, "found": found}
    spoken = [piece for piece in variant if isinstance(piece, Slot) or piece.strip()]
    for one, other in pairwise(spoken):
        if isinstance(one, Slot) and isinstance(other, Slot):
            names = {"key": one.name, "other": other.name}
            yield "sentence_slots_touch", one.name, names
    if len(slots) == len(spoken):
        yield "sentence_wordless", "", {"found": show(said(variant))}


def _slot_problem(name: str, inputs: Mapping[str, Parameter]) -> Iterator[_SlotProblem]:
    if name not in inputs:
        near = nearest_name(name, inputs)
        legal = list_names(inputs)
        told = {"found": show(name), "legal": legal, "nearest": near}
        yield "sentence_unknown_slot", name, told
    elif (kind := inputs[name].type) in _UNSPOKEN:
        yield "sentence_slot_type", name, {"key": name, "type": kind.value}


def _check_missing(
    variants: Iterable[Variant],
    inputs: Mapping[str, Parameter],
    place: Path,
    findings: Findings,
) -> None:
    """Whatever way a sentence is said, the run must get what it needs."""
    for key, parameter in inputs.items():
        without = next((one for one in variants if Slot(key) not in one), None)
        if parameter.required and without is not None:
            found = show(said(without))
            findings.error("sentence_missing_input", place, key=key, found=found)


def _check_repeated(
    read: Mapping[int, tuple[Variant, ...]], findings: Findings
) -> None:
    before: list[Variant] = []
    for index, variants in read.items():
        for variant in variants:
            if any(same_words(variant, other) for other in before):
                place: Path = ("sentences", index)
                found = show(said(variant))
                findings.warning("sentence_repeated", place, found=found)
                break
        before += variants


def _check_others(
    read: Mapping[int, tuple[Variant, ...]],
    others: Mapping[str, Iterable[str]],
    findings: Findings,
) -> None:
    for name, sentences in others.items():
        for sentence in sentences:
            try:
                foreign = all_variants_of(sentence)
            except SentenceSyntaxError:
                continue  # It is told where that sequence is edited.
            for index, variants in read.items():
                place: Path = ("sentences", index)
                _check_pair(variants, foreign, name, sentence, place, findings)


def _check_pair(
    own: Iterable[Variant],
    foreign: tuple[Variant, ...],
    name: str,
    sentence: str,
    place: Path,
    findings: Findings,
) -> None:
    overlaps = False
    for variant in own:
        for other in foreign:
            if same_words(variant, other):
                found = show(said(variant))
                findings.error("sentence_equal", place, name=show(name), found=found)
                return
            overlaps = overlaps or can_be_same(variant, other)
    if overlaps:
        other_text = show(sentence)
        findings.warning("sentence_overlap", place, name=show(name), other=other_text)


def said(variant: Variant) -> str:
    """Return a way to say a sentence as a text, with its slots in braces."""
    return "".join(
        f"{{{piece.name}}}" if isinstance(piece, Slot) else piece for piece in variant
    )
