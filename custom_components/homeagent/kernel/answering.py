"""A person's answer to a request (page 1 §1.6).

Above the batch: what a person agreed to goes through all gates once more, and only its
own `ask` is released. Nothing here can be reached by a tool call that a model makes:
answers count from a person who acts directly, or from our own code that heard the
person's next words in the same conversation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .batch import Batch
from .contract import Caller, Entrance, ToolCall, ToolResult
from .errors import Reason, ToolError
from .requests import Request, RequestEnd, Requests, same_speaker
from .words import say

type OpenBatch = Callable[[Caller, Sequence[ToolCall]], Batch]
type MayAnswer = Callable[[Caller, Request], bool]
"""Whether a person who acts directly may answer this request (page 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of an answer: the call's result after a yes."""

    end: RequestEnd
    request: Request
    result: ToolResult | None = None


class Answering:
    """Takes answers, and runs what was agreed to."""

    def __init__(
        self, *, requests: Requests, open_batch: OpenBatch, may_answer: MayAnswer
    ) -> None:
        """Take the requests and the way to the door.

        `open_batch` opens a batch whose answers are masked as for the request's caller.
        """
        self._requests = requests
        self._open_batch = open_batch
        self._may_answer = may_answer

    def answerable(self, by: Caller) -> tuple[Request, ...]:
        """Return the requests that a person may answer, oldest first."""
        return tuple(
            request
            for request in self._requests.pending()
            if self._is_person(by) and self._may_answer(by, request)
        )

    async def answer(
        self, request_id: str, *, yes: bool, by: Caller
    ) -> Answer | ToolError:
        """Take the answer of a person who acts directly.

        What is not there, not there any more and not theirs to answer looks alike.
        """
        if not self._is_person(by):
            return _only_a_person()
        request = self._requests.find(request_id)
        if request is None or not self._may_answer(by, request):
            return _no_request()
        return await self._end(request, yes=yes, by=by)

    async def heard(
        self, request_id: str, *, yes: bool, by: Caller
    ) -> Answer | ToolError:
        """Take the person's next words in the conversation that the request came from.

        For the code that reads those words, which is never the model.
        """
        request = self._requests.find(request_id)
        spoken = by.entrance is Entrance.CONVERSATION and by.run is None
        if request is None or not spoken or not same_speaker(by, request.caller):
            return _no_request()
        return await self._end(request, yes=yes, by=by)

    def _is_person(self, by: Caller) -> bool:
        """Whether somebody acts directly, and no run or script in their name."""
        return (
            by.entrance is Entrance.DIRECT
            and by.user_id is not None
            and by.run is None
            and not by.agreed
        )

    async def _end(self, request: Request, *, yes: bool, by: Caller) -> Answer:
        end = RequestEnd.RELEASED if yes else RequestEnd.DECLINED
        # Taken before anything is awaited: a second answer finds nothing.
        self._requests.take(request.id, end, by)
        if not yes:
            return Answer(end=end, request=request)
        caller = replace(request.caller, agreed=request.agreed)
        batch = await self._open_batch(caller, [request.call]).run()
        return Answer(end=end, request=request, result=batch.results[0])


def _only_a_person() -> ToolError:
    return ToolError(
        reason=Reason.UNAUTHORIZED,
        detail=say("only_a_person"),
        hint="Ask the person; only their own yes can release the call.",
    )


def _no_request() -> ToolError:
    return ToolError(
        reason=Reason.VALUE,
        field="request_id",
        detail=say("no_request"),
        hint="A request waits two minutes and is answered once; make the call again.",
    )
