"""Hosts, above `link_session`: one host, whether it is connected or not (page 4 §4.1).

Keeps what the host told last, and the questions it has not answered. A question survives
its connection for a while: the host may come back with the answer. It is never asked
twice. Imports nothing of Home Assistant.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
import secrets

from .link_session import Session
from .protocol import (
    KEEP_RESULTS,
    Close,
    Message,
    ProtocolError,
    list_in,
    object_in,
    text_in,
)


class HostOfflineError(Exception):
    """The host is not connected."""


class HostLostError(Exception):
    """The connection broke, and what came of the question will not be known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRecord:
    """What is stored of a host.

    `keys` are those it may come with: its own, and one that it was given and has not
    used yet. No key: it was revoked.
    """

    id: str
    name: str
    keys: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCommand:
    """A command line that the host's gate refused."""

    line: str
    stage: str
    code: str
    token: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Who wants to know of a host; every one is called in the event loop."""

    changed: Callable[[str], None]
    refused: Callable[[str, RefusedCommand], None]
    rekeyed: Callable[[str], None]


class Host:
    """One host that was paired."""

    def __init__(self, record: HostRecord, watch: Watch) -> None:
        """Take what is stored; it is not connected yet."""
        self.record = record
        self.about: Mapping[str, object] = {}
        self.metrics: Mapping[str, object] = {}
        self.waiter_version = ""
        self.last_seen: datetime | None = None
        self._watch = watch
        self._session: Session | None = None
        self._asked: dict[str, asyncio.Future[Message]] = {}
        self._patience: asyncio.TimerHandle | None = None

    @property
    def session(self) -> Session | None:
        """The connection, while there is one."""
        return self._session

    @property
    def connected(self) -> bool:
        """Whether the host is there."""
        return self._session is not None

    def attach(self, session: Session, bind: Message) -> None:
        """Take a new connection, with the host's first message on it."""
        if bind["type"] != "bind":
            raise ProtocolError("the first message is no bind")
        held = {each for each in list_in(bind, "requests") if isinstance(each, str)}
        self.waiter_version = text_in(bind, "waiter")[:64]
        self._session = session
        self._stop_waiting()
        self._lose(self._asked.keys() - held)
        self._watch.changed(self.record.id)

    def detach(self, session: Session) -> None:
        """Let a connection go, if it is still this host's."""
        if self._session is not session:
            return
        self._session = None
        if open_now := frozenset(self._asked):
            loop = asyncio.get_running_loop()
            self._stop_waiting()
            self._patience = loop.call_later(
                KEEP_RESULTS, self._lose_unless_back, open_now
            )
        self._watch.changed(self.record.id)

    def end(self, code: Close) -> None:
        """Close the connection, if there is one."""
        if self._session is not None:
            self._session.end(code)

    def forget(self) -> None:
        """Give all questions up: the host is being removed."""
        self._stop_waiting()
        self._lose(frozenset(self._asked))

    async def ask(self, kind: str, fields: Mapping[str, object]) -> Message:
        """Ask the host something and wait for its `result`.

        HostOfflineError at once if it is not connected; HostLostError if the connection
        breaks and the answer does not come after it; ProtocolError for fields that have
        no JSON form. A cancellation tells the host.
        """
        session, request = self._session, secrets.token_hex(10)
        if session is None:
            raise HostOfflineError
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._asked[request] = answer
        try:
            if not session.post({**fields, "type": kind, "id": request}):
                raise HostOfflineError
            return await answer
        except asyncio.CancelledError:
            if self._session is not None:
                self._session.post({"type": "cancel", "id": request})
            raise
        finally:
            del self._asked[request]

    def take(self, message: Message) -> bool:
        """Take a message of the host; false if its type is not known."""
        match message["type"]:
            case "result":
                self._answered(text_in(message, "id"), message)
            case "facts":
                self._learn(message)
            case "rekeyed":
                self._watch.rekeyed(self.record.id)
            case "error":
                pass
            case _:
                return False
        return True

    def _answered(self, request: str, message: Message) -> None:
        if refused := message.get("refusal"):
            refusal = refused if isinstance(refused, dict) else {}
            words = {
                key: str(refusal.get(key, ""))[:300]
                for key in ("line", "stage", "code", "token", "hint")
            }
            self._watch.refused(self.record.id, RefusedCommand(**words))
        answer = self._asked.get(request)
        if answer is not None and not answer.done():
            answer.set_result(message)
        if self._session is not None:
            # What the host keeps for us, it may forget.
            self._session.post({"type": "got", "id": request})

    def _learn(self, message: Message) -> None:
        if "about" in message:
            self.about = object_in(message, "about")
        if "metrics" in message:
            self.metrics = object_in(message, "metrics")
        self._watch.changed(self.record.id)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()

    def _lose_unless_back(self, requests: Collection[str]) -> None:
        # Once the host is back, its word on what it holds has decided already.
        if self._session is None:
            self._lose(requests)

    def _lose(self, requests: Collection[str]) -> None:
        for request in requests:
            answer = self._asked.get(request)
            if answer is not None and not answer.done():
                answer.set_exception(HostLostError())
