"""Pairing: this host gets its key, by a code that a person carries over.

Above ``keys`` and the link's greeting (design page 4 §4.1). The code is never an argument
of a command, and the key is stored before Home Assistant counts it.
"""

from __future__ import annotations

import asyncio
import base64
import binascii

from .keys import KEY_BYTES, HostKey, KeyFile, KeyFileError
from .link import ClientSocket
from .link_greeting import greet, next_message, send
from .link_ports import PeerGoneError
from .protocol import (
    BIND_LIMIT,
    PAIR,
    BadKeyError,
    Channel,
    Close,
    ProtocolError,
    code_key,
    text_in,
)

SETTLE_LIMIT = 35.0
"""Seconds that Home Assistant gets to add the host."""


class PairingError(Exception):
    """This host is not paired; the text says why and what to do."""


async def pair(
    socket: ClientSocket,
    *,
    code: str,
    name: str,
    about: dict[str, object],
    file: KeyFile,
) -> str:
    """Pair this host and return the id that it got; PairingError if it cannot be.

    A host that had a key keeps it unless Home Assistant took the new one.
    """
    before = _key_before(file)
    try:
        channel = await _channel(socket, code)
        await send(socket, channel, {"type": "pair", "name": name, "about": about})
        key = await _key(socket, channel)
        file.store(key)
        await _confirm(socket, channel, key, before, file)
    except (BadKeyError, ProtocolError) as error:
        await socket.close(Close.BAD_FRAME)
        raise PairingError(f"Home Assistant answered wrongly: {error}") from error
    except KeyFileError as error:
        await socket.close(Close.NORMAL)
        raise PairingError(str(error)) from error
    return key.id


async def _channel(socket: ClientSocket, code: str) -> Channel:
    try:
        async with asyncio.timeout(BIND_LIMIT):
            return await greet(socket, "", PAIR, code_key(code))
    except (BadKeyError, PeerGoneError, TimeoutError) as error:
        raise PairingError(_why(socket.close_code)) from error


async def _key(socket: ClientSocket, channel: Channel) -> HostKey:
    try:
        async with asyncio.timeout(BIND_LIMIT):
            while (message := await next_message(socket, channel))["type"] != "key":
                pass
    except (PeerGoneError, TimeoutError) as error:
        raise PairingError(_why(socket.close_code)) from error
    try:
        key = base64.b64decode(text_in(message, "key"), validate=True)
    except binascii.Error as error:
        raise ProtocolError("the key is no key") from error
    host_id = text_in(message, "id")
    if len(key) != KEY_BYTES or not 1 <= len(host_id) <= 64:
        raise ProtocolError("the key is no key")
    return HostKey(host_id, key)


async def _confirm(
    socket: ClientSocket,
    channel: Channel,
    key: HostKey,
    before: HostKey | None,
    file: KeyFile,
) -> None:
    """Say that the key is stored, and wait until Home Assistant has added the host."""
    try:
        await send(socket, channel, {"type": "stored", "id": key.id})
        async with asyncio.timeout(SETTLE_LIMIT):
            while (await next_message(socket, channel))["type"] != "paired":
                pass
    except (PeerGoneError, TimeoutError) as error:
        if socket.close_code == Close.BAD_KEY:
            # It said for certain that it did not add the host.
            _restore(file, before)
            raise PairingError(_why(Close.BAD_KEY)) from error
        raise PairingError(
            "the key is stored, but Home Assistant has not confirmed that it added this"
            " host. If it shows the host, all is well: start 'waiter run'. If not, pair"
            " again."
        ) from error


def _key_before(file: KeyFile) -> HostKey | None:
    try:
        return file.load() if file.exists() else None
    except KeyFileError:
        # What cannot be read is not worth keeping.
        return None


def _restore(file: KeyFile, before: HostKey | None) -> None:
    if before is None:
        file.remove()
    else:
        file.store(before)


def _why(code: int | None) -> str:
    if code == Close.BAD_KEY:
        return (
            "Home Assistant does not take this code: it is mistyped, older than ten"
            " minutes, used up, or its dialog was closed. Begin again there with 'Add a"
            " NAS host'."
        )
    if code == Close.VERSION:
        return "this waiter and Home Assistant have no version in common; update both"
    if code == Close.RESTARTING:
        return "Home Assistant is just starting; try again in a minute"
    return "Home Assistant does not answer as it should; is the address right?"
