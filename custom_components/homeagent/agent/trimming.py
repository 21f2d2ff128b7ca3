"""Fitting a conversation into what a model can read.

Pure; above `messages`. Old turns go first and go whole, so that no call loses its
answer; the turn under way always stays. Tokens are estimated: the tokenizer is the
server's own.
"""

from collections.abc import Sequence
from dataclasses import replace
from heapq import heapify, heapreplace

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
    sizes = [sum(map(message_tokens, turn)) for turn in turns]
    total = sum(map(message_tokens, first)) + sum(sizes)
    dropped = 0
    while total > room and dropped < len(turns) - 1:
        total -= sizes[dropped]
        dropped += 1
    if dropped and first:
        first = [replace(first[0], text=f"{first[0].text}\n{LEFT_OUT}")]
    return _shorten([*first, *_flat(turns[dropped:])], room)


def size_of(messages: Sequence[Message], tools: Sequence[object]) -> int:
    """Estimate the tokens of a whole request."""
    return sum(map(message_tokens, messages)) + tokens(encode_json(list(tools)))


def _turns(messages: Sequence[Message]) -> list[list[Message]]:
    turns: list[list[Message]] = []
    for message in messages:
        if isinstance(message, Asked) or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def _flat(turns: Sequence[Sequence[Message]]) -> list[Message]:
    return [message for turn in turns for message in turn]


def _shorten(messages: list[Message], room: int) -> list[Message]:
    """Cut answers of tools, halving the longest, until all fits or none is long."""
    total = sum(map(message_tokens, messages))
    if total <= room:
        return messages
    whole = {
        index: message
        for index, message in enumerate(messages)
        if isinstance(message, Answered)
    }
    longest = [(-len(each.text.encode()), index) for index, each in whole.items()]
    heapify(longest)
    while total > room and longest and -longest[0][0] > _SHORTEST_ANSWER:
        length, index = longest[0]
        half = max(-length // 2, _SHORTEST_ANSWER)
        heapreplace(longest, (-half, index))
        shorter = replace(whole[index], text=cut(whole[index].text, half))
        total += message_tokens(shorter) - message_tokens(messages[index])
        messages[index] = shorter
    return messages
