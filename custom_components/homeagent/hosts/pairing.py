"""Hosts, beside `host`: pairing by a one-time code that a person carries over.

A code lives ten minutes, bears five tries, dies with the dialog that shows it, and is
used once; three may be open (page 4 §4.1). Imports nothing of Home Assistant.
"""

import asyncio
import base64
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
import secrets
from typing import Final

from .protocol import Message, code_key, new_code, new_key, object_in, text_in

LIFETIME: Final = 600.0
MOST_TRIES: Final = 5
MOST_OPEN: Final = 3
SETTLE_LIMIT: Final = 30.0
"""Seconds that the host waits for the dialog to add it."""


class PairingEnd(StrEnum):
    """Why a pairing ended without a host."""

    EXPIRED = "expired"
    TRIES = "too_many_tries"
    CLOSED = "closed"


class PairingEndedError(Exception):
    """The code is not valid any more."""

    def __init__(self, why: PairingEnd) -> None:
        """Say why."""
        super().__init__(why.value)
        self.why = why


class TooManyPairingsError(Exception):
    """Three codes are open already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """A host that has stored its key. `name` is the one it calls itself."""

    id: str
    key: bytes
    name: str
    about: Mapping[str, object]


class Pairing:
    """One open code. `found` tells the host, `settled` is set once it was added."""

    def __init__(self, host_id: str | None = None) -> None:
        """Make a code, for a new host or for one that is there and needs a key."""
        loop = asyncio.get_running_loop()
        self.code = new_code()
        self.key = code_key(self.code)
        self.host_id = secrets.token_hex(8) if host_id is None else host_id
        self.host_key = new_key()
        self.found: asyncio.Future[Paired] = loop.create_future()
        self.settled: asyncio.Future[None] = loop.create_future()
        self.tries = MOST_TRIES
        self.taken = False
        # Nobody need wait for either of them.
        self.found.add_done_callback(_seen)
        self.settled.add_done_callback(_seen)

    def greet(self, message: Message) -> Mapping[str, object]:
        """Answer the host's first message with its id and key."""
        text_in(message, "name"), object_in(message, "about")
        key = base64.b64encode(self.host_key).decode()
        return {"type": "key", "id": self.host_id, "key": key}

    def stored(self, first: Message) -> None:
        """The host said that it has stored the key: now it counts."""
        if not self.found.done():
            paired = Paired(
                id=self.host_id,
                key=self.host_key,
                name=text_in(first, "name")[:64],
                about=object_in(first, "about"),
            )
            self.found.set_result(paired)


class Pairings:
    """The open codes."""

    def __init__(self) -> None:
        """Start with none."""
        self._open: list[Pairing] = []

    def open(self, host_id: str | None = None) -> Pairing:
        """Open a code; TooManyPairingsError while there are three."""
        if len(self._open) >= MOST_OPEN:
            raise TooManyPairingsError
        pairing = Pairing(host_id)
        self._open.append(pairing)
        timer = asyncio.get_running_loop().call_later(
            LIFETIME, self.close, pairing, PairingEnd.EXPIRED
        )
        pairing.settled.add_done_callback(lambda _: timer.cancel())
        return pairing

    def usable(self) -> list[Pairing]:
        """Return the codes that a host may come with now."""
        return [
            pairing
            for pairing in self._open
            if not pairing.taken and not pairing.found.done()
        ]

    def with_key(self, key: bytes) -> Pairing | None:
        """Return the usable code that this key was made of."""
        return next((each for each in self.usable() if each.key == key), None)

    def missed(self) -> None:
        """Count a try with a code that none is: it may have been meant for any."""
        for pairing in self.usable():
            pairing.tries -= 1
            if pairing.tries <= 0:
                self.close(pairing, PairingEnd.TRIES)

    def close(self, pairing: Pairing, why: PairingEnd = PairingEnd.CLOSED) -> None:
        """End a code; a host that waits for it to be settled is told that it failed."""
        if pairing in self._open:
            self._open.remove(pairing)
        for future in (pairing.found, pairing.settled):
            if not future.done():
                future.set_exception(PairingEndedError(why))

    def settle(self, keys: Collection[bytes]) -> None:
        """Close the codes whose hosts' keys are known now, and tell those hosts."""
        for pairing in tuple(self._open):
            if pairing.host_key in keys:
                self._open.remove(pairing)
                if not pairing.settled.done():
                    pairing.settled.set_result(None)


def _seen(future: asyncio.Future[Paired] | asyncio.Future[None]) -> None:
    if not future.cancelled():
        future.exception()
