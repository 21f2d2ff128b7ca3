"""Link: what Home Assistant asked for, from the question to the delivered answer.

A command runs once, whatever happens to the connection; its result waits a while for the
next one (design page 4 §4.1). What a command line may do is others' business.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
import logging

from .protocol import KEEP_RESULTS, Message, ProtocolError, encode, text_in

_LOGGER = logging.getLogger(__name__)

MOST_KEPT = 64
"""Results that wait for a connection; the oldest is given up first."""

REMEMBERED = 4096
"""Requests that are known as asked before."""

_MINUTE = 60.0

Answer = Mapping[str, object]
"""What goes into a result: ``outcome``, ``report``, ``refusal`` or ``error``."""

Post = Callable[[Mapping[str, object]], bool]


@dataclass(frozen=True)
class Request:
    """A question: a command line, or a report of a kind."""

    id: str
    command: str | None
    report: str | None
    timeout: float | None
    who: str


Answering = Callable[[Request], Coroutine[object, object, Answer]]


@dataclass(frozen=True)
class Pace:
    """How many requests may run at once, and begin within a minute."""

    at_once: int = 4
    per_minute: int = 60


class Work:
    """The requests of one host. ``answer`` does the work; ``pace`` may be replaced."""

    def __init__(self, answer: Answering, pace: Pace) -> None:
        self.pace = pace
        self._answer = answer
        self._post: Post | None = None
        self._running: dict[str, asyncio.Task[None]] = {}
        self._kept: OrderedDict[str, Message] = OrderedDict()
        self._expiries: dict[str, asyncio.TimerHandle] = {}
        self._known: OrderedDict[str, None] = OrderedDict()
        self._begun: deque[float] = deque()

    def held(self) -> list[str]:
        """Return the requests whose result is still to come or to be delivered."""
        return [*self._kept, *self._running]

    def attach(self, post: Post) -> None:
        """Take a new connection, and send what waits, once."""
        self._post = post
        for result in tuple(self._kept.values()):
            post(result)

    def detach(self, post: Post) -> None:
        """Let the connection go; results wait from now on."""
        if self._post == post:
            self._post = None

    def take(self, message: Message) -> bool:
        """Take a message; false if it is none of these."""
        kind = message["type"]
        if kind in ("command", "report"):
            self._start(_request(message))
        elif kind == "cancel":
            if task := self._running.get(text_in(message, "id")):
                task.cancel()
        elif kind == "got":
            self._forget(text_in(message, "id"))
        else:
            return False
        return True

    async def close(self) -> None:
        """Stop all that runs, and wait until it has ended."""
        tasks = tuple(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for request_id in tuple(self._kept):
            self._forget(request_id)

    def _start(self, request: Request) -> None:
        if request.id in self._known:
            _LOGGER.warning("A request came twice and is not run again")
            return
        self._known[request.id] = None
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        if busy := self._busy():
            self._deliver(request.id, {"error": {"code": "busy", "detail": busy}})
            return
        task = asyncio.get_running_loop().create_task(self._run(request))
        self._running[request.id] = task
        task.add_done_callback(lambda _: self._running.pop(request.id, None))

    def _busy(self) -> str | None:
        now = asyncio.get_running_loop().time()
        while self._begun and self._begun[0] <= now - _MINUTE:
            self._begun.popleft()
        if len(self._running) >= self.pace.at_once:
            return f"{self.pace.at_once} commands run already, which is the limit"
        if len(self._begun) >= self.pace.per_minute:
            wait = self._begun[0] + _MINUTE - now
            return (
                f"{self.pace.per_minute} commands a minute are the limit;"
                f" the next may begin in {wait:.0f} s"
            )
        self._begun.append(now)
        return None

    async def _run(self, request: Request) -> None:
        try:
            answer = await self._answer(request)
        except asyncio.CancelledError:
            # Whoever cancelled waits for no answer.
            return
        except Exception:
            _LOGGER.exception("A request could not be answered")
            answer = {"error": {"code": "internal", "detail": "see the waiter's log"}}
        self._deliver(request.id, answer)

    def _deliver(self, request_id: str, answer: Answer) -> None:
        result: Message = {**answer, "type": "result", "id": request_id}
        try:
            encode(result)
        except ProtocolError as error:
            told = {"code": "internal", "detail": str(error)}
            result = {"type": "result", "id": request_id, "error": told}
        self._kept[request_id] = result
        if len(self._kept) > MOST_KEPT:
            self._forget(next(iter(self._kept)))
        loop = asyncio.get_running_loop()
        expiry = loop.call_later(KEEP_RESULTS, self._forget, request_id)
        self._expiries[request_id] = expiry
        if self._post is not None:
            self._post(result)

    def _forget(self, request_id: str) -> None:
        """Give a result up: it was delivered, or it is too old."""
        self._kept.pop(request_id, None)
        if (expiry := self._expiries.pop(request_id, None)) is not None:
            expiry.cancel()


def _request(message: Message) -> Request:
    command, report = message.get("command"), message.get("report")
    timeout, who = message.get("timeout"), message.get("who")
    if not isinstance(command if message["type"] == "command" else report, str):
        raise ProtocolError(f"a {message['type']} without its text came")
    return Request(
        id=text_in(message, "id"),
        command=command if isinstance(command, str) else None,
        report=report if isinstance(report, str) else None,
        timeout=_seconds(timeout),
        who=who[:200] if isinstance(who, str) else "",
    )


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value)
