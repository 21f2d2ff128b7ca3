"""A home that lives long: begun with an older HomeAgent, backed up, moved, tidied up.

The last test takes HomeAgent away, so it must stay the last.
"""

import asyncio
from collections.abc import AsyncIterator
import json
from pathlib import Path
import shutil
import tarfile
from typing import Any

from demohome.log import complaints
from demohome.real_home import HomeOptions, RealHome
import pytest_asyncio
import pytest_socket

from .conftest import ROOT

RECORDED = ROOT / "tests" / "ha" / "recorded"
SUBENTRIES = [
    {
        "data": {"id": "nas", "key": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
        "subentry_id": "01M8PZPMFHEMY8207VS87AYDCY",
        "subentry_type": "host",
        "title": "Cellar",
        "unique_id": "nas",
    },
    {
        "data": {"url": "http://127.0.0.1:9/v1", "model": "m", "api_key": "sk-1"},
        "subentry_id": "01M8PZPMFHEMY8207VS87AYDCZ",
        "subentry_type": "conversation",
        "title": "Butler",
        "unique_id": None,
    },
]
OWN_FILE = "homeagent/sequences/mine.json"


def _older_files() -> dict[str, str]:
    """Return what lay in the config folder of a home with HomeAgent 1.1 entries."""
    entries = json.loads((RECORDED / "entries-1.1.json").read_text())
    entries[0]["subentries"] = SUBENTRIES
    stored = {
        "version": 1,
        "minor_version": 5,
        "key": "core.config_entries",
        "data": {"entries": entries},
    }
    return {
        ".storage/core.config_entries": json.dumps(stored),
        ".storage/homeagent.history": (RECORDED / "history-1.1.json").read_text(),
        OWN_FILE: '{"groups": []}',
    }


@pytest_asyncio.fixture(loop_scope="session", scope="module", name="older")
async def older_fixture() -> AsyncIterator[RealHome]:
    """A Home Assistant that was updated to this HomeAgent."""
    pytest_socket.enable_socket()
    async with RealHome(HomeOptions(files=_older_files())) as real:
        yield real


async def _ask(home: RealHome, command: str, **fields: object) -> Any:
    async with home.api.socket() as socket:
        return await socket.command(command, **fields)


async def _ours(home: RealHome) -> dict[str, list[str]]:
    """Return what of HomeAgent a person finds in this home."""
    entries = await _ask(home, "config_entries/get", domain="homeagent")
    entities = await _ask(home, "config/entity_registry/list")
    ids = {entry["entry_id"] for entry in entries}
    devices = await _ask(home, "config/device_registry/list")
    issues = await _ask(home, "repairs/list_issues")
    actions = await _ask(home, "get_services")
    parts = [
        part["title"]
        for entry in entries
        for part in await _ask(
            home, "config_entries/subentries/list", entry_id=entry["entry_id"]
        )
    ]
    return {
        "entries": sorted(f"{each['title']} {each['state']}" for each in entries),
        "parts": sorted(parts),
        "entities": sorted(
            each["entity_id"] for each in entities if each["platform"] == "homeagent"
        ),
        "devices": sorted(
            each["name"] for each in devices if ids & set(each["config_entries"])
        ),
        "issues": sorted(
            each["issue_id"]
            for each in issues["issues"]
            if each["domain"] == "homeagent"
        ),
        "actions": sorted(actions.get("homeagent", {})),
    }


def _run_ids(home: RealHome) -> list[str]:
    """Return the runs in the stored history of a home that is stopped."""
    text = (home.config / ".storage" / "homeagent.history").read_text()
    return [run["run_id"] for run in json.loads(text)["data"]["runs"]]


async def _run(home: RealHome) -> str:
    ran = await home.api.call_action("homeagent.seq_run", {"name": "Twice"})
    assert ran["status"] == "ok", ran
    return str(ran["run_id"])


async def test_update_from_older_files(older: RealHome) -> None:
    """Everything is there, the rules too that did not exist then; nothing complains."""
    found = await _ours(older)
    assert found["entries"] == ["HomeAgent loaded", "Note loaded", "Twice loaded"]
    assert {"Cellar", "Butler"} < set(found["parts"])
    assert {"Cellar", "Butler", "Note", "Twice"} < set(found["devices"])
    assert {"run_note", "run_twice"} < set(found["actions"])
    assert found["issues"] == []
    await _run(older)
    assert complaints(older.log_text()) == []


async def test_backup_and_restore(older: RealHome) -> None:
    """What Home Assistant's own backup holds works in another one, the last run too."""
    run_id = await _run(older)
    before = await _ours(older)
    folder = await _backed_up(older)
    try:
        async with RealHome(HomeOptions(owner=older.owner)) as new:
            await new.stop()
            _restore(folder, new)
            await new.start()
            assert await _ours(new) == before
            again = await _run(new)
            assert (new.config / OWN_FILE).is_file()
            await new.stop()
            first, *_ = json.loads((RECORDED / "history-1.1.json").read_text())["data"][
                "runs"
            ]
            assert {first["run_id"], run_id, again} <= set(_run_ids(new))
    finally:
        await asyncio.to_thread(shutil.rmtree, folder)


async def _backed_up(home: RealHome) -> Path:
    """Have Home Assistant make a backup while it runs; return what it holds, unpacked."""
    await _ask(
        home, "backup/generate", agent_ids=["backup.local"], include_database=False
    )
    async with asyncio.timeout(120):
        while True:
            info = await _ask(home, "backup/info")
            if info["backups"] and info["state"] == "idle":
                break
            await asyncio.sleep(0.5)
    (archive,) = (home.config / "backups").glob("*.tar")
    folder = home.root / "restored"
    await asyncio.to_thread(_unpack, archive, folder)
    return folder / "data"


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as outer:
        inner = next(name for name in outer.getnames() if "homeassistant.tar" in name)
        stream = outer.extractfile(inner)
        assert stream is not None
        with tarfile.open(fileobj=stream, mode="r:*") as data:
            data.extractall(folder, filter="data")


def _restore(folder: Path, home: RealHome) -> None:
    """Put a backup in the place of what is there, but for the port."""
    port = home.config / ".storage" / "http"
    kept = port.read_bytes()
    for path in folder.iterdir():
        target = home.config / path.name
        if target.is_dir():
            shutil.rmtree(target)
        if path.is_dir():
            shutil.copytree(path, target)
        else:
            shutil.copy(path, target)
    port.write_bytes(kept)


async def test_removal_leaves_nothing(older: RealHome) -> None:
    """No entity, device, issue, action, user, token or file, but the user's own."""
    users = await _users_and_tokens(older)
    await _run(older)
    for entry in await _ask(older, "config_entries/get", domain="homeagent"):
        path = f"/api/config/config_entries/entry/{entry['entry_id']}"
        await older.api.request("DELETE", path)
    await older.restart()
    assert not any((await _ours(older)).values()), await _ours(older)
    assert await _users_and_tokens(older) == users
    await older.stop()
    storage = older.config / ".storage"
    assert [path.name for path in storage.iterdir() if "homeagent" in path.name] == []
    assert (older.config / OWN_FILE).is_file()


async def _users_and_tokens(home: RealHome) -> list[str]:
    users = await _ask(home, "config/auth/list")
    tokens = await _ask(home, "auth/refresh_tokens")
    names = [user["name"] for user in users]
    return sorted([*names, *{token["type"] for token in tokens}])
