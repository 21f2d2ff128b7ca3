"""Sentences that know which they are: plain text wherever text is wanted."""

import copy
from dataclasses import replace
import json

from custom_components.homeagent.kernel.errors import Reason, ToolError, with_candidates
from custom_components.homeagent.kernel.json_values import to_json_value, well_formed
from custom_components.homeagent.kernel.phrases import Phrase
from custom_components.homeagent.kernel.words import say

PHRASE = say("unconfirmed", tool="lock.open")
ERROR = ToolError(reason=Reason.VALUE, detail=PHRASE, hint=PHRASE)


def test_phrase_is_its_text() -> None:
    """Equal to it, one with it as a key, and written as it."""
    text = "lock.open runs only after a person agreed"
    assert text == PHRASE
    assert {text: 1}[PHRASE] == 1
    assert json.dumps(PHRASE) == json.dumps(text)


def test_what_leaves_is_plain() -> None:
    """Neither JSON nor the wire form of an error carries a phrase on."""
    wire = ERROR.as_dict()
    left = [to_json_value(PHRASE), well_formed(PHRASE), wire["detail"], wire["hint"]]
    assert [type(each) for each in left] == [str] * 4
    assert left == [PHRASE] * 4


def test_copies_know_which_they_are() -> None:
    """Also those that are made by `replace` and by `deepcopy`."""
    for error in (replace(ERROR, field="x"), copy.deepcopy(ERROR)):
        assert isinstance(error.detail, Phrase)
        assert (error.detail.code, error.detail.named["tool"]) == (
            "unconfirmed",
            "lock.open",
        )


def test_candidates_are_named() -> None:
    """What may be meant stands in the text, and beside it for other languages."""
    told = with_candidates(replace(ERROR, candidates=("a", "b")), ("a", "b")).detail
    assert isinstance(told, Phrase)
    assert told == f"{PHRASE}: a, b"
    assert (told.code, told.named["near"]) == ("unconfirmed", "a, b")
    plain = with_candidates(ToolError(reason=Reason.VALUE, detail="x"), ("a",))
    assert (plain.detail, type(plain.detail)) == ("x: a", str)
