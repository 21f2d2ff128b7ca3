"""The commands doctor and install: what they find, what they would write."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import os
from pathlib import Path
import shutil
import subprocess
import threading

import pytest

from homeagent_waiter.cli import main
from homeagent_waiter.config import Config
from homeagent_waiter.doctor import Finding, State, findings
from homeagent_waiter.keys import HostKey, KeyFile
from homeagent_waiter.service import unit


def found(config: Config) -> dict[str, list[Finding]]:
    """Return the findings by what they are about."""

    async def collect() -> dict[str, list[Finding]]:
        by_name: dict[str, list[Finding]] = {}
        async for finding in findings(config):
            by_name.setdefault(finding.about, []).append(finding)
        return by_name

    return asyncio.run(collect())


def test_unpaired_host_is_told_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, and a line for each thing."""
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "FAIL  url: it is missing; 'waiter pair URL' writes it" in said
    assert "FAIL  key: there is no key" in said
    assert "ok    one command: uptime ran in" in said


def test_healthy_host_is_good(tmp_path: Path) -> None:
    """Key, state folder and command."""
    key = KeyFile(tmp_path / "state/key")
    key.store(HostKey("nas", bytes(32)))
    by_name = found(Config(key_file=key.path, device_cmd_allowlist=["date", "mytool"]))
    assert by_name["key"][0].state is State.GOOD
    assert by_name["one command"][0].text.startswith("date ran")
    assert [each.text for each in by_name["commands"]] == [
        "2 allowed, by device_cmd_allowlist",
        "refused for want of a grammar: mytool",
    ]


def test_state_that_others_may_write_is_bad(home: Path) -> None:
    """Whoever may write there may take the key's place."""
    (home / "state").mkdir()
    (home / "state").chmod(0o777)
    assert found(Config())["state"][0].state is State.BAD


def test_key_that_others_may_read_is_bad(tmp_path: Path) -> None:
    """It belongs to its user alone."""
    key = KeyFile(tmp_path / "key")
    key.store(HostKey("nas", bytes(32)))
    key.path.chmod(0o644)
    assert found(Config(key_file=key.path))["key"][0].state is State.BAD


class Answers(BaseHTTPRequestHandler):
    """A server that is no Home Assistant, with a clock of its own."""

    def do_GET(self) -> None:
        self.send_response_only(404)
        self.send_header("Date", "Sat, 01 Jan 2000 00:00:00 GMT")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of such a server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_way_to_home_assistant_is_looked_at(server: str) -> None:
    """Name, encryption, clock, and whether anybody takes hosts there."""
    by_name = found(Config(url=server))
    assert by_name["name"][0].state is State.GOOD
    assert by_name["TLS"][0].state is State.NOTE
    assert "away from Home Assistant's" in by_name["clock"][0].text
    assert "there is no HomeAgent at this address" in by_name["Home Assistant"][0].text


def test_name_without_an_address_is_bad() -> None:
    """Nothing further is tried."""
    by_name = found(Config(url="http://nothing.invalid"))
    assert by_name["name"][0].state is State.BAD
    assert "Home Assistant" not in by_name


def test_unit_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the configuration that was named; nothing is written."""
    file = tmp_path / "waiter.yaml"
    file.write_text("name: x")
    assert main(["install", "--print", "--config", str(file)]) == 0
    shown = capsys.readouterr().out
    assert f" run --config {file}\n" in shown
    assert "Type=notify" in shown
    assert "WatchdogSec=" in shown


def test_unit_is_valid(tmp_path: Path) -> None:
    """Systemd reads it without a word, where there is a systemd."""
    text = unit(Path("/bin/true"), None, user="root")
    file = tmp_path / "homeagent-waiter.service"
    file.write_text(text)
    verify = shutil.which("systemd-analyze")
    command = [verify, "verify", str(file)] if verify else ["true"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, "homeagent-waiter" in ran.stderr) == (0, False), ran.stderr


@pytest.mark.parametrize("path", ["/opt/my waiter", "/a%b", "/a\nb", '/a"b', "/a$b"])
def test_unit_takes_only_plain_paths(path: str) -> None:
    """What a unit reads in its own way is refused."""
    with pytest.raises(ValueError, match="cannot name plainly"):
        unit(Path(path), None)


def test_install_needs_root_and_systemd(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else it says how to see the unit."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main(["install"]) == 1
    assert "only root may do that" in capsys.readouterr().err
