"""Home Assistant's end against clients that do what they should not."""

import asyncio
from collections.abc import Callable
import json

import pytest

from custom_components.homeagent.hosts.admission import WaitingRoom
from custom_components.homeagent.hosts.protocol import (
    Channel,
    Close,
    Message,
    hello,
    initiate,
    new_key,
    prologue,
)
from custom_components.homeagent.hosts.registry import Trouble

from ..virtual_time import run_virtual
from .wires import KEY, NAS, Home, MemorySocket, Nas, running, settle

BIND: Message = {"type": "bind", "waiter": "0.1.0", "requests": []}


async def text(socket: MemorySocket) -> Message:
    frame = await socket.receive()
    assert isinstance(frame, str)
    message: Message = json.loads(frame)
    return message


async def shake(
    socket: MemorySocket, host_id: str = "nas", key: bytes = KEY
) -> Channel:
    """Say hello and shake hands as a good client does."""
    asked = hello(host_id, "bind")
    await socket.send(asked)
    answered = await socket.receive()
    assert isinstance(answered, str)
    frame, finish = initiate(key, prologue(asked, answered))
    await socket.send(frame)
    answer = await socket.receive()
    assert isinstance(answer, bytes)
    return finish(answer)


async def say(socket: MemorySocket, channel: Channel, message: Message) -> None:
    for frame in channel.seal(message):
        await socket.send(frame)


async def hear(socket: MemorySocket, channel: Channel) -> Message:
    frame = await socket.receive()
    assert isinstance(frame, bytes), socket.close_code
    message = channel.open(frame)
    assert message is not None
    return message


async def bound(home: Home) -> tuple[MemorySocket, Channel]:
    socket = home.knock()
    channel = await shake(socket)
    await say(socket, channel, BIND)
    assert (await hear(socket, channel))["type"] == "bound"
    return socket, channel


def test_pings_are_answered_from_the_first_byte() -> None:
    """Before the hello, before the handshake, before the bind, and after it."""

    async def story() -> None:
        home = Home(NAS)
        socket = home.knock()
        await socket.send('{"type": "ping"}')
        assert await text(socket) == {"type": "pong"}
        asked = hello("nas", "bind")
        await socket.send(asked)
        answered = await socket.receive()
        assert isinstance(answered, str)
        await socket.send('{"type": "ping"}')
        assert await text(socket) == {"type": "pong"}
        frame, finish = initiate(KEY, prologue(asked, answered))
        await socket.send(frame)
        answer = await socket.receive()
        assert isinstance(answer, bytes)
        channel = finish(answer)
        ping: Message = {"type": "ping"}
        for message in (ping, BIND, ping):
            await say(socket, channel, message)
        heard = [(await hear(socket, channel))["type"] for _ in range(3)]
        assert heard == ["pong", "bound", "pong"]
        await home.leave()

    run_virtual(story())


def test_pings_do_not_extend_the_time_to_bind() -> None:
    async def story() -> None:
        home = Home(NAS)
        socket = home.knock()
        while socket.close_code is None:
            await socket.send('{"type": "ping"}')
            await asyncio.sleep(1)
        assert socket.close_code == Close.SILENT
        assert asyncio.get_running_loop().time() == pytest.approx(10, abs=1)

    run_virtual(story())


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("x" * 4097, Close.TOO_BIG),
        (b"x" * 4097, Close.TOO_BIG),
        (b"x" * 10, Close.BAD_FRAME),
        ("", Close.BAD_FRAME),
        ("null", Close.BAD_FRAME),
        ("[" * 4000, Close.BAD_FRAME),
        ('{"type": "hello"}', Close.BAD_FRAME),
        ('{"type": "hello", "id": "nas", "purpose": "x", "versions": [1]}', 4400),
        ('{"type": "hello", "id": "nas", "purpose": "bind", "versions": []}', 4400),
        ('{"type": "hello", "id": "nas", "purpose": "bind", "versions": [7]}', 4426),
        ('{"type": "hello", "id": 7, "purpose": "bind", "versions": [1]}', 4400),
    ],
)
def test_bad_first_frame_ends_the_connection(frame: str | bytes, code: int) -> None:
    async def story() -> None:
        home = Home(NAS)
        socket = home.knock()
        await socket.send(frame)
        await settle()
        assert socket.close_code == code
        assert not home.ended[0].wrong_login

    run_virtual(story())


def test_second_hello_ends_the_connection() -> None:
    async def story() -> None:
        home = Home(NAS)
        socket = home.knock()
        for _ in range(2):
            await socket.send(hello("nas", "bind"))
        await settle()
        assert socket.close_code == Close.BAD_FRAME

    run_virtual(story())


@pytest.mark.parametrize(
    ("host_id", "wrong_login", "troubles"),
    [("stranger", True, set()), ("nas", False, {Trouble.WRONG_KEY})],
)
def test_wrong_key(host_id: str, wrong_login: bool, troubles: set[Trouble]) -> None:
    """A stranger is a wrong login, a known host is not; both see the same."""

    async def story() -> None:
        home = Home(NAS)
        socket = home.knock()
        with pytest.raises(AssertionError):
            await shake(socket, host_id, new_key())
        assert socket.close_code == Close.BAD_KEY
        assert [end.wrong_login for end in home.ended] == [wrong_login]
        assert home.told.troubles == troubles

    run_virtual(story())


