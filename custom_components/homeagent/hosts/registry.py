"""Hosts, above `host`: all hosts that were paired, by id and by name (page 4 §4.1).

Decides which of two connections with one key stays. Imports nothing of Home Assistant.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
import logging
import unicodedata

from .host import Host, HostRecord, RefusedCommand, Watch
from .link_session import Session
from .protocol import PROBE_LIMIT, Close, Message

_LOGGER = logging.getLogger(__name__)


class Trouble(StrEnum):
    """What a person should know of a host, and mend."""

    DUPLICATE = "duplicate"
    WRONG_KEY = "wrong_key"
    WAITER_OUTDATED = "waiter_outdated"
    HOMEAGENT_OUTDATED = "homeagent_outdated"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostEvents:
    """Whom the registry tells; every one is called in the event loop.

    `added` and `removed` get a host's id, `changed` too: it came, went, or told
    something new. `rekeyed`: the host has stored the key it was given.
    """

    added: Callable[[str], None]
    removed: Callable[[str], None]
    changed: Callable[[str], None]
    refused: Callable[[str, RefusedCommand], None]
    rekeyed: Callable[[str], None]
    trouble: Callable[[str, Trouble], None]
    trouble_over: Callable[[str, Trouble], None]


class HostRegistry:
    """The hosts. Until `set_records` was called once, it is not `ready`."""

    def __init__(self, events: HostEvents, utcnow: Callable[[], datetime]) -> None:
        """Start empty and not ready: nobody can be called unknown yet."""
        self.ready = False
        self._events = events
        self._utcnow = utcnow
        self._hosts: dict[str, Host] = {}
        self._resting: dict[str, Host] = {}

    def __iter__(self) -> Iterator[Host]:
        """Iterate over the hosts, as they were added."""
        return iter(tuple(self._hosts.values()))

    def get(self, host_id: str) -> Host | None:
        """Return a host by its id."""
        return self._hosts.get(host_id)

    def named(self, name: str) -> list[Host]:
        """Return the hosts of that name, whatever its case."""
        wanted = _folded(name)
        return [host for host in self if _folded(host.record.name) == wanted]

    def set_records(self, records: Iterable[HostRecord]) -> None:
        """Take over what is stored now: hosts come, go, and get other keys."""
        wanted = {record.id: record for record in records}
        self.ready = True
        for host_id in self._hosts.keys() - wanted.keys():
            self._remove(host_id, Close.REVOKED)
        for host_id, record in wanted.items():
            host = self._hosts.get(host_id)
            if host is None:
                self._hosts[host_id] = self._rested(record) or self._new(record)
                self._events.added(host_id)
            elif host.record != record:
                host.record = record
                if not record.keys:
                    host.end(Close.REVOKED)
                self._events.changed(host_id)
        self._forget_resting()

    def _new(self, record: HostRecord) -> Host:
        watch = Watch(
            changed=self._changed,
            refused=self._events.refused,
            rekeyed=self._events.rekeyed,
        )
        return Host(record, watch)

    def _rested(self, record: HostRecord) -> Host | None:
        host = self._resting.pop(record.id, None)
        if host is not None:
            host.record = record
        return host

    def _forget_resting(self) -> None:
        for host in self._resting.values():
            host.forget()
        self._resting.clear()

    def rest(self) -> None:
        """Close all connections until `set_records` is called, which will be soon.

        What a host was asked stays asked, for as long as it does without a connection.
        """
        self.ready = False
        for host_id in tuple(self._hosts):
            self._resting[host_id] = self._take_out(host_id, Close.RESTARTING)

    def close(self, code: Close = Close.RESTARTING) -> None:
        """Close all connections and forget all hosts, until `set_records` is called."""
        self.ready = False
        self._forget_resting()
        for host_id in tuple(self._hosts):
            self._remove(host_id, code)

    def trouble(self, host_id: str, trouble: Trouble) -> None:
        """Report what a person should mend, if there is such a host."""
        if host_id in self._hosts:
            self._events.trouble(host_id, trouble)

    async def attach(self, host: Host, session: Session, bind: Message) -> Close | None:
        """Make this the host's connection; or return why it cannot be.

        A connection that is there already is asked for a sign of life: silent, it is
        replaced; alive, it stays. So two waiters with one key never take turns.
        """
        while (first := host.session) is not None:
            if await first.answers(PROBE_LIMIT):
                _LOGGER.warning(
                    "A second waiter came with the key of %s", host.record.name
                )
                self.trouble(host.record.id, Trouble.DUPLICATE)
                return Close.DUPLICATE
            first.end(Close.DUPLICATE)
            host.detach(first)
        if self._hosts.get(host.record.id) is not host or not host.record.keys:
            return Close.REVOKED
        host.attach(session, bind)
        for trouble in (Trouble.DUPLICATE, Trouble.WRONG_KEY):
            self._events.trouble_over(host.record.id, trouble)
        return None

    def judge_version(self, host_id: str, theirs: Iterable[int], ours: int) -> None:
        """Tell or take back that one of both ends speaks an old version only."""
        newest = max(theirs)
        for trouble, due in (
            (Trouble.WAITER_OUTDATED, newest < ours),
            (Trouble.HOMEAGENT_OUTDATED, newest > ours),
        ):
            if due:
                self.trouble(host_id, trouble)
            else:
                self._events.trouble_over(host_id, trouble)

    def _changed(self, host_id: str) -> None:
        if (host := self._hosts.get(host_id)) is not None:
            host.last_seen = self._utcnow()
            self._events.changed(host_id)

    def _remove(self, host_id: str, code: Close) -> None:
        self._take_out(host_id, code).forget()

    def _take_out(self, host_id: str, code: Close) -> Host:
        host = self._hosts.pop(host_id)
        host.end(code)
        self._events.removed(host_id)
        for trouble in Trouble:
            self._events.trouble_over(host_id, trouble)
        return host


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip()).casefold()
