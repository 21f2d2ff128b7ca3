"""What the core says of a run has words for people, in every language."""

import ast
from collections.abc import Iterator
from pathlib import Path
import re
from string import Formatter

import pytest

from custom_components.homeagent.kernel import words as kernel_words
from custom_components.homeagent.kernel.errors import Reason
from custom_components.homeagent.kernel.phrases import Catalogue
from custom_components.homeagent.sequence import run_words

from .words import INTEGRATION, LANGUAGES

CATALOGUES = {
    "kernel": kernel_words.WORDS,
    "sequence": run_words.WORDS,
    "tools": next(
        ast.literal_eval(node.value)
        for node in ast.walk(
            ast.parse((INTEGRATION / "tools/said_words.py").read_text(encoding="utf-8"))
        )
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict)
    ),
}
FRAMES = {
    *("sentences", "at_field", "because", "after_attempts", "quoted", "remark"),
    *(f"field_{each}" for each in ("target", "when", "tool", "select")),
    *("field_command", "field_host"),
    *("did_you_mean", "still_running", "hint_unknown_tool"),
}
CODES = [code for words in CATALOGUES.values() for code in words]
FOR_MODELS = re.compile(
    r"\b(tool_search|find_entities|tool_call|seq_(?!call|when_call)\w+|host_info|host_list|as text)\b"
)
MADE_BEFORE_A_CALL = "kernel/arguments.py"
"""Tells models that what they sent cannot be read; no run of a person comes there."""


def test_codes_are_unique() -> None:
    """One code is one sentence, whichever part says it."""
    assert len(CODES) == len(set(CODES))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words(language: str) -> None:
    """Each sentence and each reason; and nothing is left from earlier."""
    said = LANGUAGES[language]["selector"]["said"]["options"]
    reasons = {f"reason_{reason.value}" for reason in Reason}
    assert set(said) == {*CODES, *reasons, *FRAMES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_name_what_is_given(language: str) -> None:
    """A text has places only for what its phrase names where it is made."""
    said = LANGUAGES[language]["selector"]["said"]["options"]
    given = dict(_given())
    for code in CODES:
        places = {name for _, name, _, _ in Formatter().parse(said[code]) if name}
        assert places <= given.get(code, set()), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_for_people(language: str) -> None:
    """No tool of models is named, and nothing that stands in JSON only."""
    said = LANGUAGES[language]["selector"]["said"]["options"]
    assert [text for text in said.values() if FOR_MODELS.search(text)] == []
    assert [text for text in said.values() if "unsafe_serial" in text] == []


def _given() -> Iterator[tuple[str, set[str]]]:
    """Yield what phrases name: literal `say("code", …)`, and what is added to it."""
    found: dict[str, set[str]] = {}
    added = {"expected", "near"}
    for path in _modules("kernel", "sequence", "tools", "access"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) == "say":
                named = {each.arg for each in node.keywords if each.arg}
                for code in _codes(node.args[0]):
                    found.setdefault(code, set()).update(named)
    for words in CATALOGUES.values():
        for code, text in words.items():
            english = {name for _, name, _, _ in Formatter().parse(text) if name}
            yield code, found.get(code, set()) | english | added


def _codes(node: ast.expr) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _modules(*parts: str) -> Iterator[Path]:
    for part in parts:
        yield from sorted((INTEGRATION / part).glob("*.py"))


def _name(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _unsaid() -> Iterator[str]:
    """Yield where an error of the core is given words that nobody can translate."""
    for path in _modules("kernel", "sequence"):
        place = str(path.relative_to(INTEGRATION))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or _name(node.func) != "ToolError":
                continue
            for word in node.keywords:
                if word.arg == "detail" and isinstance(
                    word.value, ast.Constant | ast.JoinedStr | ast.BinOp
                ):
                    yield f"{place}:{node.lineno}"


def test_errors_of_the_core_are_phrases() -> None:
    """A new error with words of its own, past the catalogue, is found here."""
    assert [place for place in _unsaid() if MADE_BEFORE_A_CALL not in place] == []


TELLERS = {"error", "warning", "fault", "unexpected", "wrong", "wrong_type", "flaw"}


def _fragments() -> Iterator[tuple[str, str]]:
    """Yield the literal words that a problem of a sequence's text is given."""
    for path in _modules("sequence"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            if getattr(node.func, "attr", getattr(node.func, "id", "")) in TELLERS:
                for given in [*node.args, *(each.value for each in node.keywords)]:
                    if isinstance(given, ast.Constant) and " " in str(given.value):
                        yield str(given.value), f"{path.name}:{node.lineno}"


def test_words_in_problems_can_be_translated() -> None:
    """What the static check puts into its texts is a phrase, or known by its text."""
    known = set(LANGUAGES["en"]["selector"]["core_words"]["options"].values())
    found = list(_fragments())
    assert len(found) > 5
    assert [place for text, place in found if text not in known] == []


def test_catalogue_makes_phrases() -> None:
    """A phrase is its text, and knows its code and what it names."""
    say = Catalogue({"one": "{a} and {b}"})
    phrase = say("one", a="x", b="y", more="z")
    assert phrase == "x and y"
    assert (phrase.code, phrase.named["more"]) == ("one", "z")
    assert phrase.naming(a="w").named == {"a": "w", "b": "y", "more": "z"}
    with pytest.raises(KeyError):
        say("two")
    with pytest.raises(KeyError):
        say("one", a="x")
