"""Calls that wait for a person's yes (page 1 §1.6).

Above the contract, below the door, which keeps them here; `answering` releases them. A
request is bound to caller, tool and checked arguments. Its id is random, and stands in
its event and notification only: never in a result or text that a model reads.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
import secrets
from typing import Protocol

from .contract import Agreed, Caller, Entrance, ToolCall

REQUEST_SECONDS = 120.0
"""How long a request waits."""

MOST_PENDING = 64
"""Requests that wait at the same time."""

MOST_OF_ONE = 8
"""Requests of one user, or of one device, that wait at the same time."""

MOST_WITHOUT_LOGIN = MOST_PENDING // 2
"""Requests of all callers without a user together: a device's name proves nothing."""

_NOT_ASKED = frozenset({Entrance.AUTOMATION, Entrance.SYSTEM})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call that waits: `call` has the checked arguments, `agreed` what a yes means.

    `expires` is the event loop's time in seconds.
    """

    id: str
    caller: Caller
    call: ToolCall
    agreed: frozenset[Agreed]
    expires: float


class RequestEnd(StrEnum):
    """How a request ended."""

    RELEASED = "released"
    DECLINED = "declined"
    EXPIRED = "expired"


class RequestJournal(Protocol):
    """Is told of requests, for events and notifications; must not raise."""

    def request_made(self, request: Request) -> None:
        """Tell that a person should be asked."""
        ...

    def request_ended(
        self, request: Request, end: RequestEnd, by: Caller | None
    ) -> None:
        """Tell that nobody need be asked any more; `by` is who answered."""
        ...


def _new_id() -> str:
    return secrets.token_urlsafe(16)


@dataclass(slots=True)
class Requests:
    """The requests that wait; bounded, each for two minutes."""

    journal: RequestJournal
    new_id: Callable[[], str] = _new_id
    _waiting: dict[str, Request] = field(default_factory=dict)
    _timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict)

    def takes(self, caller: Caller) -> bool:
        """Whether a person can be asked for a call of this caller.

        Automations are not asked, and calls inside a run are asked for with the run.
        """
        return caller.entrance not in _NOT_ASKED and caller.run is None

    def keep(
        self, caller: Caller, call: ToolCall, agreed: frozenset[Agreed]
    ) -> Request | None:
        """Keep a call until a person answers; None where too many wait already.

        The same call of the same caller waits once.
        """
        for one in self._waiting.values():
            if (
                same_speaker(one.caller, caller)
                and one.call.tool == call.tool
                and one.agreed == agreed
            ):
                return one
        if not self._has_room(caller):
            return None
        loop = asyncio.get_running_loop()
        request = Request(
            id=self.new_id(),
            caller=caller,
            call=call,
            agreed=agreed,
            expires=loop.time() + REQUEST_SECONDS,
        )
        self._waiting[request.id] = request
        self._timers[request.id] = loop.call_at(
            request.expires, self._expire, request.id
        )
        self.journal.request_made(request)
        return request

    def _has_room(self, caller: Caller) -> bool:
        """Whether one more request may wait, so that nobody takes the place of all.

        A user is one, through whatever entrance: what a client says of the device and
        of the conversation does not make another one of them.
        """
        waiting = [one.caller for one in self._waiting.values()]
        if len(waiting) >= MOST_PENDING:
            return False
        user = caller.user_id
        if user is not None:
            return sum(one.user_id == user for one in waiting) < MOST_OF_ONE
        strangers = [one for one in waiting if one.user_id is None]
        same = sum(one.device_id == caller.device_id for one in strangers)
        return same < MOST_OF_ONE and len(strangers) < MOST_WITHOUT_LOGIN

    def _expire(self, request_id: str) -> None:
        self.take(request_id, RequestEnd.EXPIRED, None)

    def pending(self) -> tuple[Request, ...]:
        """Return the requests that wait, oldest first; for those who may answer."""
        return tuple(self._waiting.values())

    def find(self, request_id: str) -> Request | None:
        """Return a request that still waits."""
        return self._waiting.get(request_id)

    def take(
        self, request_id: str, end: RequestEnd, by: Caller | None
    ) -> Request | None:
        """End a request, once: whoever comes second gets nothing."""
        request = self._waiting.pop(request_id, None)
        if request is None:
            return None
        self._timers.pop(request_id).cancel()
        self.journal.request_ended(request, end, by)
        return request

    def close(self) -> None:
        """End all requests."""
        for request in self.pending():
            self._expire(request.id)


def same_speaker(one: Caller, other: Caller) -> bool:
    """Whether two calls come from the same user, device and way.

    Decides whose next words answer: behind one user of a telephone system there are
    several devices, and so several people.
    """
    return (one.entrance, one.user_id, one.device_id) == (
        other.entrance,
        other.user_id,
        other.device_id,
    )
