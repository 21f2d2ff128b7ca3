"""Asking a person before a call, in the conversation (page 1 §1.6).

Above `yes_no` and the kernel's requests. A question is asked in our own words, of the
calls as they were checked. Only the very next words in the same conversation answer it,
and only a plain yes or no; no model sees or says anything that releases a call.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..kernel.answering import Answer
from ..kernel.contract import Caller, ToolResult
from ..kernel.errors import Reason
from ..kernel.requests import Request, same_speaker
from .describing import Names, describe
from .ports import Heard, Pending
from .words import listed, say
from .yes_no import yes_or_no

MOST_CONVERSATIONS = 64
"""Conversations whose last question is remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """What a person's words did: `yes` and the calls that were answered so.

    `answers` is empty where nothing waits any more.
    """

    yes: bool
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What was asked, and the requests that a yes releases."""

    text: str
    ids: frozenset[str]


@dataclass(slots=True, kw_only=True)
class Questions:
    """The questions of one agent, by conversation."""

    pending: Pending
    heard: Heard
    _asked: OrderedDict[str, _Question] = field(default_factory=OrderedDict)
    _known: OrderedDict[str, frozenset[str]] = field(default_factory=OrderedDict)

    async def hear(
        self, conversation_id: str, text: str, caller: Caller, last_said: str
    ) -> Reaction | None:
        """Take a person's words; None where they answer nothing.

        Whatever they are, the question is over: later words do not answer it. Nor do
        words after anything else was said in the conversation (`last_said`), such as by
        Home Assistant itself, which answers some sentences before an agent sees them.
        """
        asked = self._asked.pop(conversation_id, None)
        if asked is None or asked.text != last_said:
            return None
        yes = yes_or_no(text)
        if yes is None:
            return None
        waiting = [one.id for one in self.pending() if one.id in asked.ids]
        answers = [await self.heard(one, yes=yes, by=caller) for one in waiting]
        return Reaction(
            yes=yes, answers=tuple(one for one in answers if isinstance(one, Answer))
        )

    def raised(
        self, conversation_id: str, caller: Caller, results: Sequence[ToolResult]
    ) -> list[Request]:
        """Return the requests that the results of this turn wait for, oldest first."""
        if not any(_unconfirmed(result) for result in results):
            return []
        known = self._known.get(conversation_id, frozenset())
        return [
            request
            for request in self.pending()
            if same_speaker(request.caller, caller)
            and (request.caller.context is caller.context or request.id in known)
        ]

    def ask(
        self,
        conversation_id: str,
        requests: Sequence[Request],
        names: Names,
        language: str,
    ) -> str:
        """Return the question, and remember what a yes means."""
        what = [describe(request.call, names) for request in requests]
        key = "ask_one" if len(what) == 1 else "ask_many"
        text = say(key, language, what=listed(what, language))
        ids = frozenset(request.id for request in requests)
        _remember(self._asked, conversation_id, _Question(text=text, ids=ids))
        known = self._known.get(conversation_id, frozenset())
        still = {one.id for one in self.pending()}
        _remember(self._known, conversation_id, ids | (known & still))
        return text


def _unconfirmed(result: ToolResult) -> bool:
    return result.error is not None and result.error.reason is Reason.UNCONFIRMED


def _remember[T](memory: OrderedDict[str, T], key: str, value: T) -> None:
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > MOST_CONVERSATIONS:
        memory.popitem(last=False)
