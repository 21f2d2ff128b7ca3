"""From creating a sequence to its run, over Home Assistant's real API."""

import asyncio
from collections.abc import Mapping
import json

from demohome.errors import ApiError
from demohome.folder import write_files
from demohome.log import complaints
from demohome.real_home import RealHome
import pytest

NOTE = {
    "tool": "persistent_notification.create",
    "args": {"title": "$args.title", "message": "Hello"},
}
GROUPS = [{"name": "note", "in": {"title": "string"}, "tools": f"{json.dumps(NOTE)} ;"}]

SUCCESS = "{{ night.success }}"


async def notifications(home: RealHome) -> object:
    async with home.api.socket() as socket:
        return await socket.command("persistent_notification/get")


async def names(home: RealHome) -> str:
    return json.dumps(await home.api.call_action("homeagent.seq_list", {}))


async def test_from_create_to_delete(home: RealHome) -> None:
    sequence = {"name": "Morning", "description": "d", "groups": GROUPS}
    await home.api.call_action("homeagent.seq_create", sequence)
    assert "Morning" in await names(home)

    run = {"name": "Morning", "args": {"title": "Up"}}
    report = await home.api.call_action("homeagent.seq_run", run)
    assert (report["status"], report["success"]) == ("ok", True), report["text"]
    assert '"title": "Up"' in json.dumps(await notifications(home))

    await home.api.call_action("homeagent.seq_delete", {"name": "Morning"})
    assert "Morning" not in await names(home)


async def test_from_file_to_run(home: RealHome) -> None:
    text = json.dumps({"name": "Evening", "description": "d", "groups": GROUPS})
    write_files(home.config, {"homeagent/sequences/evening.json": text})
    sequence = {"name": "Evening", "file": "evening.json"}
    await home.api.call_action("homeagent.seq_create", sequence)
    run = {"name": "Evening", "args": {"title": "Down"}}
    report = await home.api.call_action("homeagent.seq_run", run)
    assert report["status"] == "ok", report["text"]


async def test_sequences_are_there_after_a_restart(home: RealHome) -> None:
    sequence = {"name": "Kept", "groups": GROUPS}
    await home.api.call_action("homeagent.seq_create", sequence)
    await home.restart()
    run = {"name": "Kept", "args": {"title": "Again"}}
    report = await home.api.call_action("homeagent.seq_run", run)
    assert report["status"] == "ok", report["text"]


async def test_automation_saved_in_the_ui_runs_a_sequence(home: RealHome) -> None:
    await home.api.call_action(
        "homeagent.seq_create", {"name": "Nightly", "groups": GROUPS}
    )
    run = {"name": "Nightly", "args": {"title": "By automation"}}
    action = {"action": "homeagent.seq_run", "data": run, "response_variable": "night"}
    automation = {
        "alias": "Every night",
        "triggers": [{"trigger": "time", "at": "22:30:00"}],
        "actions": [action, {"condition": "template", "value_template": SUCCESS}],
    }
    await home.api.post("/api/config/automation/config/1", automation)
    await loaded(home, "automation.every_night")
    trigger = {"entity_id": "automation.every_night"}
    await home.api.do_action("automation.trigger", trigger)
    assert '"title": "By automation"' in json.dumps(await notifications(home))


@pytest.mark.parametrize(
    ("domain", "key", "made"),
    [
        ("script", "tidy", {"alias": "Tidy", "sequence": []}),
        ("scene", "1", {"name": "Cozy", "entities": {}}),
    ],
)
async def test_what_is_saved_in_the_ui_is_loaded(
    home: RealHome, domain: str, key: str, made: Mapping[str, object]
) -> None:
    await home.api.post(f"/api/config/{domain}/config/{key}", made)
    await loaded(home, f"{domain}.")


async def loaded(home: RealHome, beginning: str) -> None:
    """Wait for an entity: Home Assistant answers before what was saved is loaded."""
    for _ in range(600):
        names = [str(state["entity_id"]) for state in await home.api.states()]
        if any(name.startswith(beginning) for name in names):
            return
        await asyncio.sleep(0.1)
    pytest.fail(f"no {beginning} was loaded")


async def test_run_that_cannot_start_answers_with_a_report(home: RealHome) -> None:
    sequence = {"name": "Needs input", "groups": GROUPS}
    await home.api.call_action("homeagent.seq_create", sequence)
    report = await home.api.call_action("homeagent.seq_run", {"name": "Needs input"})
    assert (report["status"], report["out"]) == ("failed", {})
    assert "title" in json.dumps(report["errors"])


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([], "group"),
        ([{"name": "g", "tools": '{"tool":"a.b"}'}], ";"),
        ([{"name": "g", "tools": '{"tool":"a.b","as":"x"} ;'}], "x"),
        ([{"name": "g", "tools": '{"tool":"a.b","args":{"c":$args.d}} ;'}], "$args.d"),
    ],
    ids=["empty", "no semicolon", "no slot", "no input"],
)
async def test_bad_sequence_is_refused(
    home: RealHome, groups: object, words: str
) -> None:
    bad = {"name": "Bad", "description": "d", "groups": groups}
    answer = await home.api.call_action("homeagent.seq_create", bad)
    assert answer["success"] is False
    assert words in json.dumps(answer["error"])
    assert "Bad" not in await names(home)


async def test_who_asks_for_no_response_gets_an_error(home: RealHome) -> None:
    with pytest.raises(ApiError, match="No such sequence"):
        await home.api.do_action("homeagent.seq_run", {"name": "No such sequence"})


async def test_nothing_blocked_and_nothing_complained(home: RealHome) -> None:
    """The last of this module: all of the above ran by now."""
    log = home.log_text()
    assert "blocking call" not in log
    assert complaints(log) == []
