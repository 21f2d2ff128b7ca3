"""How a turn ends where the model does not say it: nothing said, too much done, trouble.

Pure; above `words` and `describing`.
"""

from collections.abc import Sequence

from ..kernel.arguments import CUT_OFF
from ..kernel.contract import ToolCall, ToolResult
from .describing import Names, sum_up
from .troubles import Kind, ServerTrouble
from .words import listed, say

_TELLS_SECONDS = frozenset({Kind.TIMEOUT, Kind.TOO_SLOW})

_OURS = frozenset({Kind.UNREACHABLE, Kind.BROKEN_OFF})
"""Troubles before a server said anything; their detail is for the log."""

_FILTERED = "content_filter"


def trouble_words(trouble: ServerTrouble, language: str) -> str:
    """Return what a person hears of a trouble with the model server."""
    words = say(trouble.kind.value, language, detail=trouble.detail)
    if trouble.kind in _TELLS_SECONDS | _OURS or not trouble.detail:
        return words
    return f"{words} {say('it_says', language, detail=trouble.detail)}"


def closing_words(
    done: Sequence[tuple[ToolCall, ToolResult]],
    names: Names,
    language: str,
    finish_reason: str | None,
) -> str:
    """Return what is said in the place of an empty answer: what was done."""
    if told := done_words(done, names, language):
        return told
    if finish_reason in CUT_OFF:
        return say("cut_off", language)
    return say("filtered" if finish_reason == _FILTERED else "no_answer", language)


def stopped_words(
    rounds: int,
    done: Sequence[tuple[ToolCall, ToolResult]],
    names: Names,
    language: str,
) -> str:
    """Return the explanation after too many rounds."""
    words = say("too_many_rounds", language, rounds=rounds)
    told = done_words(done, names, language)
    return f"{words} {told}" if told else words


def done_words(
    done: Sequence[tuple[ToolCall, ToolResult]], names: Names, language: str
) -> str:
    """Return what was done and what did not work, "" for nothing."""
    told = sum_up(done, names, language)
    sentences = (
        ("done", told.succeeded),
        ("done_noted", told.noted),
        ("not_done", told.failed),
    )
    return " ".join(
        say(key, language, what=listed(what, language))
        for key, what in sentences
        if what
    )
