"""The harness itself: what fails is told in a sentence, and nothing remains."""

from pathlib import Path
import socket
import tempfile

from demohome import real_home
from demohome.errors import HomeError
from demohome.log import complaints
from demohome.process import free_port
from demohome.real_home import HomeOptions, RealHome
import pytest

from .traces import left_behind

PLAIN = HomeOptions(integration=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


async def test_home_keeps_its_data_over_stop_and_kill(folder: Path) -> None:
    async with RealHome(PLAIN) as home:
        await home.api.run_flow("shopping_list", {})
        await home.restart()
        assert (await home.api.state("todo.shopping_list"))["state"] == "0"
        await home.kill()
        await home.start()
        assert (await home.api.state("todo.shopping_list"))["state"] == "0"
    assert left_behind(folder) == []


async def test_failure_inside_leaves_nothing(folder: Path) -> None:
    async def fail() -> None:
        async with RealHome(PLAIN):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert left_behind(folder) == []


async def test_too_slow_start_says_so_and_leaves_nothing(folder: Path) -> None:
    with pytest.raises(HomeError, match=r"did not open its port within 0 s"):
        async with RealHome(HomeOptions(integration=False, start_timeout=0)):
            pass
    assert left_behind(folder) == []


async def test_taken_port_is_left_for_another(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ports = iter([taken.getsockname()[1], free_port()])
        monkeypatch.setattr(real_home, "free_port", lambda: next(ports))
        async with RealHome(PLAIN) as home:
            assert not home.url.endswith(str(taken.getsockname()[1]))
    assert left_behind(folder) == []


async def test_home_that_ends_early_shows_its_log(folder: Path) -> None:
    files = {"home-assistant.log/is-no-file": ""}
    with pytest.raises(HomeError, match=r"(?s)ended with exit code.*log:"):
        async with RealHome(HomeOptions(integration=False, files=files)):
            pass
    assert left_behind(folder) == []


HEAD = "2026-11-30 15:44:43.116"
CUSTOM = "which has not been tested by Home Assistant"


@pytest.mark.parametrize(
    ("entry", "complains"),
    [
        ("ERROR (MainThread) [custom_components.homeagent] x", True),
        ("WARNING (MainThread) [homeassistant.setup] Setup of homeagent is slow", True),
        ('ERROR (X) [a.b] x\n  File "/c/custom_components/homeagent/y.py"', True),
        ("INFO (MainThread) [custom_components.homeagent] x", False),
        ("WARNING (MainThread) [a.b] in /srv/cache/homeagent/python", False),
        (f"WARNING (X) [homeassistant.loader] integration homeagent {CUSTOM}", False),
    ],
)
def test_complaints_are_those_that_name_homeagent(entry: str, complains: bool) -> None:
    assert bool(complaints(f"{HEAD} {entry}\n")) is complains
