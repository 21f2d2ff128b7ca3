"""`waiter pair` and `waiter run` as processes, against a small home."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
import json
import os
from pathlib import Path
import signal
import sys
from typing import Any

from link_home import KEY, SmallHome, small_home, until
import pytest

from homeagent_waiter.keys import HostKey, KeyFile
from homeagent_waiter.protocol import Close, new_code

WAITER = str(Path(sys.executable).with_name("waiter"))


class Host:
    """A folder with the files of one waiter."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = KeyFile(folder / "state" / "key")

    def configure(self, **values: object) -> list[str]:
        path = self.folder / "waiter.yaml"
        own = {"name": "Shelf", "device_authorized": True}
        path.write_text(json.dumps({**own, **values}))
        path.chmod(0o600)
        return ["--config", str(path)]

    async def start(self, *arguments: str) -> asyncio.subprocess.Process:
        environment = {
            **os.environ,
            "HOME": str(self.folder),
            "STATE_DIRECTORY": str(self.folder / "state"),
        }
        return await asyncio.create_subprocess_exec(
            *(sys.executable, WAITER, *arguments),
            env=environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def said(self, *arguments: str, typed: str = "") -> tuple[int | None, str]:
        process = await self.start(*arguments)
        output, _ = await process.communicate(typed.encode())
        return process.returncode, output.decode()


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


@asynccontextmanager
async def running(
    host: Host, home: SmallHome, **options: object
) -> AsyncIterator[asyncio.subprocess.Process]:
    host.file.store(HostKey("nas", KEY))
    process = await host.start("run", *host.configure(url=home.url, **options))
    try:
        await until(lambda: home.of("facts") or process.returncode is not None)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_pair_asks_for_the_code_and_stores_the_key(host: Host) -> None:
    """Without a configuration the address is written down too."""
    async with small_home() as home:
        code, said = await host.said("pair", home.url, typed=f"{home.code}\n")
    assert (code, host.file.load()) == (0, HostKey("nas", KEY))
    assert home.of("pair")[0]["name"]
    assert "device_authorized: true" in said
    assert home.code not in said


@pytest.mark.parametrize("typed", ["", "nonsense\n", "0000-" * 7 + "\n"])
async def test_pair_knows_a_mistyped_code_before_it_is_tried(
    host: Host, typed: str
) -> None:
    async with small_home() as home:
        code, said = await host.said("pair", home.url, typed=typed)
    assert (code, home.connections) == (2, 0)
    assert "no pairing code" in said


async def test_pair_with_a_wrong_code_says_what_to_do(host: Host) -> None:
    async with small_home() as home:
        code, said = await host.said("pair", home.url, typed=f"{new_code()}\n")
    assert (code, host.file.exists()) == (1, False)
    assert "Begin again" in said


async def test_pair_that_is_not_added_keeps_the_old_key(host: Host) -> None:
    old = HostKey("old", bytes(32))
    host.file.store(old)
    async with small_home() as home:
        home.confirms = False
        code, _ = await host.said("pair", home.url, typed=f"{home.code}\n")
    assert (code, host.file.load()) == (1, old)


@pytest.mark.parametrize(
    ("url", "says"), [("ftp://x", "no address"), ("http://127.0.0.1:1", "be reached")]
)
async def test_pair_with_a_bad_address(host: Host, url: str, says: str) -> None:
    code, said = await host.said("pair", url, typed=f"{new_code()}\n")
    assert code in (1, 2)
    assert says in said


async def test_run_needs_address_and_key(host: Host) -> None:
    code, said = await host.said("run", *host.configure())
    assert (code, "must name url" in said) == (2, True)
    code, said = await host.said("run", *host.configure(url="http://127.0.0.1:1"))
    assert (code, "waiter pair" in said) == (1, True)


async def test_run_tells_of_itself_and_answers(host: Host) -> None:
    async with small_home() as home, running(host, home) as process:
        about = next(m["about"] for m in home.of("facts") if "about" in m)
        assert about["authorized"] is True
        await home.say(
            {"type": "command", "id": "r1", "command": "echo hi", "who": "x"}
        )
        await until(lambda: home.of("result"))
        assert home.of("result")[0]["outcome"]["stdout"] == "hi\n"
        process.send_signal(signal.SIGTERM)
        output, _ = await process.communicate()
    assert process.returncode == 0
    assert b"connected to Home Assistant as 'Nas'" in output
    assert b"commands allowed (the built-in list)" in output


async def test_run_survives_what_it_does_not_know(host: Host) -> None:
    """Unknown types, fields of the wrong type, a request twice."""
    strange: list[dict[str, Any]] = [
        {"type": "sing"},
        {"type": "command"},
        {"type": "command", "id": 7, "command": "echo x"},
        {"type": "command", "id": "r0", "command": ["echo"]},
        {"type": "cancel", "id": "never asked"},
        {"type": "rekey", "key": "short"},
        {"type": "rekey", "key": "AAAA"},
        {"type": "got"},
        {"type": "error"},
    ]
    async with small_home() as home, running(host, home):
        for message in strange:
            await home.say(message)
        for _ in range(2):
            await home.say({"type": "command", "id": "r1", "command": "echo once"})
        await until(lambda: home.of("result"))
        await home.say({"type": "ping"})
        await until(lambda: home.of("pong"))
        assert [one["id"] for one in home.of("result")] == ["r1"]
        assert home.of("error")[0]["of"] == "sing"
        assert host.file.load() == HostKey("nas", KEY)
        assert home.connections == 1


async def test_run_takes_a_new_key(host: Host) -> None:
    import base64

    key = bytes(reversed(range(32)))
    async with small_home() as home, running(host, home):
        await home.say({"type": "rekey", "key": base64.b64encode(key).decode()})
        await until(lambda: home.of("rekeyed"))
        assert host.file.load() == HostKey("nas", key)
        home.key = key
        await home.hang_up(Close.RESTARTING)
        await until(lambda: len(home.of("bind")) == 2)


async def test_run_keeps_a_result_for_the_next_connection(host: Host) -> None:
    options = {"device_cmd_unchecked": ["sleep"]}
    async with small_home() as home, running(host, home, **options):
        await home.say({"type": "command", "id": "r1", "command": "sleep 1"})
        await home.hang_up(Close.RESTARTING)
        await until(lambda: len(home.of("bind")) == 2)
        assert home.of("bind")[1]["requests"] == ["r1"]
        await until(lambda: home.of("result"))
        assert home.of("result")[0]["id"] == "r1"


@pytest.mark.parametrize(
    ("status", "says"), [(403, "banned"), (404, "no HomeAgent"), (503, "not ready")]
)
async def test_run_says_why_it_is_not_let_in(
    host: Host, status: int, says: str
) -> None:
    async with small_home() as home:
        home.refuses = status
        host.file.store(HostKey("nas", KEY))
        process = await host.start("run", *host.configure(url=home.url))
        await until(lambda: home.connections > 1)
        process.send_signal(signal.SIGTERM)
        output, _ = await process.communicate()
    assert process.returncode == 0
    assert output.decode().count(says) == 1, "one line per change of state"


async def test_secrets_are_not_in_arguments_or_environment(host: Host) -> None:
    async with small_home() as home, running(host, home) as process:
        folder = Path("/proc") / str(process.pid)
        held = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
        assert json.loads(host.file.path.read_text())["key"].encode() not in held
