"""The address that waiters connect to: who is let in, who counts as a wrong login."""

from collections import defaultdict
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address
from socket import SHUT_RDWR

import aiohttp
from homeassistant.components.http import ban
from homeassistant.components.http.ban import (
    KEY_BAN_MANAGER,
    KEY_FAILED_LOGIN_ATTEMPTS,
    KEY_LOGIN_THRESHOLD,
    IpBanManager,
)
from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest

from custom_components.homeagent.hosts.protocol import PATH, hello
from custom_components.homeagent.runtime import DATA_RUNTIME
from homeagent_waiter.keys import HostKey
from homeagent_waiter.link import DialError
from homeagent_waiter.link_greeting import greet
from homeagent_waiter.link_ports import PeerGoneError
from homeagent_waiter.link_socket import Address, dial

from .waiters import KEY, Waiter, async_add_hosts, until


async def knock(url: str, host_id: str, key: bytes) -> int | None:
    """Come with an id and a key; return the code that the connection is closed with."""
    async with dial(Address(url)) as socket:
        try:
            await greet(socket, host_id, "bind", key)
        except PeerGoneError:
            return socket.close_code
        return None


@pytest.fixture
def failures(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> defaultdict[IPv4Address | IPv6Address, int]:
    """Switch Home Assistant's ban on, and return its count of wrong logins."""
    # Before it counts, it asks a name server, which may not answer here.
    monkeypatch.setattr(ban, "gethostbyaddr", lambda address: (address, [], []))
    app = hass.http.app
    app._state[KEY_LOGIN_THRESHOLD] = 100
    app._state[KEY_BAN_MANAGER] = IpBanManager(hass)
    return app[KEY_FAILED_LOGIN_ATTEMPTS]


@pytest.mark.parametrize(
    ("host_id", "wrong_logins", "issues"),
    [("stranger", 1, []), ("nas", 0, ["host_wrong_key_nas"])],
)
async def test_wrong_key(
    hass: HomeAssistant,
    url: str,
    failures: Mapping[IPv4Address | IPv6Address, int],
    host_id: str,
    wrong_logins: int,
    issues: list[str],
) -> None:
    """A stranger is a wrong login; a known host with a wrong key is an issue."""
    await async_add_hosts(hass, "Nas")
    assert await knock(url, host_id, bytes(32)) == 4401
    # Judged in order: once the second one counts, the first one was judged.
    await knock(url, "second", bytes(32))
    await until(lambda: sum(failures.values()) > wrong_logins)
    assert sum(failures.values()) == wrong_logins + 1
    registry = ir.async_get(hass)
    assert [key[1] for key in registry.issues if key[0] == "homeagent"] == issues


async def test_right_key_forgives_nobody_else(
    hass: HomeAssistant, url: str, failures: Mapping[IPv4Address | IPv6Address, int]
) -> None:
    """A host that connects does not clear the count of others' failures."""
    await async_add_hosts(hass, "Nas")
    await knock(url, "stranger", bytes(32))
    waiter = Waiter(url, HostKey("nas", KEY))
    async with waiter.running(hass):
        await until(lambda: sum(failures.values()) == 1)
    assert sum(failures.values()) == 1


async def test_issue_goes_when_the_host_comes_with_its_key(
    hass: HomeAssistant, url: str
) -> None:
    await async_add_hosts(hass, "Nas")
    await knock(url, "nas", bytes(32))
    registry = ir.async_get(hass)
    assert registry.async_get_issue("homeagent", "host_wrong_key_nas") is not None
    async with Waiter(url, HostKey("nas", KEY)).running(hass):
        assert registry.async_get_issue("homeagent", "host_wrong_key_nas") is None


async def test_before_the_entry_is_loaded_nobody_is_judged(
    hass: HomeAssistant, url: str, failures: Mapping[IPv4Address | IPv6Address, int]
) -> None:
    with pytest.raises(DialError, match="503"):
        await knock(url, "nas", KEY)
    entry = await async_add_hosts(hass, "Nas")
    assert await knock(url, "nas", KEY) is None
    await hass.config_entries.async_unload(entry.entry_id)
    with pytest.raises(DialError, match="503"):
        await knock(url, "nas", KEY)
    assert sum(failures.values()) == 0


def has_place(hass: HomeAssistant, address: str) -> bool:
    """Whether one more stranger of an address would be let in."""
    room = hass.data[DATA_RUNTIME].hosts.reception.room
    if found := room.enter(address):
        room.leave(address)
    return found


async def test_four_strangers_of_one_address_are_enough(
    hass: HomeAssistant, url: str
) -> None:
    await async_add_hosts(hass, "Nas")
    async with aiohttp.ClientSession() as session:
        open_ = [await session.ws_connect(url + PATH) for _ in range(4)]
        with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
            await session.ws_connect(url + PATH)
        await open_[0].close()
        await until(lambda: has_place(hass, "127.0.0.1"))
        for socket in (*open_[1:], await session.ws_connect(url + PATH)):
            await socket.close()


async def test_what_is_no_websocket_takes_no_place(
    hass: HomeAssistant, url: str
) -> None:
    await async_add_hosts(hass, "Nas")
    async with aiohttp.ClientSession() as session:
        for _ in range(20):
            async with session.get(url + PATH) as answer:
                assert answer.status == 400
    assert await knock(url, "nas", KEY) is None


async def test_pings_of_websocket_are_answered_from_the_first_byte(
    hass: HomeAssistant, url: str
) -> None:
    await async_add_hosts(hass, "Nas")
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(url + PATH, autoping=False) as socket,
    ):
        await socket.ping(b"x")
        answer = await socket.receive(timeout=5)
        assert (answer.type, answer.data) == (aiohttp.WSMsgType.PONG, b"x")
        await socket.send_str('{"type": "ping"}')
        assert (await socket.receive_json(timeout=5)) == {"type": "pong"}


async def test_home_that_stops_sends_its_hosts_home(
    hass: HomeAssistant, url: str
) -> None:
    await async_add_hosts(hass, "Nas")
    waiter = Waiter(url, HostKey("nas", KEY))
    async with waiter.running(hass) as link:
        hass.bus.async_fire(EVENT_HOMEASSISTANT_STOP)
        await until(lambda: not link.connected)
        await until(lambda: "restarts" in link.told)
        assert not hass.data[DATA_RUNTIME].hosts.registry.ready


async def test_stranger_who_hangs_up_first_counts_too(
    hass: HomeAssistant,
    url: str,
    failures: defaultdict[IPv4Address | IPv6Address, int],
) -> None:
    """Home Assistant ends a request whose other end is gone; the count must not."""
    await async_add_hosts(hass, "Nas")
    async with aiohttp.ClientSession() as session:
        socket = await session.ws_connect(url + PATH)
        await socket.send_str(hello("stranger", "bind"))
        await socket.receive_str()
        await socket.send_bytes(bytes(48))
        connection = socket.get_extra_info("socket")
        assert connection is not None
        connection.shutdown(SHUT_RDWR)
        await socket.close()
    await until(lambda: sum(failures.values()) == 1)
