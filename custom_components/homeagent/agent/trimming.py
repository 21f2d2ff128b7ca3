"""Fitting a conversation into what a model can read.

Pure; above `messages`. Old turns go first and go whole, so that no call loses its
answer; the turn under way always stays. Tokens are estimated: the tokenizer is the
server's own.
"""

from collections.abc import Sequence
from dataclasses import replace

from ..kernel.json_text import encode_json
from ..kernel.rendering import cut
from .messages import Answered, Asked, Instructions, Message, Said, Shown

LEFT_OUT = "Earlier turns of this conversation are left out here."

FOR_THE_REPLY = 0.15
"""The part of the context that is kept free for the reply."""

_PICTURE = 1000
_OVERHEAD = 4
_SHORTEST_ANSWER = 512


def tokens(text: str) -> int:
    """Estimate a text's tokens: four letters each, one for each other character."""
    plain = len(text.encode("ascii", errors="ignore"))
    return -(-plain // 4) + len(text) - plain


def message_tokens(message: Message) -> int:
    """Estimate the tokens of a message."""
    match message:
        case Said():
            called = sum(
                tokens(call.function) + tokens(call.arguments) + _OVERHEAD
                for call in message.calls
            )
            return _OVERHEAD + tokens(message.text) + tokens(message.thought) + called
        case Asked():
            pictures = _PICTURE * len(message.pictures)
            return _OVERHEAD + tokens(message.text) + pictures
        case Shown():
            return _OVERHEAD + _PICTURE * len(message.pictures)
        case Instructions() | Answered():
            return _OVERHEAD + tokens(message.text)


def fit(
    messages: Sequence[Message], tools: Sequence[object], context: int
) -> list[Message]:
    """Return the messages that fit a context of so many tokens beside the tools.

    If even the turn under way is too long, the answers in it are cut with a marker, the
    longest first.
    """
    room = int(context * (1 - FOR_THE_REPLY)) - tokens(encode_json(list(tools)))
    first = [each for each in messages[:1] if isinstance(each, Instructions)]
    turns = _turns(messages[len(first) :])
    dropped = 0
    while _total([*first, *_flat(turns)]) > room and len(turns) > 1:
        turns.pop(0)
        dropped += 1
    if dropped and first:
        first = [replace(first[0], text=f"{first[0].text}\n{LEFT_OUT}")]
    return _shorten([*first, *_flat(turns)], room)


def _turns(messages: Sequence[Message]) -> list[list[Message]]:
    turns: list[list[Message]] = []
    for message in messages:
        if isinstance(message, Asked) or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def _flat(turns: Sequence[Sequence[Message]]) -> list[Message]:
    return [message for turn in turns for message in turn]


def _total(messages: Sequence[Message]) -> int:
    return sum(map(message_tokens, messages))


def _shorten(messages: list[Message], room: int) -> list[Message]:
    """Cut answers of tools, halving the longest, until all fits or none is long."""
    whole = {
        index: message.text
        for index, message in enumerate(messages)
        if isinstance(message, Answered)
    }
    lengths = {index: len(text.encode()) for index, text in whole.items()}
    while _total(messages) > room:
        index = max(lengths, key=lengths.__getitem__, default=-1)
        if index < 0 or lengths[index] <= _SHORTEST_ANSWER:
            break
        lengths[index] = max(lengths[index] // 2, _SHORTEST_ANSWER)
        answer = messages[index]
        assert isinstance(answer, Answered)
        messages[index] = replace(answer, text=cut(whole[index], lengths[index]))
    return messages
