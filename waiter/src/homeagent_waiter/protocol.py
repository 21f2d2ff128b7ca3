"""Link, at the bottom: what goes over the wire, the same file at both ends.

It stands twice, byte for byte: in the waiter and in the integration's ``hosts``. A test
compares them. Python 3.11; imports only ``noise`` and ``cryptography`` (page 4 §4.1).

A connection is a WebSocket to ``PATH``. First both say hello as JSON texts in the clear;
then come two Noise handshake frames and from there on records, all binary. A record is a
byte that says whether its message goes on, and a part of that message's JSON. The two
hellos, as they were sent, are the prologue: nobody can change them on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
import hashlib
import json
import math
import secrets
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from noise.connection import NoiseConnection
from noise.exceptions import NoiseHandshakeError, NoiseInvalidMessage, NoiseValueError

PATH = "/api/homeagent/waiter"

VERSIONS = (1,)
"""The protocol versions that this file speaks, lowest first."""

BIND = "bind"
PAIR = "pair"
"""What a connection is for, as its hello says."""

KEY_BYTES = 32
CODE_BYTES = 16

UNBOUND_FRAME = 4096
"""Bytes of a frame before the host is bound."""

MOST_FRAME = 65_535
"""Bytes of any frame: what Noise allows."""

MOST_MESSAGE = 16 * 1024 * 1024
"""Bytes of a message's JSON, put together of its records."""

BIND_LIMIT = 10.0
"""Seconds from the connection to the first encrypted message."""

PING_EVERY = 25.0
SILENCE = 55.0
"""Seconds without any frame after which the peer is dead."""

PROBE_LIMIT = 5.0
"""Seconds that a peer gets to answer when somebody wants to know."""

KEEP_RESULTS = 60.0
"""Seconds that the result of a command outlives the connection it was asked on."""

_OPENING_ERRORS = (InvalidTag, NoiseInvalidMessage, NoiseValueError, ValueError)
_HANDSHAKE_ERRORS = (*_OPENING_ERRORS, NoiseHandshakeError)
_NOISE = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
_PROLOGUE = b"homeagent-waiter"
_TAG = 16
_PART = MOST_FRAME - _TAG - 1
_LAST, _MORE = b"\x00", b"\x01"
_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ALIKE = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
_CODE_DIGITS = 26
_CHECK_DIGITS = 2

Message = dict[str, object]
"""A message: a JSON object with a text under ``type``."""


class Close(IntEnum):
    """Why a connection is closed, as its WebSocket close code.

    ``BAD_FRAME``: the peer does not keep to the protocol. ``BAD_KEY``: unknown host,
    wrong key, or wrong or closed pairing code. ``RESTARTING``: come back soon.
    """

    NORMAL = 1000
    TOO_BIG = 1009
    BAD_FRAME = 4400
    BAD_KEY = 4401
    REVOKED = 4403
    SILENT = 4408
    DUPLICATE = 4409
    VERSION = 4426
    RESTARTING = 4503


class ProtocolError(Exception):
    """What came is not what may come here; the connection cannot go on."""


class BadKeyError(ProtocolError):
    """The other end has another key."""


@dataclass(frozen=True)
class Hello:
    """The first words of a waiter: who it is, what it wants, what it speaks."""

    id: str
    purpose: str
    versions: tuple[int, ...]