def test_wrong_keys_wait_ever_longer_and_the_right_one_never() -> None:
    async def story() -> None:
        home = Home(NAS)
        loop = asyncio.get_running_loop()
        waited = []
        for _ in range(6):
            begin = loop.time()
            with pytest.raises(AssertionError):
                await shake(home.knock(), "nas", new_key())
            waited.append(loop.time() - begin)
        assert waited == pytest.approx([0.5, 1, 2, 4, 8, 8])
        begin = loop.time()
        await bound(home)
        assert loop.time() == begin
        with pytest.raises(AssertionError):
            await shake(home.knock(), "nas", new_key())
        assert loop.time() - begin == pytest.approx(0.5), "forgotten by the right one"
        await home.leave()

    run_virtual(story())


def test_before_the_hosts_are_known_nobody_is_a_stranger() -> None:
    """Home Assistant starts: its page is open before its entries are loaded."""

    async def story() -> None:
        home = Home(NAS)
        home.registry.close()
        socket = home.knock()
        await socket.send(hello("nas", "bind"))
        await settle()
        assert socket.close_code == Close.RESTARTING
        assert not home.ended[0].wrong_login

    run_virtual(story())


def _same(frames: list[bytes]) -> list[bytes]:
    return [frames[0], frames[0]]


def _swapped(frames: list[bytes]) -> list[bytes]:
    return frames[::-1]


def _changed(frames: list[bytes]) -> list[bytes]:
    return [frames[0][:-1] + bytes([frames[0][-1] ^ 1])]


def _made_up(frames: list[bytes]) -> list[bytes]:
    return [b"", b"\0" * 64]


def _in_the_clear(frames: list[bytes]) -> list[str]:
    return ['{"type": "facts", "about": {}}']


@pytest.mark.parametrize("attack", [_same, _swapped, _changed, _made_up, _in_the_clear])
def test_injected_frame_ends_the_connection_and_says_nothing(
    attack: Callable[[list[bytes]], list[str | bytes]],
) -> None:
    """Replayed, reordered, changed, invented, or not sealed at all."""

    async def story() -> None:
        home = Home(NAS)
        socket, channel = await bound(home)
        frames = [
            *channel.seal({"type": "facts", "about": {"n": 1}}),
            *channel.seal({"type": "facts", "about": {"n": 2}}),
        ]
        for frame in attack(frames):
            await socket.send(frame)
        await settle()
        assert socket.close_code == Close.BAD_FRAME
        host = home.registry.get("nas")
        assert host is not None
        assert host.about in ({}, {"n": 1})

    run_virtual(story())


def test_replayed_handshake_disturbs_nobody() -> None:
    """Recorded frames get an answer that only the host could read, and no host."""

    async def story() -> None:
        home = Home(NAS)
        nas = Nas(home)
        link = nas.link()
        async with running(link):
            await settle()
            recorded = list(home.wires[0][0].sent)
            thief = home.knock()
            for frame in recorded:
                await thief.send(frame)
            await asyncio.sleep(11)
            assert thief.close_code in (Close.BAD_FRAME, Close.BAD_KEY, Close.SILENT)
            assert link.connected
            assert len(home.dials) == 1
            assert home.told.troubles <= {Trouble.WRONG_KEY}
        await home.leave()

    run_virtual(story())


def test_hello_that_was_changed_on_the_way_is_no_hello() -> None:
    """Whoever sits between cannot make both ends speak an older version."""

    async def story() -> None:
        home = Home(NAS)
        socket = home.knock()
        asked = hello("nas", "bind", (1, 2))
        await socket.send(hello("nas", "bind", (1,)))
        answered = await socket.receive()
        assert isinstance(answered, str)
        frame, _ = initiate(KEY, prologue(asked, answered))
        await socket.send(frame)
        await asyncio.sleep(1)
        assert socket.close_code == Close.BAD_KEY

    run_virtual(story())


@pytest.mark.parametrize(
    "message",
    [
        {"type": "sing", "song": 1},
        {"type": "result"},
        {"type": "result", "id": "unheard of"},
        {"type": "facts", "about": 7},
        {"type": "error", "code": "x"},
        {"type": "facts", "about": {}, "more": [1, {"a": None}]},
    ],
)
def test_message_that_is_not_understood_costs_nothing_but_itself(
    message: Message,
) -> None:
    async def story() -> None:
        home = Home(NAS)
        socket, channel = await bound(home)
        await say(socket, channel, message)
        await say(socket, channel, {"type": "facts", "about": {"well": True}})
        await settle()
        host = home.registry.get("nas")
        assert host is not None
        assert (host.connected, host.about) == (True, {"well": True})
        await home.leave()

    run_virtual(story())


def test_unknown_type_is_answered() -> None:
    async def story() -> None:
        home = Home(NAS)
        socket, channel = await bound(home)
        await say(socket, channel, {"type": "sing"})
        assert await hear(socket, channel) == {
            "type": "error",
            "code": "unknown_type",
            "of": "sing",
        }
        await home.leave()

    run_virtual(story())


def test_waiting_room_has_sixteen_places_and_four_for_one() -> None:
    room = WaitingRoom()
    assert [room.enter("a") for _ in range(5)] == [True] * 4 + [False]
    others = [room.enter(f"b{number}") for number in range(13)]
    assert others == [True] * 12 + [False]
    room.leave("a")
    assert room.enter("c")
    assert not room.enter("a")


def test_bound_connections_take_no_place() -> None:
    async def story() -> None:
        home = Home(NAS)
        for _ in range(20):
            await shake(home.knock())
            home.cut()
            await settle()
        await bound(home)
        await home.leave()

    run_virtual(story())
