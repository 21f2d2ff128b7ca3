"""What went wrong with a call, for the person who started it.

Above `wording`; pure. What the core says of itself is told in the person's words and
language, with what a person can do about it. What others say (Home Assistant, a host,
another integration) is quoted as it came: it is data.
"""

from collections.abc import Iterable, Iterator
from functools import reduce

from ..kernel.errors import ToolError
from ..kernel.phrases import Phrase
from .wording import Wording


def error_lines(
    error: ToolError, wording: Wording, *, reason_told: bool = False
) -> Iterator[str]:
    """Yield a line for an error, and for each further one of the same call.

    Where the reason is told already, what others say needs no sentence before it.
    """
    text = error_text(error, wording, reason_told=reason_told)
    if error.field is not None:
        place = wording.said.get(f"field_{error.field}", error.field)
        text = wording.filled("at_field", {"field": place, "text": text})
    yield text
    for other in error.also:
        yield from error_lines(other, wording, reason_told=reason_told)


def error_text(error: ToolError, wording: Wording, *, reason_told: bool = False) -> str:
    """Return what is wrong and what to do, without the place and further errors."""
    if reason_told and error.detail:
        sentences = [text_for_people(error.detail, wording)]
    else:
        sentences = [_told(error, wording)]
    if isinstance(error.detail, Phrase) and error.detail.named.get("near"):
        near = {"near": error.detail.named["near"]}
        sentences.append(wording.filled("did_you_mean", near))
    if error.still_running:
        sentences.append(wording.said["still_running"])
    return together(sentences, wording)


def together(sentences: Iterable[str], wording: Wording) -> str:
    """Return sentences one after the other, as the language writes them."""
    return reduce(
        lambda done, one: wording.filled(
            "sentences", {"first": done, "following": one}
        ),
        sentences,
    )


def text_for_people(text: str, wording: Wording) -> str:
    """Return a remark of a call: in the person's words, or quoted as it came."""
    if isinstance(text, Phrase) and text.code in wording.said:
        return wording.say(text)
    return wording.filled("remark", {"says": text})


def _told(error: ToolError, wording: Wording) -> str:
    detail = error.detail
    if isinstance(detail, Phrase) and detail.code in wording.said:
        return wording.say(detail)
    why = wording.said[f"reason_{error.reason.value}"]
    if not detail:
        return why
    return wording.filled("quoted", {"text": why, "says": detail})
