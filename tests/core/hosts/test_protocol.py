"""The shared files: what goes over the wire, and that both ends have the same."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, strategies as st
from noise.connection import Keypair, NoiseConnection
import pytest

from custom_components.homeagent.hosts import protocol
from custom_components.homeagent.hosts.protocol import (
    BadKeyError,
    Channel,
    ProtocolError,
    code_key,
    decode,
    encode,
    initiate,
    new_code,
    new_key,
    prologue,
    read_hello,
    respond,
)

ROOT = Path(__file__).resolve().parents[3]
RECORDED = Path(__file__).parent / "recorded"
KEY = new_key()
BOUND = prologue("asked", "answered")

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=20,
)


def channels() -> tuple[Channel, Channel]:
    frame, finish = initiate(KEY, BOUND)
    _, answer, theirs = respond([KEY], BOUND, frame)
    return finish(answer), theirs


def passed(message: dict[str, Any], sender: Channel, receiver: Channel) -> object:
    heard = [receiver.open(frame) for frame in sender.seal(message)]
    assert heard[:-1] == [None] * (len(heard) - 1)
    return heard[-1]


@pytest.mark.parametrize("name", ["protocol", "link_ports", "link_session"])
def test_both_ends_have_the_same_file(name: str) -> None:
    ours = ROOT / "custom_components/homeagent/hosts" / f"{name}.py"
    theirs = ROOT / "waiter/src/homeagent_waiter" / f"{name}.py"
    assert ours.read_bytes() == theirs.read_bytes()


@given(st.dictionaries(TEXTS, JSON))
def test_message_arrives_as_it_was_sent(fields: dict[str, Any]) -> None:
    message = {**fields, "type": "x"}
    here, there = channels()
    assert passed(message, here, there) == message
    assert passed(message, there, here) == message


@pytest.mark.parametrize("size", [0, 65_000, 65_505, 65_506, 65_507, 200_000, 4 << 20])
def test_long_message_goes_in_frames_that_noise_takes(size: int) -> None:
    here, there = channels()
    message = {"type": "x", "text": "\0é😀"[: size % 4] + "a" * size}
    frames = list(here.seal(message))
    assert max(map(len, frames)) <= protocol.MOST_FRAME < 4 << 20
    assert [there.open(frame) for frame in frames][-1] == message


def test_message_that_is_too_big_is_not_sent() -> None:
    here, _ = channels()
    with pytest.raises(ProtocolError, match="too big"):
        list(here.seal({"type": "x", "text": "a" * protocol.MOST_MESSAGE}))


@given(st.binary() | st.text() | TEXTS.map(lambda text: f'{{"type": "{text}"}}'))
def test_decoding_is_total(data: bytes | str) -> None:
    """A message with a type, or our own error; and a message can be passed on."""
    try:
        message = decode(data)
    except ProtocolError:
        return
    assert decode(encode(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "7",
        "{}",
        '{"type": 1}',
        '{"type": "x", "n": NaN}',
        '{"type": "x", "n": Infinity}',
        '{"type": "x", "n": 1e999}',
        '{"type": "x", "half": "\\ud83d"}',
        '{"type": "x"} {}',
        "[" * 100_000,
    ],
)
def test_what_is_no_message(text: str) -> None:
    with pytest.raises(ProtocolError):
        decode(text)


@given(st.binary(max_size=200))
def test_what_nobody_sealed_cannot_be_opened(frame: bytes) -> None:
    here, _ = channels()
    with pytest.raises(ProtocolError):
        here.open(frame)


@given(st.binary(max_size=200))
def test_handshake_with_anything_is_total(frame: bytes) -> None:
    with pytest.raises(BadKeyError):
        respond([KEY], BOUND, frame)
    _, finish = initiate(KEY, BOUND)
    with pytest.raises(BadKeyError):
        finish(frame)


@pytest.mark.parametrize(
    ("key", "bound"), [(new_key(), BOUND), (KEY, prologue("asked", "other"))]
)
def test_other_key_or_other_hellos_do_not_fit(key: bytes, bound: bytes) -> None:
    frame, _ = initiate(KEY, BOUND)
    with pytest.raises(BadKeyError):
        respond([key], bound, frame)


def test_the_key_that_fits_is_found() -> None:
    frame, finish = initiate(KEY, BOUND)
    index, answer, there = respond([new_key(), KEY, new_key()], BOUND, frame)
    assert index == 1
    assert passed({"type": "x"}, finish(answer), there) == {"type": "x"}


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_prologue_tells_all_hellos_apart(a: str, b: str, c: str, d: str) -> None:
    assert (prologue(a, b) == prologue(c, d)) is ((a, b) == (c, d))


def test_code_is_new_each_time_and_bears_how_people_type() -> None:
    codes = {new_code() for _ in range(50)}
    assert len(codes) == 50
    for code in codes:
        key = code_key(code)
        assert len(key) == protocol.KEY_BYTES
        for typed in (
            code.lower(),
            code.replace("-", ""),
            f" {code.replace('-', ' ')} ",
            code.replace("0", "o").replace("1", "l"),
        ):
            assert code_key(typed) == key


@pytest.mark.parametrize("typed", ["", "-", "7" * 28, "Ü" * 28, "A" * 27, "Z" * 28])
def test_what_is_no_code(typed: str) -> None:
    with pytest.raises(ValueError, match="no pairing code"):
        code_key(typed)


def test_a_slip_of_the_hand_is_seen() -> None:
    """One wrong character or two swapped ones: at least 99 of 100 are caught."""
    code = new_code().replace("-", "")
    slips = {
        code[:place] + digit + code[place + 1 :]
        for place in range(len(code))
        for digit in "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    } - {code}
    missed = 0
    for slip in slips:
        try:
            code_key(slip)
        except ValueError:
            continue
        missed += 1
    assert missed <= len(slips) / 100


@pytest.mark.parametrize(
    "change",
    [{"id": 1}, {"purpose": "x"}, {"versions": ["1"]}, {"versions": 1}, {"type": "x"}],
)
def test_what_is_no_hello(change: dict[str, object]) -> None:
    good: dict[str, object] = {
        "type": "hello",
        "id": "nas",
        "purpose": "bind",
        "versions": [1],
    }
    assert read_hello(good).versions == (1,)
    with pytest.raises(ProtocolError):
        read_hello({**good, **change})


def test_version_1_is_still_read_as_it_was_written() -> None:
    """Bytes that a waiter of the first version sent; they must be good for ever."""
    kept = json.loads((RECORDED / "version-1.json").read_text("utf-8"))
    noise = NoiseConnection.from_name(b"Noise_NNpsk0_25519_ChaChaPoly_SHA256")
    noise.set_psks(psk=bytes.fromhex(kept["key"]))
    noise.set_prologue(prologue(kept["asked"], kept["answered"]))
    noise.set_as_responder()
    noise.set_keypair_from_private_bytes(
        Keypair.EPHEMERAL, bytes.fromhex(kept["home_ephemeral"])
    )
    with pytest.warns(UserWarning, match="testing"):
        noise.start_handshake()
    noise.read_message(bytes.fromhex(kept["handshake"]))
    assert noise.write_message().hex() == kept["handshake_answer"]
    channel = Channel(noise)
    heard = [channel.open(bytes.fromhex(frame)) for frame in kept["frames"]]
    assert heard == kept["messages"]
    assert read_hello(decode(kept["asked"])).id == "nas"
    assert code_key(kept["code"]).hex() == kept["code_key"]
