"""A history in which every call has exactly one answer, directly after it.

Pure; above `messages`. Servers refuse every later request where that is not so. A
damaged history comes from a turn that was broken off, or from other agents that spoke in
the same conversation.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..kernel.errors import Reason, ToolError
from ..kernel.ids import UniqueIds
from ..kernel.rendering import render_error
from .messages import Answered, Asked, Instructions, Made, Message, Said, Shown

_NEVER_ANSWERED = render_error(
    ToolError(
        reason=Reason.CANCELLED,
        detail="the conversation was broken off before this call answered",
        hint="Check the state before trying again: it may have had an effect.",
    )
)


def heal(messages: Iterable[Message]) -> list[Message]:
    """Return the messages with calls and answers paired, in the order of the calls.

    A missing answer is told as such; an answer to no call, and the second answer to one,
    are left out. Ids are made unique through the whole history. A message without any
    content is left out, and what one side says twice running is one message: some
    servers want the two to take turns.
    """
    healed: list[Message] = []
    used = UniqueIds()
    waiting = deque(messages)
    while waiting:
        message = waiting.popleft()
        match message:
            case Said(calls=calls) if calls:
                answers = _take_answers(waiting)
                healed += _paired(message, answers, used)
            case Answered():
                continue
            case _ if _is_empty(message):
                continue
            case _:
                _append(healed, message)
    return healed


def _take_answers(waiting: deque[Message]) -> list[Answered]:
    """Take the answers at the front; a picture may stand between them."""
    answers: list[Answered] = []
    shown: list[Message] = []
    while waiting and isinstance(waiting[0], Answered | Shown):
        first = waiting.popleft()
        if isinstance(first, Answered):
            answers.append(first)
        else:
            shown.append(first)
    waiting.extendleft(reversed(shown))
    return answers


def _paired(
    message: Said, answers: Sequence[Answered], used: UniqueIds
) -> list[Message]:
    fresh = used.take([call.id for call in message.calls])
    left: dict[str, deque[Answered]] = {}
    for each in answers:
        left.setdefault(each.call_id, deque()).append(each)
    calls: list[Made] = []
    paired: list[Message] = []
    for call, call_id in zip(message.calls, fresh, strict=True):
        calls.append(replace(call, id=call_id))
        found = left.get(call.id)
        if not found:
            answer = Answered(
                call_id=call_id,
                function=call.function,
                text=_NEVER_ANSWERED,
                failed=True,
            )
        else:
            answer = replace(found.popleft(), call_id=call_id)
        paired.append(answer)
    return [replace(message, calls=tuple(calls)), *paired]


def _is_empty(message: Message) -> bool:
    match message:
        case Said(text=text) | Instructions(text=text):
            return not text.strip()
        case Asked(text=text, pictures=pictures):
            return not text.strip() and not pictures
        case Shown(pictures=pictures):
            return not pictures
        case Answered():
            return False


def _append(healed: list[Message], message: Message) -> None:
    last = healed[-1] if healed else None
    if isinstance(message, Asked) and isinstance(last, Asked):
        healed[-1] = Asked(
            text="\n".join(filter(None, (last.text, message.text))),
            pictures=last.pictures + message.pictures,
        )
    elif isinstance(message, Said) and isinstance(last, Said) and not last.calls:
        healed[-1] = Said(text=f"{last.text}\n{message.text}")
    else:
        healed.append(message)