def encode(message: Mapping[str, object]) -> bytes:
    """Return a message as UTF-8 JSON; ProtocolError where it has no JSON form."""
    try:
        text = json.dumps(
            message, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        data = text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ProtocolError(f"a message has no JSON form: {error}") from error
    if len(data) > MOST_MESSAGE:
        raise ProtocolError(f"a message of {len(data)} bytes is too big")
    return data


def decode(data: bytes | str) -> Message:
    """Return the message that a JSON text holds; ProtocolError if it holds none."""
    try:
        text = data if isinstance(data, str) else data.decode()
        message = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        if "\\" in text:
            # An escape can stand for half a character, which nobody can pass on.
            json.dumps(message, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a message is no JSON: {error}") from error
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise ProtocolError('a message is no JSON object with a text under "type"')
    return message


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def text_in(message: Mapping[str, object], key: str) -> str:
    """Return a text of a message; ProtocolError if there is none under this key."""
    value = message.get(key)
    if not isinstance(value, str):
        raise ProtocolError(f"{message.get('type')!r} has no text under {key!r}")
    return value


def object_in(message: Mapping[str, object], key: str) -> dict[str, object]:
    """Return an object of a message; ProtocolError if there is none under this key."""
    value = message.get(key)
    if not isinstance(value, dict):
        raise ProtocolError(f"{message.get('type')!r} has no object under {key!r}")
    return value


def list_in(message: Mapping[str, object], key: str) -> list[object]:
    """Return a list of a message; ProtocolError if there is none under this key."""
    value = message.get(key)
    if not isinstance(value, list):
        raise ProtocolError(f"{message.get('type')!r} has no list under {key!r}")
    return value


def hello(host_id: str, purpose: str, versions: Sequence[int] = VERSIONS) -> str:
    """Return the waiter's hello."""
    message = {"id": host_id, "purpose": purpose, "versions": list(versions)}
    return encode({"type": "hello", **message}).decode()


def read_hello(message: Message) -> Hello:
    """Read a waiter's hello; ProtocolError if it is none."""
    host_id, purpose = text_in(message, "id"), text_in(message, "purpose")
    versions = [each for each in list_in(message, "versions") if type(each) is int]
    if message["type"] != "hello" or purpose not in (BIND, PAIR) or not versions:
        raise ProtocolError("a connection begins with no hello that is known")
    return Hello(id=host_id, purpose=purpose, versions=tuple(versions))


def hello_answer(version: int) -> str:
    """Return Home Assistant's hello, with the version that both will speak."""
    return encode({"type": "hello", "version": version}).decode()


def common_version(theirs: Sequence[int], ours: Sequence[int] = VERSIONS) -> int | None:
    """Return the highest version that both ends speak."""
    return max(set(ours).intersection(theirs), default=None)


def prologue(asked: str, answered: str) -> bytes:
    """Return what binds both hellos, as they were sent, into the handshake."""
    first = asked.encode()
    return b"%s\0%d\0%s%s" % (_PROLOGUE, len(first), first, answered.encode())


def new_key() -> bytes:
    """Return a random host key."""
    return secrets.token_bytes(KEY_BYTES)


def new_code() -> str:
    """Return a random pairing code as it is shown: groups of four characters.

    128 bits, and two characters by which a slip of the hand is seen at once.
    """
    digits = _digits(int.from_bytes(secrets.token_bytes(CODE_BYTES), "big"))
    code = digits + _check(digits)
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def code_key(code: str) -> bytes:
    """Return the handshake key of a pairing code; ValueError for a mistyped one."""
    digits = code.strip().upper().translate(_ALIKE)
    plain, check = digits[:_CODE_DIGITS], digits[_CODE_DIGITS:]
    if (
        len(digits) != _CODE_DIGITS + _CHECK_DIGITS
        or not set(digits) <= set(_DIGITS)
        or _check(plain) != check
    ):
        raise ValueError("that is no pairing code; look for a slip of the hand")
    number = 0
    for digit in plain:
        number = number * 32 + _DIGITS.index(digit)
    if number >= 1 << (8 * CODE_BYTES):
        raise ValueError("that is no pairing code; look for a slip of the hand")
    kdf = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=_PROLOGUE, info=b"pairing 1")
    return kdf.derive(number.to_bytes(CODE_BYTES, "big"))


def _digits(number: int) -> str:
    places = range(5 * (_CODE_DIGITS - 1), -1, -5)
    return "".join(_DIGITS[number >> place & 31] for place in places)


def _check(digits: str) -> str:
    sum_ = hashlib.sha256(digits.encode()).digest()
    return _DIGITS[sum_[0] & 31] + _DIGITS[sum_[1] & 31]


class Channel:
    """One end of an encrypted connection: messages to frames, frames to messages."""

    def __init__(self, noise: Any) -> None:
        """Take a Noise connection whose handshake is done."""
        self._noise = noise
        self._parts = bytearray()

    def seal(self, message: Mapping[str, object]) -> Iterator[bytes]:
        """Yield the frames of a message; each must be sent, in this order."""
        yield from self.seal_data(encode(message))

    def seal_data(self, data: bytes) -> Iterator[bytes]:
        """Yield the frames of a message that is JSON already."""
        for start in range(0, len(data), _PART):
            end = start + _PART
            flag = _MORE if end < len(data) else _LAST
            yield bytes(self._noise.encrypt(flag + data[start:end]))

    def open(self, frame: bytes) -> Message | None:
        """Return the message that a frame completes, None if more of it must come.

        ProtocolError where the frame was not sealed by the other end, or not as the
        next one: it was injected, replayed, changed or lost.
        """
        try:
            record = bytes(self._noise.decrypt(bytes(frame)))
        except _OPENING_ERRORS as error:
            raise ProtocolError("a frame is not the other end's next one") from error
        flag, part = record[:1], record[1:]
        if flag not in (_LAST, _MORE):
            raise ProtocolError("a frame has no flag that is known")
        self._parts += part
        if len(self._parts) > MOST_MESSAGE:
            raise ProtocolError("a message is too big")
        if flag == _MORE:
            return None
        data, self._parts = bytes(self._parts), bytearray()
        return decode(data)


def initiate(key: bytes, bound: bytes) -> tuple[bytes, Callable[[bytes], Channel]]:
    """Begin the handshake, as the waiter does.

    Returns its frame, and what makes the channel of the answer (BadKeyError if the
    answer comes from somebody with another key, or other hellos).
    """
    noise = _noise(key, bound, initiator=True)
    frame = bytes(noise.write_message())

    def finish(answer: bytes) -> Channel:
        try:
            noise.read_message(answer)
        except _HANDSHAKE_ERRORS as error:
            raise BadKeyError("the other end has another key") from error
        return Channel(noise)

    return frame, finish


def respond(
    keys: Sequence[bytes], bound: bytes, frame: bytes
) -> tuple[int, bytes, Channel]:
    """Answer the handshake, as Home Assistant does.

    Returns the index of the key that fits, the answer, and the channel. BadKeyError if
    none fits. That the other end really has the key, and did not merely replay a frame,
    is known only when its first message can be opened.
    """
    for index, key in enumerate(keys):
        noise = _noise(key, bound, initiator=False)
        try:
            noise.read_message(frame)
            answer = bytes(noise.write_message())
        except _HANDSHAKE_ERRORS:
            continue
        return index, answer, Channel(noise)
    raise BadKeyError("the other end has another key")


def _noise(key: bytes, bound: bytes, *, initiator: bool) -> Any:
    noise = NoiseConnection.from_name(_NOISE)
    noise.set_psks(psk=key)
    noise.set_prologue(bound)
    if initiator:
        noise.set_as_initiator()
    else:
        noise.set_as_responder()
    noise.start_handshake()
    return noise
